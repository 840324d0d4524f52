// Choices around tokens as people use them: and diagnostics that are seen before they leave.
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { issueTokens } from '#test/core/fake-service.ts';
import { openScreens } from '../screen-harness.ts';

it('“Refresh now” shows what was sent and received (docs/tokens.md T17)', async () => {
  const { page } = await openScreens({ hash: '#/access' });
  const token = page.getByRole('region', { name: 'Application token' });
  await token.getByRole('button', { name: 'Refresh now' }).click();
  await page.locator('summary').getByText('Refresh', { exact: true }).first().click();
  const steps = page.getByRole('list', { name: 'Steps: Refresh' }).first();
  await steps.getByText('refresh_token').first().waitFor();
  await steps.getByText('expires_in').waitFor();
  await expect.poll(() => steps.innerText()).not.toMatch(/access-\d|refresh-\d/);
});

it('the card of a token that is not in use shows each second whether it is valid, and promises no refresh ahead', async () => {
  const { page, core, service } = await openScreens({ hash: '#/access' });
  service.routes['POST /token/'] = issueTokens({ expires_in: 600 });
  await core.client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  const token = page.getByRole('region', { name: 'User token' });
  await token.getByText('Time left · refreshes on next use').waitFor();
  await token.getByText('Valid', { exact: true }).waitFor();
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 601_000;
  });
  await token.getByText('Expired', { exact: true }).waitFor();
  await token.getByText('Refreshes on next use').waitFor();
  await expect.poll(() => token.getByText('Valid', { exact: true }).count()).toBe(0);
});

it('diagnostics are seen file by file before they leave as one zip', async () => {
  const { page } = await openScreens({ hash: '#/settings' });
  await page.getByRole('button', { name: 'Export diagnostics…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review diagnostics' });
  await dialog.getByText('status.json').click();
  await dialog.getByText('"secretsProtection"').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as ZIP' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^rainbell-diagnostics-.*\.zip$/);
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.keys(files)).toContain('log.txt');
});
