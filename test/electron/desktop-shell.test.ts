// What desktop users expect around the screens: keys, badge, closing.
import { renameSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { appInside, expectRefusedNotifications } from './app-inside.ts';
import { atFileEnd, isReal, type Rainbell, startRainbell, windowCount } from './rainbell.ts';

const badgeOf = async (rainbell: Rainbell) => (await appInside(rainbell)).badgeCount;

/** Opens the sign-in window of the sandbox; resolves with its page once the user has signed in there and only has to allow. */
const openSignIn = async (rainbell: Rainbell): Promise<Page> => {
  const page = await rainbell.firstPage();
  await page.evaluate(() => void (location.hash = '#/access'));
  await page.getByRole('button', { name: 'Show the sandbox’s account' }).click();
  const account = page.getByRole('group', { name: 'The sandbox’s account' });
  await account.locator('code').nth(1).waitFor();
  const [username = '', password = ''] = await account.locator('code').allInnerTexts();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const found = () => rainbell.pages().find((candidate) => candidate.url().includes('/oauth/authorize'));
  await expect.poll(found).toBeDefined();
  const signInPage = found();
  if (!signInPage) throw new Error('The sign-in window closed.');
  await signInPage.getByLabel('Username or email address').fill(username);
  await signInPage.getByLabel('Password').fill(password);
  await signInPage.getByRole('button', { name: 'Sign in' }).click();
  await signInPage.getByRole('button', { name: 'Allow' }).waitFor();
  return signInPage;
};

describe.skipIf(isReal)('an app from a checkout', () => {
  let rainbell: Rainbell;
  let page: Page;
  beforeAll(async () => {
    rainbell = await startRainbell({}, atFileEnd);
    page = await rainbell.firstPage();
  });

  it('is not registered for rainbell://, and has the path of its program as its ID', async () => {
    expect(await appInside(rainbell)).toMatchObject({ protocolClients: [], userModelId: process.execPath });
  });

  it('has keys for its menu, which a page gets first', async () => {
    const zoom = () =>
      rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.zoomLevel);
    const before = (await zoom()) ?? Number.NaN;
    await page.keyboard.press('Control+=');
    await expect.poll(zoom).toBeCloseTo(before + 0.5);
    // Shift is part of the plus key.
    await page.keyboard.press('Control+Shift++');
    await expect.poll(zoom).toBeCloseTo(before + 1);
    await page.keyboard.press('Control+2');
    await expect.poll(() => page.url()).toContain('#/monitors');
    const palette = () => page.getByRole('dialog').getByRole('combobox').count();
    await page.keyboard.press('Control+k');
    await expect.poll(palette).toBe(1);
    await page.keyboard.press('Control+k');
    await expect.poll(palette).toBe(0);
  });

  it('copies, saves, and opens a file', async () => {
    const file = join(rainbell.dataFolder, 'saved');
    await rainbell.evaluate(({ app }, path) => {
      type Inside = Record<symbol, { world: { answerSaveDialog: () => string } }>;
      (app as unknown as Inside)[Symbol.for('inside the double')]!.world.answerSaveDialog = () => path;
    }, file);
    await page.evaluate(() => void (location.hash = '#/callbacks'));
    await page.getByRole('button', { name: 'Copy the receiver’s URL' }).click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    const receiver = /http:\/\/127\.0\.0\.1:\d+/.exec((await page.textContent('main')) ?? '')?.[0];
    await fetch(`${receiver}/hooks/desktop`, { method: 'POST', body: '{"both":"hosts"}' });
    await page.getByText('/hooks/desktop').first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'NDJSON' }).click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('\n');
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text.trim())).toMatchObject({ body: '{"both":"hosts"}' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('File').click()]);
    const buffer = Buffer.from(`${text}not json\n`);
    await chooser.setFiles({ name: 'again.ndjson', mimeType: 'application/x-ndjson', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('1 imported, 1 skipped').waitFor();
    await page.keyboard.press('Escape');
  });

  it('counts unread callbacks on the icon until the user looks', async () => {
    const receiver = await page.getByText(/^Receiver .*:\d+$/).textContent();
    const port = /\d+$/.exec(receiver ?? '')?.[0];
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
    await fetch(`http://127.0.0.1:${port}/badge`, { method: 'POST', body: '{"a":1}' });
    await expect.poll(() => badgeOf(rainbell)).toBe(1);
    // A click in the tray or on a notification may only make the desktop point to the window.
    const isFocused = await rainbell.evaluate(({ app, BrowserWindow }) => {
      process.env['XDG_SESSION_TYPE'] = 'wayland';
      app.emit('second-instance', {}, [], '/', { deepLink: null });
      return BrowserWindow.getFocusedWindow() !== null;
    });
    expect([isFocused, await badgeOf(rainbell)]).toEqual([false, 1]);
    await rainbell.evaluate(({ BrowserWindow }) => {
      type Inside = Record<symbol, { focus: () => void }>;
      process.env['XDG_SESSION_TYPE'] = 'x11';
      (BrowserWindow.getAllWindows()[0] as unknown as Inside)[Symbol.for('inside the double')]?.focus();
    });
    await expect.poll(() => badgeOf(rainbell)).toBe(0);
  });

  it('quits with its last window if the user chose that, after an open sign-in has ended', async () => {
    await page.evaluate(() => void (location.hash = '#/settings'));
    const desktop = page.getByRole('region', { name: 'Desktop' });
    const settings = () => readFile(join(rainbell.dataFolder, 'settings.json'), 'utf8');
    await desktop.getByRole('switch', { name: 'Keep running when the last window is closed' }).press('Space');
    await expect.poll(settings).toContain('"onLastWindowClosed": "quit"');
    expect((await stat(join(rainbell.dataFolder, 'settings.json'))).mode & 0o777).toBe(0o600);
    const signInPage = await openSignIn(rainbell);
    await rainbell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((window) => window.getTitle().endsWith('Rainbell'))
        ?.close(),
    );
    await expect.poll(() => windowCount(rainbell)).toBe(1);
    await signInPage.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    expect(await rainbell.exited).toBe(0);
    // The token was requested and stored before the app ended.
    const secrets = JSON.parse(await readFile(join(rainbell.dataFolder, 'secrets-keyring.json'), 'utf8')) as object;
    expect(Object.keys(secrets)).toContainEqual(expect.stringMatching(/user/));
    expect(await rainbell.log()).not.toMatch(/did not shut down cleanly|uncaught error/);
  });
});

describe.skipIf(isReal)('an app installed on Windows', () => {
  let rainbell: Rainbell;
  let page: Page;
  let port: string | undefined;
  beforeAll(async () => {
    const environment = {
      RAINBELL_DOUBLE_PACKAGED: '1',
      RAINBELL_DOUBLE_PLATFORM: 'win32',
      RAINBELL_DOUBLE_NOTIFICATIONS: 'unsupported',
    };
    rainbell = await startRainbell({ environment, args: ['--hidden', 'rainbell://monitors'] }, atFileEnd);
    page = await rainbell.firstPage();
    port = /\d+$/.exec((await page.getByText(/^Receiver .*:\d+$/).textContent()) ?? '')?.[0];
  });

  it('shows the screen of a link even if it starts hidden', () => {
    expect(new URL(page.url()).hash).toBe('#/monitors');
  });

  it('marks the taskbar button', async () => {
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
    await fetch(`http://127.0.0.1:${port}/badge`, { method: 'POST', body: '{}' });
    const overlay = () =>
      rainbell.evaluate(({ BrowserWindow }) => {
        type Overlay = Record<symbol, { overlay: { description: string; isEmpty: boolean } | null }>;
        const window = BrowserWindow.getAllWindows()[0] as unknown as Overlay;
        return window[Symbol.for('inside the double')]?.overlay;
      });
    await expect.poll(overlay).toEqual({ description: '1 new callback', isEmpty: false });
  });

  it('reports that the desktop has no notifications', () =>
    expectRefusedNotifications(rainbell, page, 'not supported on this desktop'));

  it('restarts if a screen requests that, here because the database is gone', async () => {
    renameSync(join(rainbell.dataFolder, 'app.sqlite'), join(rainbell.dataFolder, 'elsewhere'));
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(503);
    const relaunches = rainbell.evaluate(
      ({ app }) =>
        new Promise<number>((resolve) => {
          type Inside = Record<symbol, { relaunches: string[][] }>;
          app.once('quit', () =>
            resolve((app as unknown as Inside)[Symbol.for('inside the double')]!.relaunches.length),
          );
        }),
    );
    await page.getByRole('button', { name: 'Restart Rainbell' }).click();
    expect(await relaunches).toBe(1);
    expect(await rainbell.exited).toBe(0);
  });
});
