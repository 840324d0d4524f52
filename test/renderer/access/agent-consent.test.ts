// The dialog that asks whether an agent may change something, over a real core and the way of `rainbell mcp`.
import { expect, it, onTestFinished, vi } from 'vitest';
import { findRunningApp } from '#core/hosting/running-app.ts';
import { openScreens } from '../screen-harness.ts';

it('shows exactly what will happen on any screen, and Refuse, Escape, and Allow count', async () => {
  const { page, core, receiverUrl } = await openScreens({ hash: '#/traffic' });
  await fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{"id":"x"}' });
  const { client, close } = await vi.waitUntil(() => findRunningApp(core.dataFolder, 'agent'), 20_000);
  onTestFinished(close);
  const action = { kind: 'resend', callbackId: 1, url: null } as const;
  const propose = () => client.agents.propose({ agent: 'Probe <b>', action }).catch((error: Error) => error.message);

  const refused = propose();
  const dialog = page.getByRole('dialog', { name: 'Allow this agent action: Replay a callback?' });
  await dialog.getByText('Probe <b>').waitFor();
  await dialog.getByText('POST /hooks/a, 10 bytes').waitFor();
  await dialog.getByText('this app’s receiver').waitFor();
  await dialog.getByRole('button', { name: 'Deny' }).click();
  expect(await refused).toContain('The user denied this change');
  await dialog.waitFor({ state: 'detached' });

  const escaped = propose();
  // Escape closes the dialog that has the focus.
  await page.locator('[role="dialog"] :focus').waitFor();
  await page.keyboard.press('Escape');
  expect(await escaped).toContain('The user denied this change');
  expect(core.core.status().callbackCount).toBe(1);
  await dialog.waitFor({ state: 'detached' });

  const allowed = propose();
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  expect(await allowed).toMatchObject({ status: 200 });
  await expect.poll(() => core.core.status().callbackCount).toBe(2);
  await dialog.waitFor({ state: 'detached' });
});
