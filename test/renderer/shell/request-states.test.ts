// What a screen shows while a request loads, after it was canceled, and after it failed: one retry time, and a way to exactly the
// request that failed.
import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { openScreens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';
import { listen } from '#test/setup/listen.ts';

const never = () => new Promise<Answer>(() => {});

const limited = (seconds: number): Answer => ({
  status: 429,
  body: { error: 'too_many_requests', error_description: 'Slow down' },
  headers: { 'retry-after': String(seconds) },
});

describe('a fetch that lasts', () => {
  it('shows an outline, then seconds, and can be canceled, which aborts the request', async () => {
    const { page, service } = await openScreens({
      routes: {
        'GET /v2/weather/': never,
      },
    });
    await page.locator('[data-outline]').waitFor();
    const status = page.getByRole('status').filter({ hasText: /^Fetching .+ from .+, \d+\.\d s/ });
    await status.waitFor();
    await status.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    await expect.poll(() => service.requestsTo('GET /v2/weather/').at(-1)?.isBrokenOff).toBe(true);
    await expect.poll(() => page.locator('[data-outline]').count()).toBe(0);
    await page.getByRole('button', { name: 'Retry', exact: true }).waitFor();
  });
});

describe('a fetch that fails', () => {
  it('counts down to one retry time, shows its body as received, and opens exactly its own request in Traffic', async () => {
    const { page, service } = await openScreens();
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => limited(3);
    await page.keyboard.press('F5');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const words = await alert.innerText();
    expect(words.match(/\b\d+ (s|min)\b/g)).toHaveLength(1);
    expect(words).toMatch(/Retrying in [0-3] s/);
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now: Date.now(), iconBase: service.baseUrl }),
    });
    await alert.waitFor({ state: 'detached' });

    service.routes['GET /v2/weather/'] = () => ({
      body: '<html>Gateway is down',
      headers: { 'content-type': 'text/html' },
    });
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Show raw bytes' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Response body' });
    await dialog.getByText('<html>Gateway is down').waitFor();
    await expect.poll(() => dialog.innerText()).toContain('Status 200 · text/html · 21 B');
    await page.keyboard.press('Escape');

    const cutOff = { body: '{"objects": [\n{"é": 1},\n', headers: { 'content-type': 'application/json' } };
    service.routes['GET /v2/weather/'] = () => cutOff;
    await page.keyboard.press('F5');
    await alert.getByText(/returned JSON that is truncated\./).waitFor();

    service.routes['GET /v2/weather/'] = () => limited(300);
    await page.keyboard.press('F5');
    await alert.getByText('Slow down').waitFor();
    const open = alert.getByRole('button', { name: 'Open in Traffic' });
    // Another request in between, which a guess by time or by URL would open.
    await page.evaluate(() => (location.hash = '#/monitors'));
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await page.evaluate(() => (location.hash = '#/forecast'));
    await open.click();
    await expect.poll(() => page.url()).toMatch(/#\/traffic\/\d+/);
    await page.getByRole('region', { name: 'Request' }).or(page.getByLabel('Request details')).first().waitFor();
    await page.getByText('Slow down').first().waitFor();
  });

  it('because no token is accepted is repeated once with a new token, and then waits for the user', async () => {
    const { page, service } = await openScreens({ hasOwnPage: true });
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => ({ status: 401, body: { error: 'invalid_token' } });
    const sent = () => service.requestsTo('GET /v2/weather/').length;
    const before = sent();
    for (const fetches of [1, 2, 3]) {
      // A browser far behind its host must not take each refusal for one of an older token.
      if (fetches === 3) await page.clock.setFixedTime(Date.now() - 8 * 3_600_000);
      await page.keyboard.press('F5');
      await expect.poll(sent).toBeGreaterThanOrEqual(before + 2 * fetches);
      await page.getByRole('alert').getByText('rejected a new access token').waitFor();
    }
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    service.routes['GET /v2/weather/'] = async () => {
      await held;
      return { body: weatherBody({ now: Date.now(), iconBase: service.baseUrl }) };
    };
    const bar = page.getByRole('contentinfo', { name: 'Status' });
    await page.keyboard.press('F5');
    await expect.poll(sent).toBe(before + 2 * 3 + 1);
    // Fetching the data again does not make it fresher.
    await bar.getByRole('button', { name: /^Stale, / }).waitFor();
    release();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(sent()).toBe(before + 2 * 3 + 1);
    await bar.getByRole('button', { name: 'Fresh, next fetch in 10 min' }).waitFor();
  });
});

describe('work that lasts', () => {
  it('is aborted when canceled: a new monitor, and a side of a comparison', async () => {
    const { page, service } = await openScreens({ routes: { 'POST /v2/monitors/': never } });
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = never;
    // The kept fetch beside a new one.
    await page.keyboard.press('C');
    await cancel(page, /^Fetching forecast [A-Z], /);
    await expect.poll(() => service.requestsTo('GET /v2/weather/').at(-1)?.isBrokenOff).toBe(true);

    await page.evaluate(() => void (location.hash = '#/monitors'));
    await page.getByRole('button', { name: 'New monitor' }).first().click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const listsBefore = service.requestsTo('GET /v2/monitors/').length;
    await cancel(page, /^Creating the monitor, /);
    await page.getByText('The service may have applied the change').waitFor();
    await expect.poll(() => service.requestsTo('POST /v2/monitors/').at(-1)?.isBrokenOff).toBe(true);
    // It may be there, so the list is read again.
    await expect.poll(() => service.requestsTo('GET /v2/monitors/').length).toBeGreaterThan(listsBefore);
  });

  it('stops waiting for a token, which core takes when the service responds', async () => {
    const { page, service } = await openScreens({ hash: '#/access' });
    const card = page.getByRole('region', { name: 'Application token' });
    await card.getByText('Valid', { exact: true }).waitFor();
    let respond: (answer: Answer) => void = () => {};
    service.routes['POST /token/'] = () => new Promise<Answer>((resolve) => (respond = resolve));
    await card.getByRole('button', { name: 'Refresh now' }).click();
    await cancel(page, /^Waiting for the service, /);
    await card.getByText('If the service responds later, the token will be updated here.').waitFor();
    expect(service.requestsTo('POST /token/').at(-1)?.isBrokenOff).not.toBe(true);
    respond({ body: { access_token: 'late', token_type: 'bearer', expires_in: 7777 } });
    await card.getByText(/^2:0\d:\d\d/).waitFor();
  });

  it('is canceled in a search that lasts', async () => {
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks', hasOwnPage: true });
    await fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{}' });
    await page.getByRole('option').first().waitFor();
    let isHeld = false;
    await page.routeWebSocket(/\/rpc$/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (!isHeld) socket.send(message);
      });
    });
    await page.reload();
    await page.getByRole('option').first().waitFor();
    isHeld = true;
    await page.getByLabel('Search the callbacks').fill('status:200');
    const searching = page.getByRole('status').filter({ hasText: /^Searching, 0 callbacks so far, / });
    await searching.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByText(/· 1 stored · Search canceled/).count()).toBe(1);
  });

  it('is canceled at the target of a resend, which the callback’s list of sends says', async () => {
    const silent = createServer(() => {});
    const port = await listen(silent);
    let ended = 0;
    silent.on('connection', (socket) => socket.once('close', () => (ended += 1)));
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
    await fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{}' });
    await page.getByRole('option').first().click();
    await page
      .getByRole('button', { name: /^Replay/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hooks/a`);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await cancel(page, /^Waiting for the response, /);
    await dialog.getByText('The target may have received the callback already.').waitFor();
    await expect.poll(() => ended).toBe(1);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Sent 1', { exact: true }).click();
    await page.getByText('The request was canceled in the app.').first().waitFor();
  });
});

async function cancel(page: Page, text: RegExp) {
  const status = page.getByRole('status').filter({ hasText: text });
  await status.getByRole('button', { name: 'Cancel' }).click();
  await status.waitFor({ state: 'detached' });
  await page.getByText('Canceled', { exact: true }).first().waitFor();
}
