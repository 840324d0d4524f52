// How the app behaves as an installed desktop program: on a Mac, and with a keyring that does not open. The double replaces the system.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { appInside, expectRefusedNotifications } from './app-inside.ts';
import { atFileEnd, isReal, type Rainbell, startRainbell, temporaryFolder, windowCount } from './rainbell.ts';

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
