// What strangers send to the receiver, and what a service answers, opened in a real Chromium: the page stays usable, shows what is really
// there, and keeps every byte. Limits are of work (elements, CPU of the page's main thread), not of time, so a busy machine changes
// nothing.
import { Socket } from 'node:net';
import type { Page } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openScreens, type Screens } from '../screen-harness.ts';
import { hostileBodies } from './hostile-bodies.ts';

/** A click costs some 100 ms of the main thread's CPU; the worst of these bodies used to cost 16 s, or the page. */
const mostCpuMs = 1_500;
const mostElements = 8_000;

async function openCallbacks(
  options: { hasOwnPage?: boolean } = {},
): Promise<Screens & { baseUrl: string; workers: string[] }> {
  const screens = await openScreens({ hash: '#/callbacks', ...options });
  const workers: string[] = [];
  screens.page.on('worker', (worker) => void workers.push(worker.url()));
  screens.page.on('crash', () => screens.complaints.push('The page crashed.'));
  await screens.page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  return { ...screens, workers, baseUrl: await screens.receiverUrl() };
}

/** CPU that the page's main thread spends on tasks while `run` goes on. */
async function cpuOf(page: Page, run: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ??
    Number.NaN;
  const before = await spent();
  await run();
  const after = await spent();
  await session.detach();
  return (after - before) * 1000;
}

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);
const detail = (page: Page) => page.getByRole('region', { name: 'Callback', exact: true });
const body = (page: Page) => page.getByRole('region', { name: 'Body', exact: true });

/** What a button puts on the clipboard. */
async function copiedBy(page: Page, label: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function post(
  baseUrl: string,
  name: string,
  { headers, bytes }: { headers: Record<string, string>; bytes: Buffer },
) {
  const answer = await fetch(`${baseUrl}/hooks/${name}`, { method: 'POST', headers, body: new Uint8Array(bytes) });
  expect(answer.status).toBe(200);
}

describe('a callback of a stranger', () => {
  it('is opened within a budget, whatever its body, and the screen stays usable', async () => {
    const { page, baseUrl, complaints, workers } = await openCallbacks();
    const bodies = hostileBodies();
    for (const [name, hostile] of Object.entries(bodies)) await post(baseUrl, name, hostile);
    await page.getByText(`${Object.keys(bodies).length} stored`).waitFor();
    for (const [name, { shows, bytes }] of Object.entries(bodies)) {
      const before = workers.length;
      const cpu = await cpuOf(page, async () => {
        await page
          .getByRole('option')
          .filter({ hasText: `/hooks/${name}` })
          .first()
          .click();
        await detail(page)
          .getByRole('heading', { name: `/hooks/${name}` })
          .waitFor();
        await detail(page).getByText(shows).first().waitFor();
      });
      expect.soft(cpu, `CPU of ${name}`).toBeLessThan(mostCpuMs);
      expect.soft(await elements(page), `elements of ${name}`).toBeLessThan(mostElements);
      expect.soft(workers.length > before, `a worker for ${name}`).toBe(bytes.length > 12_000);
    }
    expect(complaints).toEqual([]);
  });

  it('is shown to its end by "Show more" and scrolling, and copied to the letter', async () => {
    const { page, baseUrl } = await openCallbacks();
    const text = JSON.stringify(Array.from({ length: 7_000 }, (_, index) => ({ index })));
    await post(baseUrl, 'wide', { headers: { 'content-type': 'application/json' }, bytes: Buffer.from(text) });
    await page.getByRole('option').first().click();
    await page.getByText('Showing the first 5,000 lines.').waitFor();
    for (const lines of ['10,000', '15,000', '20,000']) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText(`Showing the first ${lines} lines.`).waitFor();
    }
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    await body(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await body(page).getByText('6999').waitFor();
    expect(await elements(page)).toBeLessThan(mostElements);
    expect(await copiedBy(page, 'Copy the body')).toBe(text);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Edit first', { exact: true }).click();
    await page.getByText(/^The body \([\d.]+ kB\) is too large to edit here/).waitFor();
  });

  it('shows hidden and reordering characters as escapes in list, headers, body, tree, and raw request', async () => {
    const { page, baseUrl } = await openCallbacks();
    const text = '{"id":"\u202Ex","file":"annex\u202Etxt.exe","zero":"a\u200Bb"}';
    await post(baseUrl, 'bidi', {
      headers: {
        'content-type': 'application/json',
        'rainbell-event': '1',
        'x-name': Buffer.from('\u202Eevil').toString('latin1'),
      },
      bytes: Buffer.from(text),
    });
    await page.getByRole('option').first().click();
    await page.getByRole('option').getByText('\\u202Ex').waitFor();
    await body(page).getByText('"annex\\u202Etxt.exe"').waitFor();
    await body(page).getByText('"a\\u200Bb"').waitFor();
    await page.getByText(/^Headers \d+$/).click();
    await page.getByRole('table').getByText('evil').waitFor();
    await page.getByText('Body', { exact: true }).click();
    expect(await page.locator('body').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
    await page.getByText('Tree', { exact: true }).click();
    await page.getByRole('region', { name: 'Body as a tree' }).getByText('"annex\\u202Etxt.exe"').waitFor();
    await page.getByText('Raw', { exact: true }).click();
    await page.getByRole('region', { name: 'Raw request' }).getByText('annex\\u202Etxt.exe').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
    expect(await copiedBy(page, 'Copy the request')).toContain(text);
  });

  it('with a long path and 2,000 headers keeps list and detail small, and all headers can be copied', async () => {
    const { page, baseUrl } = await openCallbacks();
    const head = [
      `POST /hooks/long?${'q'.repeat(2_500)} HTTP/1.1`,
      'host: x',
      'content-length: 0',
      'connection: close',
      ...Array.from({ length: 2_000 }, (_, index) => `${index.toString(36)}:1`),
    ];
    const socket = new Socket();
    onTestFinished(() => void socket.destroy());
    socket.connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.end(`${head.join('\r\n')}\r\n\r\n`);
    const option = page.getByRole('option').first();
    await option.click();
    expect((await option.innerText()).length).toBeLessThan(1_000);
    await page.getByRole('button', { name: /^Show more \(2,\d+ characters\)/ }).click();
    await page.getByRole('button', { name: /^Show more/ }).waitFor({ state: 'detached' });
    await page.getByText('Headers 2003', { exact: true }).click();
    await page.getByRole('table', { name: 'Headers' }).getByText('0', { exact: true }).first().waitFor();
    expect(await elements(page)).toBeLessThan(2_000);
    const copied = (await copiedBy(page, 'Copy: headers')).split('\n');
    expect(copied).toHaveLength(2_003);
    expect(copied.at(-1)).toBe('1jj: 1');
  });

  it('is compared with another of 700 kB, of which all between the common ends is shown as replaced', async () => {
    const { page, baseUrl, workers } = await openCallbacks();
    const items = Array.from({ length: 9_000 }, (_, index) => ({
      id: `precipitation_${index}`,
      at: 1_763_000_000 + index,
      note: 'rain',
    }));
    const headers = { 'content-type': 'application/json' };
    await post(baseUrl, 'older', { headers, bytes: Buffer.from(JSON.stringify(items)) });
    const changed = items.map((item, index) => (index % 3 === 0 ? { ...item, at: item.at + 1_000_000 } : item));
    await post(baseUrl, 'newer', { headers, bytes: Buffer.from(JSON.stringify(changed)) });
    await page.getByText('2 stored').waitFor();
    await page.getByRole('listbox').focus();
    for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
    const before = workers.length;
    const cpu = await cpuOf(page, async () => {
      await page.getByRole('toolbar', { name: 'Selected callbacks' }).getByRole('button', { name: 'Compare' }).click();
      // Each body has 45,002 lines: the first 3 are equal, and the last 13. The request line differs, too.
      await page.getByText('89,974 lines differ.').waitFor();
    });
    expect(cpu).toBeLessThan(mostCpuMs);
    expect(workers.length).toBeGreaterThan(before);
    const differences = page.getByRole('region', { name: 'Differences' });
    await page.getByText('Too many differences to compare every line').waitFor();
    await differences.getByText('1763000000').waitFor();
    const copied = (await copiedBy(page, 'Copy the differences')).split('\n');
    expect(copied.filter((line) => line.startsWith('- '))).toContain('-     "at": 1763000000,');
    expect(await elements(page)).toBeLessThan(mostElements);
  });

  it('whose layout does not end is shown as received after the deadline, and the page goes on', async () => {
    const { page, baseUrl } = await openCallbacks({ hasOwnPage: true });
    await page.route(/viewer-worker/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'addEventListener("message", () => { for (;;) {} })' }),
    );
    await page.clock.install();
    await post(baseUrl, 'endless', {
      headers: { 'content-type': 'text/plain' },
      bytes: Buffer.from('x'.repeat(50_000)),
    });
    const ended: string[] = [];
    const asked = new Promise<void>((resolve) =>
      page.once('worker', (worker) => {
        worker.once('close', () => ended.push(worker.url()));
        resolve();
      }),
    );
    await page.getByRole('option').first().click();
    await asked;
    await page.clock.fastForward(8_000);
    await page.getByRole('alert').getByText('Couldn’t format this text within 8 s').waitFor();
    await expect.poll(() => ended).toHaveLength(1);
    await page.getByText(/^Headers \d+$/).click();
    expect(await page.getByRole('table').innerText()).toContain('content-type');
  });
});

describe('an answer of a service', () => {
  it('of 40 kB of nested lists is opened in Traffic', async () => {
    const nested = `{"objects":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { page, complaints } = await openScreens({
      routes: { 'GET /v2/weather/': () => ({ body: nested, headers: { 'content-type': 'application/json' } }) },
      hash: '#/traffic',
    });
    page.on('crash', () => complaints.push('The page crashed.'));
    const exchange = page.getByRole('option').filter({ hasText: '/v2/weather/' }).first();
    const cpu = await cpuOf(page, async () => {
      await exchange.click();
      await page.getByText('Too deep to show: levels beyond 200 are folded').waitFor();
    });
    expect(cpu).toBeLessThan(mostCpuMs);
    expect(await elements(page)).toBeLessThan(mostElements);
    expect(complaints).toEqual([]);
  });

  it('with hidden characters and piled marks shows them as escapes in the forecast’s inspector', async () => {
    const { page } = await openScreens({
      weather: {
        change: (point, index) => (index === 2 ? { odd: `\u202Eevil${'\u0301'.repeat(50_000)}`, ...point } : point),
      },
    });
    const slider = page.getByRole('slider');
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.getByRole('button', { name: 'More JSON actions' }).click();
    await page.getByRole('button', { name: 'Show as received' }).click();
    const response = page.getByRole('region', { name: 'The response as received' });
    await response.getByText('\\u202Eevil').first().waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    await page.getByRole('button', { name: 'More JSON actions' }).click();
    await page.getByRole('button', { name: 'Show formatted' }).click();
    await slider.focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.getByRole('region', { name: 'The response as JSON' }).getByText('\\u202Eevil').first().waitFor();
    expect(await elements(page)).toBeLessThan(mostElements);
  });
});
