// Around the windows: menu, deep links, and that closing the last window does not stop the receiver. One app serves all tests; the
// last one quits it.
import { once } from 'node:events';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashOfDeepLink } from '#core/hosting/deep-link.ts';
import { closingNotice } from '#electron/shell/tray-labels.ts';
import { atFileEnd, pressMenu, spawnRainbell, startRainbell, type Rainbell, windowCount } from './rainbell.ts';

let rainbell: Rainbell;
let page: Page;

beforeAll(async () => {
  rainbell = await startRainbell({ args: ['rainbell://monitors'] }, atFileEnd);
  page = await rainbell.firstPage();
});

const closeWindows = () =>
  rainbell.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });

describe('a deep link', () => {
  it('a deep link opens the first window on its screen', async () => {
    expect(page.url()).toContain('#/monitors');
  });

  it('a deep link opens its screen in the running window', async () => {
    await once(spawnRainbell(['--data', rainbell.dataFolder, 'rainbell://callbacks']), 'exit');
    await expect.poll(() => page.url()).toContain('#/callbacks');
    expect(await windowCount(rainbell)).toBe(1);
  });

  it.each([
    ['rainbell://monitors', '#/monitors'],
    ['rainbell://forecast?lat=45.07&lng=7.69', '#/forecast?lat=45.07&lng=7.69'],
    ['rainbell://forecast?lat=95&lng=7.69', '#/forecast?lat=95&lng=7.69'],
    ['rainbell://callbacks/21079?q=status:5xx&tab=raw', '#/callbacks/21079?q=status:5xx&tab=raw'],
    // The screens say which values they can't use.
    ['rainbell://forecast?lat=1&lng=2&x=%22%3Balert(1)', '#/forecast?lat=1&lng=2&x=%22%3Balert(1)'],
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

describe('the menu', () => {
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
});

describe('closing the last window', () => {
  it('leaves the app receiving, explains that once, and a further start opens a window again', async () => {
    const text = async () => (await page.textContent('body')) ?? '';
    await expect.poll(text).toMatch(/Receiver\s*127\.0\.0\.1:\d+/);
    const port = /Receiver\s*127\.0\.0\.1:(\d+)/.exec(await text())?.[1];
    await rainbell.evaluate(({ Notification }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      Notification.prototype.show = function show() {
        shown.push(this.title);
      };
    });
    const shown = () => rainbell.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    await closeWindows();
    await expect.poll(shown).toEqual(['Rainbell is still receiving callbacks']);
    expect((await fetch(`http://127.0.0.1:${port}/hooks/tray`, { method: 'POST', body: '{}' })).ok).toBe(true);
    const [code] = await once(spawnRainbell(['--data', rainbell.dataFolder]), 'exit');
    expect(code).toBe(0);
    await expect.poll(() => windowCount(rainbell)).toBe(1);
    await closeWindows();
    await expect.poll(() => windowCount(rainbell)).toBe(0);
    expect(await shown()).toHaveLength(1);
  });

  it('leaves the menu, which quits the app', async () => {
    await pressMenu(rainbell, `Quit ${await rainbell.evaluate(({ app }) => app.name)}`);
    expect(await rainbell.exited).toBe(0);
  });
});

describe('decisions', () => {
  it('the notice after the last window closed names ways back and out that the system has', () => {
    const onMac = closingNotice('darwin').body;
    expect(onMac).toMatch(/Dock icon.*menu bar icon/);
    expect(onMac).not.toMatch(/File menu|tray/);
    for (const platform of ['win32', 'linux'] as const) {
      const { body } = closingNotice(platform);
      // Not every Linux desktop has a tray: a further start and a window's menu always work.
      expect(body).toMatch(/Click here, use the tray icon, or start Rainbell again.*in a window’s File menu/);
      expect(body).not.toMatch(/Dock|menu bar/);
    }
  });
});
