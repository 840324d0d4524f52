// How the app behaves as a desktop program: on a Mac, installed, with a keyring that does not open, after uncaught errors, and when it
// quits. The double replaces the system.
import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { atFileEnd, isReal, type Rainbell, startRainbell, temporaryFolder, windowCount } from './rainbell.ts';

type Desktop = { notifications: 'shown' | 'failed' | 'unsupported' };
type TrayInside = {
  image: { isTemplateImage: () => boolean; isEmpty: () => boolean };
  tooltip: string;
  menu: { items: { label: string }[] } | null;
  press: () => { opened: boolean };
};
type Inside = {
  desktop: Desktop;
  trays: ReadonlySet<Record<symbol, TrayInside>>;
  protocolClients: string[];
  userModelId: string | undefined;
  relaunches: string[][];
};
/** Run in the main process. */
type WithInside = Record<symbol, Inside>;

const appInside = (rainbell: Rainbell) =>
  rainbell.evaluate(({ app }) => {
    const { protocolClients, userModelId, relaunches } = (app as unknown as WithInside)[
      Symbol.for('inside the double')
    ]!;
    return { protocolClients, userModelId, relaunches };
  });
const trayOf = (rainbell: Rainbell, isPressed: boolean) =>
  rainbell.evaluate(({ app }, press) => {
    const key = Symbol.for('inside the double');
    const [tray] = (app as unknown as WithInside)[key]!.trays;
    const { image, tooltip, menu } = tray![key]!;
    return {
      isTemplate: image.isTemplateImage(),
      isEmpty: image.isEmpty(),
      tooltip,
      labels: menu?.items.map(({ label }) => label) ?? [],
      opened: press && tray![key]!.press().opened,
    };
  }, isPressed);

describe.skipIf(isReal)('on a Mac', () => {
  let rainbell: Rainbell;
  let page: Page;
  beforeAll(async () => {
    const environment = {
      RAINBELL_DOUBLE_PLATFORM: 'darwin',
      RAINBELL_DOUBLE_OPEN_URL: 'rainbell://monitors',
      RAINBELL_DOUBLE_NOTIFICATIONS: 'failed',
    };
    rainbell = await startRainbell({ environment }, atFileEnd);
    page = await rainbell.firstPage();
  });

  it('shows the screen of the link that started it', async () => {
    expect(page.url()).toContain('#/monitors');
  });

  it('shows the screen of a link while it runs', async () => {
    const isTaken = await rainbell.evaluate(({ app }) => {
      let prevented = false;
      app.emit('open-url', { preventDefault: () => (prevented = true) }, 'rainbell://callbacks');
      return prevented;
    });
    expect(isTaken).toBe(true);
    await expect.poll(() => page.url()).toContain('#/callbacks');
    expect(await windowCount(rainbell)).toBe(1);
  });

  it('opens the palette once, although the menu has its key as well', async () => {
    const palette = () => page.getByRole('dialog').getByRole('combobox').count();
    await page.keyboard.press('Meta+k');
    await expect.poll(palette).toBe(1);
    await page.keyboard.press('Meta+k');
    await expect.poll(palette).toBe(0);
  });

  it('has a template image in the menu bar; clicking it opens the menu and doesn’t open a window over it', async () => {
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    expect(await trayOf(rainbell, true)).toMatchObject({ isTemplate: true, isEmpty: false, opened: true });
    const isVisible = await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    expect(isVisible).toBe(false);
    await rainbell.evaluate(({ app }) => void app.emit('activate', {}, false));
  });

  it('reports refused notifications once on the screens, and logs them', async () => {
    await expect.poll(() => page.getByText('The system isn’t showing Rainbell’s notifications').count()).toBe(0);
    await rainbell.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.close();
    });
    await expect.poll(() => rainbell.log()).toContain('a notification could not be shown');
    await rainbell.evaluate(({ app }) => void app.emit('activate', {}, false));
    await expect.poll(() => windowCount(rainbell)).toBe(1);
    // The closed window's page may still be listed.
    const found = () => rainbell.pages().find((candidate) => candidate !== page);
    await expect.poll(found).toBeDefined();
    const again = found();
    await again?.getByText('The system isn’t showing Rainbell’s notifications').waitFor();
    await expect.poll(() => again?.getByText('The system isn’t showing Rainbell’s notifications').count()).toBe(1);
  });

  it('ends with the user’s session, and the system waits for it', async () => {
    const isHeld = await rainbell.evaluate(({ powerMonitor }) => {
      let prevented = false;
      (powerMonitor as unknown as NodeJS.EventEmitter).emit('shutdown', { preventDefault: () => (prevented = true) });
      return prevented;
    });
    expect(isHeld).toBe(true);
    expect(await rainbell.exited).toBe(0);
  });
});

/** In the status bar; its group is the port. */
const receiverText = /Receiver\s*127\.0\.0\.1:(\d+)/;

/** The fingerprint of the certificate authority that the receiver's dialog shows, once HTTPS is on; it closes again. */
async function authorityShown(page: Page, change?: () => Promise<void>): Promise<string> {
  await page.evaluate(() => void (location.hash = '#/callbacks'));
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Receiver settings…' }).click();
  await change?.();
  const shown = await page.getByText('SHA-256 of the CA certificate').textContent();
  await page.keyboard.press('Escape');
  await page.getByText('SHA-256 of the CA certificate').waitFor({ state: 'detached' });
  return shown ?? '';
}

describe.skipIf(isReal)('an installed app whose keyring does not open', () => {
  let rainbell: Rainbell;
  let page: Page;
  let trusted: string;
  beforeAll(async () => {
    const earlier = await startRainbell({ dataFolder: await temporaryFolder(atFileEnd) }, atFileEnd);
    const earlierPage = await earlier.firstPage();
    trusted = await authorityShown(earlierPage, () =>
      earlierPage.getByLabel('HTTPS, with a generated certificate').click(),
    );
    await earlier.quit();
    const environment = { RAINBELL_DOUBLE_PACKAGED: '1', RAINBELL_DOUBLE_KEYRING: 'locked' };
    rainbell = await startRainbell({ dataFolder: earlier.dataFolder, environment }, atFileEnd);
    page = await rainbell.firstPage();
  });

  it('shows its window, receives, gets a token, and reports that secrets stay in memory', async () => {
    await expect.poll(() => page.textContent('body')).toMatch(receiverText);
    await page
      .getByText(/Connected, application token: \d/)
      .first()
      .waitFor();
    const notice = page.getByText(/keyring isn’t responding, so new sign-ins and secrets stay in memory/);
    await notice.waitFor();
    await expect.poll(() => notice.count()).toBe(1);
  });

  it('replaces the stored certificate authority for the time being', async () => {
    expect(await authorityShown(page, () => page.getByText(/Rainbell uses this temporary one/).waitFor())).not.toBe(
      trusted,
    );
  });

  it('removes the notice once the keyring opens', async () => {
    await rainbell.evaluate(({ safeStorage }) =>
      (safeStorage as unknown as Record<symbol, { unlock: () => void }>)[Symbol.for('inside the double')]?.unlock(),
    );
    const notice = page.getByText(/keyring isn’t responding/);
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('uses the stored certificate authority again once the keyring opens', async () => {
    await expect.poll(() => authorityShown(page)).toBe(trusted);
  });

  it('is registered for rainbell:// and has the ID of the installed app', async () => {
    expect(await appInside(rainbell)).toMatchObject({
      protocolClients: ['rainbell'],
      userModelId: 'org.rainbell.app',
    });
  });
});

it.skipIf(isReal)('an app whose keyring was denied says so, and restarts if a screen requests that', async () => {
  const rainbell = await startRainbell({ environment: { RAINBELL_DOUBLE_KEYRING: 'denied' } });
  const page = await rainbell.firstPage();
  await page.getByText(/keyring refused to encrypt the data, so new sign-ins and secrets stay in memory/).waitFor();
  await expect.poll(() => page.textContent('body')).toMatch(receiverText);
  renameSync(join(rainbell.dataFolder, 'app.sqlite'), join(rainbell.dataFolder, 'elsewhere'));
  const receiver = receiverText.exec((await page.textContent('body')) ?? '')?.[1];
  expect((await fetch(`http://127.0.0.1:${receiver}/`, { method: 'POST', body: '{}' })).status).toBe(503);
  const relaunches = rainbell.evaluate(
    ({ app }) =>
      new Promise<number>((resolve) => {
        const key = Symbol.for('inside the double');
        app.once('quit', () => resolve((app as unknown as WithInside)[key]!.relaunches.length));
      }),
  );
  await page.getByRole('button', { name: 'Restart Rainbell' }).click();
  expect(await relaunches).toBe(1);
  expect(await rainbell.exited).toBe(0);
});

describe('an app from a checkout', () => {
  let rainbell: Rainbell;
  let page: Page;
  beforeAll(async () => {
    rainbell = await startRainbell({}, atFileEnd);
    page = await rainbell.firstPage();
  });

  it.skipIf(isReal)('is not registered for rainbell://, and has the path of its program as its ID', async () => {
    expect(await appInside(rainbell)).toMatchObject({ protocolClients: [], userModelId: process.execPath });
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

  it('survives a window that is destroyed right after it moved', async () => {
    const bounds = { x: 310, y: 210, width: 910, height: 710 };
    await rainbell.evaluate(({ BrowserWindow, Menu }, place) => {
      const [first] = BrowserWindow.getAllWindows();
      const items = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
      items.find(({ label }) => label === 'New Window')?.click();
      const opened = BrowserWindow.getAllWindows().find((window) => window !== first);
      opened?.setBounds({ x: 300, y: 200, width: 900, height: 700 });
      opened?.destroy();
      first?.setBounds(place);
    }, bounds);
    // The place of the first window is written after the time at which that of the destroyed one would have been.
    const place = join(rainbell.dataFolder, 'electron', 'window.json');
    await expect.poll(() => readFile(place, 'utf8').catch(() => '')).toContain('910');
    expect(await rainbell.log()).not.toContain('Object has been destroyed');
  });

  it.skipIf(isReal)(
    'remembers a launch that arrives while it is closing, and shows in the tray that it is closing',
    async () => {
      await expect.poll(() => page.textContent('body')).toMatch(receiverText);
      const ending = rainbell.evaluate(async ({ app, BrowserWindow }) => {
        const key = Symbol.for('inside the double');
        const inside = (app as unknown as WithInside)[key]!;
        const seen = { labels: [] as string[], relaunches: inside.relaunches, windows: -1, problem: '' };
        return new Promise<typeof seen>((resolve) => {
          app.once('will-quit', () =>
            setImmediate(() => {
              const [tray] = inside.trays;
              seen.labels = tray![key]!.menu?.items.map(({ label }) => label) ?? [];
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
          app.quit();
        });
      });
      const seen = await ending;
      expect(seen).toMatchObject({ labels: ['Closing…'], windows: 0, problem: '' });
      expect(seen.relaunches).toHaveLength(1);
      expect(seen.relaunches[0]?.at(-1)).toBe('rainbell://traffic');
      expect(seen.relaunches[0]).toContain(rainbell.dataFolder);
      expect(await rainbell.exited).toBe(0);
    },
  );
});
