// How the app behaves as an installed desktop program: on a Mac, and with a keyring that does not open. The double replaces the system.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { appInside, expectRefusedNotifications } from './app-inside.ts';
import { atFileEnd, isReal, type Rainbell, startRainbell, windowCount } from './rainbell.ts';

type TrayInside = {
  image: { isTemplateImage: () => boolean; isEmpty: () => boolean };
  press: () => { opened: boolean };
};
/** Run in the main process. */
type WithTrays = Record<symbol, { trays: ReadonlySet<Record<symbol, TrayInside>> }>;

describe.skipIf(isReal)('on a Mac', () => {
  const installed = { RAINBELL_DOUBLE_PACKAGED: '1', RAINBELL_DOUBLE_PLATFORM: 'darwin' };
  let rainbell: Rainbell;
  let page: Page;
  beforeAll(async () => {
    const environment = {
      ...installed,
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
    const tray = await rainbell.evaluate(({ app }) => {
      const key = Symbol.for('inside the double');
      const [icon] = (app as unknown as WithTrays)[key]!.trays;
      const { image, press } = icon![key]!;
      return { isTemplate: image.isTemplateImage(), isEmpty: image.isEmpty(), opened: press().opened };
    });
    expect(tray).toEqual({ isTemplate: true, isEmpty: false, opened: true });
    const isVisible = await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    expect(isVisible).toBe(false);
    await rainbell.evaluate(({ app }) => void app.emit('activate', {}, false));
  });

  it('becomes a login item if the user wants that', async () => {
    expect((await appInside(rainbell)).loginItem).toBeUndefined();
    await page.evaluate(() => void (location.hash = '#/settings'));
    await page.getByRole('region', { name: 'Desktop' }).getByRole('switch', { name: 'Open at login' }).click();
    await expect.poll(async () => (await appInside(rainbell)).loginItem).toMatchObject({ openAtLogin: true });
  });

  it('reports notifications that the system refuses', () =>
    expectRefusedNotifications(rainbell, page, 'Notifications are not allowed for this app'));

  it('ends with the user’s session, and the system waits for it', async () => {
    const isHeld = await rainbell.evaluate(({ powerMonitor }) => {
      let prevented = false;
      (powerMonitor as unknown as NodeJS.EventEmitter).emit('shutdown', { preventDefault: () => (prevented = true) });
      return prevented;
    });
    expect(isHeld).toBe(true);
    expect(await rainbell.exited).toBe(0);
  });

  it('starts without a window if the system opened it at login, and opens one when it is started again', async () => {
    const environment = { ...installed, RAINBELL_DOUBLE_OPENED_AT_LOGIN: '1' };
    const again = await startRainbell({ dataFolder: rainbell.dataFolder, environment });
    await expect.poll(() => again.output()).toContain('Rainbell is running in the tray.');
    expect(await windowCount(again)).toBe(0);
    await again.evaluate(({ app }) => void app.emit('second-instance', {}, [], '/', { deepLink: null }));
    await expect.poll(() => windowCount(again)).toBe(1);
  });
});

describe.skipIf(isReal)('an installed app whose keyring does not open', () => {
  let rainbell: Rainbell;
  let page: Page;
  beforeAll(async () => {
    const environment = { RAINBELL_DOUBLE_PACKAGED: '1', RAINBELL_DOUBLE_KEYRING: 'locked' };
    rainbell = await startRainbell({ environment }, atFileEnd);
    page = await rainbell.firstPage();
  });

  it('shows its window, receives, gets a token, and reports that secrets stay in memory', async () => {
    await expect.poll(() => page.textContent('body')).toMatch(/Receiver\s*127\.0\.0\.1:\d+/);
    await page
      .getByText(/Application token: \d/)
      .first()
      .waitFor();
    const notice = page.getByText(/keyring isn’t responding, so new sign-ins and secrets stay in memory/);
    await notice.waitFor();
    await expect.poll(() => notice.count()).toBe(1);
  });

  it('removes the notice once the keyring opens', async () => {
    await rainbell.evaluate(({ safeStorage }) =>
      (safeStorage as unknown as Record<symbol, { unlock: () => void }>)[Symbol.for('inside the double')]?.unlock(),
    );
    const notice = page.getByText(/keyring isn’t responding/);
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('is registered for rainbell:// and has the ID of the installed app', async () => {
    expect(await appInside(rainbell)).toMatchObject({
      protocolClients: ['rainbell'],
      userModelId: 'org.rainbell.app',
    });
  });
});
