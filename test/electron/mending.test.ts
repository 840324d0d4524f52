// What the Electron host does around its windows when something happens: the computer wakes up, the user pauses the receiver in the
// tray or clicks a notification, a page crashes. One app serves all tests; the last one closes its window.
import { beforeAll, describe, expect, it } from 'vitest';
import { atFileEnd, isReal, startRainbell, type Rainbell, windowCount } from './rainbell.ts';

let rainbell: Rainbell;
let port: string | undefined;

beforeAll(async () => {
  rainbell = await startRainbell({}, atFileEnd);
  const page = await rainbell.firstPage();
  await page.getByText(/^Receiver .*:\d+$/).waitFor();
  port = /Receiver [\d.]*:(\d+)/.exec((await page.textContent('body')) ?? '')?.[1];
});

/** Keeps notifications and answers questions instead of showing them. */
const recordDesktop = (response: number) =>
  rainbell.evaluate(({ Notification, dialog }, answer) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    Notification.prototype.show = function show() {
      shown.push(this.title);
    };
    dialog.showMessageBox = (async (_window: object, { message }: { message: string }) => {
      shown.push(message);
      return { response: answer, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  }, response);
const shown = () => rainbell.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);

const crash = () =>
  rainbell.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // Chromium's own address for it; it works on the double as well.
    void window?.webContents.loadURL('chrome://crash').catch(() => {});
  });
const shownText = () =>
  rainbell.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window?.webContents.executeJavaScript('document.body?.innerText ?? ""') as Promise<string>;
  });

describe('a computer that wakes up', () => {
  it('is noticed, and the screens keep their data', async () => {
    const page = await rainbell.firstPage();
    const token = page.getByText(/Connected, application token: \d/).first();
    await token.waitFor();
    expect(await rainbell.evaluate(({ powerMonitor }) => powerMonitor.listenerCount('resume'))).toBe(1);
    await rainbell.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
    await token.waitFor();
  });
});

describe('the tray', () => {
  it('the tray pauses the receiver, shows that, and resumes it', async () => {
    await rainbell.evaluate(({ Menu, Tray }) => {
      const seen: { labels: string[]; click: (label: string) => void; tooltip: string }[] = [];
      Object.assign(globalThis, { seen });
      const tooltips: string[] = [];
      Tray.prototype.setToolTip = (text: string) => void tooltips.push(text);
      Tray.prototype.setContextMenu = (menu) => {
        const items = menu instanceof Menu ? menu.items : [];
        seen.push({
          tooltip: tooltips.at(-1) ?? '',
          labels: items.map(({ label }) => label),
          click: (label) => items.find((item) => item.label === label)?.click(),
        });
      };
    });
    type Seen = { seen: { labels: string[]; click: (label: string) => void; tooltip: string }[] };
    const last = () =>
      rainbell.evaluate(() => {
        const { labels = [], tooltip = '' } = (globalThis as unknown as Seen).seen.at(-1) ?? {};
        return { labels, tooltip };
      });
    const press = (wanted: string) =>
      rainbell.evaluate((_electron, label) => (globalThis as unknown as Seen).seen.at(-1)?.click(label), wanted);
    const post = async () => (await fetch(`http://127.0.0.1:${port}/hooks/x`, { method: 'POST', body: '{}' })).status;
    // With a window in front nothing is unread, and the tray would have nothing new to show.
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
    expect(await post()).toBe(200);
    await expect.poll(async () => (await last()).labels).toContain('Pause receiving (respond with 503)');
    await press('Pause receiving (respond with 503)');
    await expect.poll(async () => (await last()).tooltip).toContain('paused and responds with 503');
    expect(await post()).toBe(503);
    await press('Resume receiving');
    await expect.poll(async () => (await last()).tooltip).not.toContain('paused');
    expect(await post()).toBe(200);
  });
});

describe('a notification', () => {
  it('of an event opens a window when it is clicked, even if none is open', async () => {
    await rainbell.evaluate(({ Notification }) => {
      const notices: object[] = [];
      Object.assign(globalThis, { notices });
      Notification.prototype.show = function show() {
        notices.push(this);
      };
    });
    type Notices = { notices: { title: string; emit: (name: string, event: object) => boolean }[] };
    const title = () => rainbell.evaluate(() => (globalThis as unknown as Notices).notices.at(-1)?.title ?? '');
    // An event of the sandbox: it signs, so nothing else is one.
    const page = await rainbell.firstPage();
    await page.evaluate(() => void (location.hash = '#/monitors'));
    await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
    await page.getByRole('button', { name: /^Make it rain near precipitation_\d+/ }).click();
    await expect.poll(title).toMatch(/Precipitation near/);
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(() => windowCount(rainbell)).toBe(0);
    await rainbell.evaluate(() => (globalThis as unknown as Notices).notices.at(-1)?.emit('click', {}));
    await expect.poll(() => windowCount(rainbell)).toBe(1);
  });
});

describe.skipIf(isReal)('a page that crashes', () => {
  it('is reloaded once, with a notice, while the receiver keeps running; if it crashes again soon, a dialog asks the user', async () => {
    const isLoaded = async () => {
      await expect.poll(() => shownText().catch(() => '')).toMatch(/Receiver [\d.]*:\d+/);
    };
    await isLoaded();
    await recordDesktop(1);
    await crash();
    await expect.poll(shown).toEqual(['Rainbell’s window was reloaded']);
    expect((await fetch(`http://127.0.0.1:${port}/hooks/x`, { method: 'POST', body: '{}' })).ok).toBe(true);
    await isLoaded();
    expect(await rainbell.log()).toContain('a window’s page stopped working');

    await crash();
    await expect.poll(shown).toContain('The page in this window stopped working again.');
    await expect.poll(() => windowCount(rainbell)).toBe(0);
  });
});
