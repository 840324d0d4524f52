// Work that the user cancels ends at the other side, too. What the screens say then is in the component tests.
import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { listen } from '#test/setup/listen.ts';
import { openScreens } from './screen-harness.ts';

it('a fetch, a new monitor, and a replay are aborted when they are canceled', async () => {
  const never = () => new Promise<Answer>(() => {});
  const { page, service, core, receiverUrl } = await openScreens({
    routes: { 'GET /v2/weather/': never, 'POST /v2/monitors/': never },
  });
  /** How the newest of these requests ended: by the user, not by core's own time limit. */
  const expectAborted = async (path: string, method: string) => {
    await expect.poll(() => service.requestsTo(`${method} ${path}`).at(-1)?.isBrokenOff).toBe(true);
    const { items } = await core.client.traffic.list({ text: path });
    const { id } = items.find((one) => one.method === method) ?? { id: 0 };
    expect((await core.client.traffic.get({ id })).problem?.message).toBe('The request was canceled in the app.');
  };
  await cancel(page, /^Fetching .+ from .+, \d+\.\d s/);
  await page.getByRole('heading', { name: 'Canceled' }).waitFor();
  await expectAborted('/v2/weather/', 'GET');

  await page.evaluate(() => void (location.hash = '#/monitors'));
  await page.getByRole('button', { name: 'New monitor' }).first().click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const listsBefore = service.requestsTo('GET /v2/monitors/').length;
  await cancel(page, /^Creating the monitor, /);
  await page.getByText('The service may have applied the change').waitFor();
  await expectAborted('/v2/monitors/', 'POST');
  // It may be there, so the list is read again.
  await expect.poll(() => service.requestsTo('GET /v2/monitors/').length).toBeGreaterThan(listsBefore);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const silent = createServer(() => {});
  const port = await listen(silent);
  let ended = 0;
  silent.on('connection', (socket) => socket.once('close', () => (ended += 1)));
  await page.evaluate(() => void (location.hash = '#/callbacks'));
  await fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{}' });
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hooks/a`);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await cancel(page, /^Waiting for the response, /);
  await expect.poll(() => ended).toBe(1);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Sent 1', { exact: true }).click();
  await page.getByText('The request was canceled in the app.').first().waitFor();
});

async function cancel(page: Page, text: RegExp) {
  const status = page.getByRole('status').filter({ hasText: text });
  await status.getByRole('button', { name: 'Cancel' }).click();
  await status.waitFor({ state: 'detached' });
}
