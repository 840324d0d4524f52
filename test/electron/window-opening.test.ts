// That every window which opens becomes visible, whether or not Electron ever emits `ready-to-show` for it: under Wayland it may not.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DialogOutcome } from '#core/ports/host.ts';
import type { DialogQuestion } from './dialog-main.ts';
import { atFileEnd, isReal, pressMenu, type Rainbell, startRainbell, startSite } from './rainbell.ts';

/** How the double treats a hidden window (test/double/world.ts). */
const modes = ['never', 'late', 'normal'] as const;

type Globals = { openDialog: (question: DialogQuestion) => Promise<DialogOutcome>; stopDialog: () => void };

const useMode = (rainbell: Rainbell, mode: string) =>
  rainbell.evaluate((_electron, next) => void (process.env['RAINBELL_DOUBLE_READY_TO_SHOW'] = next), mode);
/** Of each window: its title, and how it shows. */
const windowsOf = (rainbell: Rainbell) =>
  rainbell.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({
      title: window.getTitle(),
      isVisible: window.isVisible(),
      isFocused: window.isFocused(),
      isMaximized: window.isMaximized(),
    })),
  );

describe('a window of the screens', () => {
  let rainbell: Rainbell;
  beforeAll(async () => {
    // In all other tests, `never`.
    rainbell = await startRainbell({ environment: { RAINBELL_DOUBLE_READY_TO_SHOW: 'late' } }, atFileEnd);
    await rainbell.firstPage();
  });

  it('is visible once the app says that it is open', async () => {
    expect(rainbell.output()).toContain('Rainbell is open in Electron.');
    expect(await windowsOf(rainbell)).toMatchObject([{ isVisible: true }]);
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize());
  });

  it.each(modes)('opens visible, maximized as the last one was, and focused (ready-to-show %s)', async (mode) => {
    await useMode(rainbell, mode);
    await rainbell.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.close();
    });
    await pressMenu(rainbell, 'New Window');
    await expect
      .poll(() => windowsOf(rainbell))
      .toMatchObject([{ isVisible: true, isMaximized: true, ...(!isReal && { isFocused: true }) }]);
  });
});

describe.skipIf(isReal)('a sign-in', () => {
  let rainbell: Rainbell;
  beforeAll(async () => {
    rainbell = await startRainbell({ main: 'test/electron/dialog-main.ts' }, atFileEnd);
  });
  afterEach(() => rainbell.evaluate(() => (globalThis as unknown as Globals).stopDialog()));

  /** Its page has an image that never arrives, and a button that opens a popup, which leads to a page with a password. */
  const startSignIn = () =>
    startSite((request, response) => {
      if (request.url === '/image') return;
      if (request.url === '/private') response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else {
        response.setHeader('content-type', 'text/html');
        response.end(
          '<!doctype html><img src="/image"><button onclick="window.open(`/popup`)">Sign in</button><a href="/private">Next</a>',
        );
      }
    });

  it.each(modes)('shows its window, a popup, and a prompt for a password (ready-to-show %s)', async (mode) => {
    await useMode(rainbell, mode);
    const site = await startSignIn();
    const question = { authorizationUrl: site, redirectUri: 'http://127.0.0.1:9/cb', limitMs: 300_000 };
    const outcome = rainbell.evaluate(
      (_electron, asked) => (globalThis as unknown as Globals).openDialog(asked),
      question,
    );
    await expect.poll(() => windowsOf(rainbell)).toMatchObject([{ isVisible: true }]);
    const pageOf = async (path: string) => {
      const find = () => rainbell.pages().find((page) => page.url() === `${site}${path}`);
      await expect.poll(find).toBeDefined();
      return find();
    };
    await (await pageOf('/'))?.getByRole('button', { name: 'Sign in' }).click();
    await (await pageOf('/popup'))?.getByRole('link', { name: 'Next' }).click({ noWaitAfter: true });
    await expect
      .poll(async () => (await windowsOf(rainbell)).map(({ title, isVisible }) => [title.split(' – ')[0], isVisible]))
      .toEqual([
        [new URL(site).host, true],
        [new URL(site).host, true],
        ['Sign in to 127.0.0.1', true],
      ]);
    await rainbell.evaluate(() => (globalThis as unknown as Globals).stopDialog());
    expect(await outcome).toEqual({ kind: 'closed' });
  });
});
