// Around the windows of a running app: links, menu, tray, notifications, the Access screen, a computer that wakes up,
// and closing. One app serves all tests; the last one quits it.
import { once } from 'node:events';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashOfDeepLink } from '#core/hosting/deep-link.ts';
import { atFileEnd, isReal, pressMenu, spawnRainbell, startRainbell, type Rainbell, windowCount } from './rainbell.ts';

let rainbell: Rainbell;
let page: Page;
let port: string | undefined;

beforeAll(async () => {
  rainbell = await startRainbell({ args: ['rainbell://monitors'] }, atFileEnd);
  page = await rainbell.firstPage();
  await page.getByText(/^Receiver .*:\d+$/).waitFor();
  port = /Receiver [\d.]*:(\d+)/.exec((await page.textContent('body')) ?? '')?.[1];
});

const post = async () => (await fetch(`http://127.0.0.1:${port}/hooks/x`, { method: 'POST', body: '{}' })).status;
const closeWindows = () =>
  rainbell.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });

type Notices = { notices: { title: string; emit: (name: string, event: object) => boolean }[] };
/** Keeps notifications instead of showing them. */
const recordNotices = () =>
  rainbell.evaluate(({ Notification }) => {
    const notices: object[] = [];
    Object.assign(globalThis, { notices });
    Notification.prototype.show = function show() {
      notices.push(this);
    };
  });
const titles = () => rainbell.evaluate(() => (globalThis as unknown as Notices).notices.map(({ title }) => title));

describe('a deep link', () => {
  it('opens the first window on its screen', () => {
    expect(page.url()).toContain('#/monitors');
  });

  it('opens its screen in the running window', async () => {
    await once(spawnRainbell(['--data', rainbell.dataFolder, 'rainbell://callbacks']), 'exit');
    await expect.poll(() => page.url()).toContain('#/callbacks');
    expect(await windowCount(rainbell)).toBe(1);
  });

  it.each([
    ['rainbell://monitors', '#/monitors'],
    ['rainbell://forecast?lat=45.07&lng=7.69', '#/forecast?lat=45.07&lng=7.69'],
    ['rainbell://callbacks/21079?q=status:5xx&tab=raw', '#/callbacks/21079?q=status:5xx&tab=raw'],
    // The screens say which values they can't use.
    ['rainbell://forecast?lat=95&lng=2&x=%22%3Balert(1)', '#/forecast?lat=95&lng=2&x=%22%3Balert(1)'],
    ['rainbell://monitors/a"><b>?q="<', '#/monitors/a%22%3E%3Cb%3E?q=%22%3C'],
    ['rainbell://MONITORS/"onload=alert(1)', undefined],
    [`rainbell://callbacks?q=${'x'.repeat(9000)}`, undefined],
    ['rainbell://127.0.0.1:4545/', undefined],
    ['https://monitors', undefined],
    ['rainbell:', undefined],
  ])('%s means %s', (link, hash) => {
    expect(hashOfDeepLink(link)).toBe(hash);
  });
});

it('the menu runs commands of the app’s table and opens the help', async () => {
  await pressMenu(rainbell, 'Show keyboard shortcuts');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Ctrl+1').or(sheet.getByText('Go to Monitors')).first().waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await pressMenu(rainbell, `About ${await rainbell.evaluate(({ app }) => app.name)}`);
  await page.getByRole('heading', { name: 'About Rainbell' }).waitFor();
  const node = await rainbell.evaluate(() => process.versions.node);
  await page.getByText(node, { exact: true }).waitFor();
  await pressMenu(rainbell, 'Report a Problem…');
  await page.getByRole('heading', { name: 'Report a problem' }).waitFor();
  await expect.poll(() => page.url()).toContain('#/help/data');
  await pressMenu(rainbell, 'New monitor');
  await page.getByRole('dialog', { name: /new monitor/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('the user keeps or deletes the browser session, and signs in as someone else (docs/tokens.md T6)', async () => {
  await page
    .getByText(/Application token: \d/)
    .first()
    .waitFor();
  await page.evaluate(() => void (location.hash = '#/access'));
  const keep = page.getByRole('switch', { name: 'The sign-in window stays signed in to the service' });
  await keep.waitFor();
  await expect.poll(() => keep.isChecked()).toBe(false);
  await expect.poll(() => page.getByRole('button', { name: 'Sign in as someone else' }).count()).toBe(0);
  await keep.click();
  await page.getByRole('button', { name: 'Sign in as someone else' }).waitFor();
  await page.getByRole('button', { name: 'Delete browser session' }).click();
  await page.getByText('Browser session deleted').waitFor();
  await expect.poll(() => keep.isChecked()).toBe(true);
  await keep.click();
  await page.getByText('Its cookies and site data are deleted when it closes.').waitFor();
});

it('a computer that wakes up is noticed, and the screens keep their data', async () => {
  expect(await rainbell.evaluate(({ powerMonitor }) => powerMonitor.listenerCount('resume'))).toBe(1);
  await rainbell.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await page
    .getByText(/Application token: \d/)
    .first()
    .waitFor();
});

it('gives title bars, dialogs, and window backgrounds the theme of the screens', async () => {
  const native = () =>
    rainbell.evaluate(({ BrowserWindow, nativeTheme }) => ({
      source: nativeTheme.themeSource,
      // What shows before a page is painted, and while a window is resized.
      background: BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase(),
    }));
  expect(await native()).toMatchObject({ source: 'system' });
  await page.evaluate(() => void (location.hash = '#/settings'));
  await page.getByText('Dark', { exact: true }).first().click();
  await expect.poll(native).toEqual({ source: 'dark', background: '#0f141b' });
  await page.getByText('Light', { exact: true }).first().click();
  await expect.poll(native).toEqual({ source: 'light', background: '#f6f8fb' });
});

it('closing the last window leaves the app receiving, explains that once; a notification or another start opens a window as it was', async () => {
  await recordNotices();
  // An event of the sandbox: it signs, so nothing else is one.
  await page.evaluate(() => void (location.hash = '#/monitors'));
  await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
  await page.getByRole('button', { name: /^Make it rain near precipitation_\d+/ }).click();
  await expect.poll(async () => (await titles())[0]).toMatch(/Precipitation near/);
  await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize());
  await closeWindows();
  const explanations = async () =>
    (await titles()).filter((title) => title === 'Rainbell is still receiving callbacks').length;
  await expect.poll(explanations).toBe(1);
  expect([await windowCount(rainbell), await post()]).toEqual([0, 200]);

  await rainbell.evaluate(() => (globalThis as unknown as Notices).notices[0]?.emit('click', {}));
  const windows = () =>
    rainbell.evaluate(
      ({ BrowserWindow }, mayLackFocus) =>
        BrowserWindow.getAllWindows().map((window) => [
          window.isVisible(),
          window.isMaximized(),
          mayLackFocus || window.isFocused(),
        ]),
      // While the real app is tested, another program may have the focus.
      isReal,
    );
  await expect.poll(windows).toEqual([[true, true, true]]);

  await closeWindows();
  await expect.poll(() => windowCount(rainbell)).toBe(0);
  expect(await explanations()).toBe(1);
  const [code] = await once(spawnRainbell(['--data', rainbell.dataFolder]), 'exit');
  expect(code).toBe(0);
  await expect.poll(() => windowCount(rainbell)).toBe(1);
});

it.skipIf(!isReal)('the menu without a window quits the app', async () => {
  await pressMenu(rainbell, `Quit ${await rainbell.evaluate(({ app }) => app.name)}`);
  expect(await rainbell.exited).toBe(0);
});

it.skipIf(isReal)('while the menu quits the app, the tray shows that, and a launch opens nothing', async () => {
  const ending = rainbell.evaluate(({ app, BrowserWindow }) => {
    type Tray = Record<symbol, { menu: { items: { label: string }[] } | null }>;
    type Inside = { trays: ReadonlySet<Tray> };
    const key = Symbol.for('inside the double');
    const { trays } = (app as unknown as Record<symbol, Inside>)[key]!;
    const seen = { labels: [] as string[], windows: -1, problem: '' };
    return new Promise<typeof seen>((resolve) => {
      app.once('will-quit', () =>
        setImmediate(() => {
          const [tray] = trays;
          seen.labels = tray?.[key]?.menu?.items.map(({ label }) => label) ?? [];
          app.emit('second-instance', {}, [], '/', { deepLink: 'rainbell://traffic' });
          seen.windows = BrowserWindow.getAllWindows().length;
        }),
      );
      app.once('quit', () => {
        // The tray icon is destroyed by now.
        try {
          app.emit('browser-window-focus', {}, {});
        } catch (error) {
          seen.problem = String(error);
        }
        resolve(seen);
      });
    });
  });
  await pressMenu(rainbell, 'Quit Rainbell');
  const seen = await ending;
  expect(seen).toEqual({ labels: ['Closing…'], windows: 0, problem: '' });
  expect(await rainbell.exited).toBe(0);
});
