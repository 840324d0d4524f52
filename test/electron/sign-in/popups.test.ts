// Popups of the sign-in page, which a third party's login needs: what the app decides about them, while Electron opens them. And the
// sessions of sign-in windows.
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import type { DialogOutcome } from '#core/ports/host.ts';
import { clearUnlessPersistent, openDialogSession } from '#electron/sign-in/dialog-session.ts';
import { openOAuthWindow } from '#electron/sign-in/oauth-window.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { electron } from '#test/double/electron.ts';
import { inside, preventable } from '#test/double/inside.ts';
import { Session } from '#test/double/session.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type Window = InstanceType<typeof electron.BrowserWindow>;
const redirectUri = 'http://127.0.0.1:9/cb';
const site = 'https://signin.example';
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  const spies = [
    vi.spyOn(electron.BrowserWindow.prototype, 'loadURL').mockResolvedValue(),
    vi.spyOn(Session.prototype, 'clearStorageData').mockResolvedValue(),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    for (const window of electron.BrowserWindow.getAllWindows()) window.destroy();
  };
});

const request = {
  redirectUri,
  title: 'Sign in to Sandbox',
  limitMs: 60_000,
  browserSession: { connectionId: 'sandbox', isSaved: false, isFresh: false },
  transport: { caPem: null, proxyUrl: null },
  authorizationUrl: () => site,
};

async function start() {
  const outcomes: DialogOutcome[] = [];
  const { signal } = new AbortController();
  void openOAuthWindow({ ...request, signal }, createManualClock()).then((outcome) => outcomes.push(outcome));
  await settle();
  const [window] = electron.BrowserWindow.getAllWindows();
  if (!window) throw new Error('no window opened');
  /** As Electron does for `window.open` of a page; undefined if the app denies it. */
  const open = (url: string, from: Window = window) => {
    const response = from.webContents[inside].openHandler?.({ url, frameName: '', features: '' });
    if (response?.action !== 'allow') return undefined;
    const popup = new electron.BrowserWindow(response.overrideBrowserWindowOptions);
    from.webContents.emit('did-create-window', popup as unknown as BrowserWindow, { url });
    return popup;
  };
  /** Whether the app let the page of the window go there. */
  const go = (from: Window | undefined, event: 'will-navigate' | 'will-redirect', url: string) => {
    const asked = preventable({ url, isMainFrame: true });
    from?.webContents.emit(event, asked);
    return !asked.defaultPrevented;
  };
  return { window, open, go, outcomes };
}

it('a popup shares the session, is visible, shows its host, and its answer ends the sign-in', async () => {
  const { window, open, go, outcomes } = await start();
  const popup = open(`${site}/provider`);
  expect(popup?.webContents.session).toBe(window.webContents.session);
  expect(popup?.isVisible()).toBe(true);
  popup?.webContents.emit('did-navigate', {}, 'https://bank.example/login');
  expect(popup?.getTitle()).toBe('bank.example – Sign in to Sandbox');
  popup?.webContents.emit('page-title-updated', preventable({}), 'Sandbox');
  expect(popup?.getTitle()).toBe('bank.example – Sign in to Sandbox');
  expect(go(popup, 'will-redirect', `${redirectUri}?state=s1&code=popup`)).toBe(false);
  await settle();
  expect(outcomes).toEqual([{ kind: 'redirected', url: `${redirectUri}?state=s1&code=popup` }]);
});

it('a popup stays away from plain http beyond this machine, while the sign-in continues', async () => {
  const { open, go, outcomes } = await start();
  expect(open('http://signin.example/next')).toBeUndefined();
  const popup = open('about:blank');
  expect(go(popup, 'will-navigate', 'http://signin.example/next')).toBe(false);
  expect(go(popup, 'will-navigate', 'https://bank.example/')).toBe(true);
  await settle();
  expect(outcomes).toEqual([]);
});

it('there are at most four popups, also of popups, and one that closes makes room', async () => {
  const { open } = await start();
  const first = open(`${site}/1`);
  const second = open(`${site}/2`, first);
  expect([open(`${site}/3`, second), open(`${site}/4`)].every((popup) => popup !== undefined)).toBe(true);
  expect([open(`${site}/5`), open(`${site}/5`, second)]).toEqual([undefined, undefined]);
  second?.destroy();
  expect(open(`${site}/5`)).toBeDefined();
});

it('a session in memory, which Electron never frees, is emptied and used again', async () => {
  const browserSession = { ...request.browserSession, connectionId: 'memory' };
  const open = () => openDialogSession({ ...request, browserSession }, createManualClock());
  const stop = new AbortController();
  const given = openOAuthWindow({ ...request, browserSession, signal: stop.signal }, createManualClock());
  stop.abort();
  await given;
  const first = await open();
  expect(first).toBe(electron.session.fromPartition('oauth-memory'));
  vi.mocked(Session.prototype.clearStorageData).mockClear();
  const clearCache = vi.spyOn(first, 'clearCache').mockRejectedValue(new Error('the disk is full'));
  const clearAuthCache = vi.spyOn(first, 'clearAuthCache');
  await clearUnlessPersistent(first, browserSession);
  for (const clear of [Session.prototype.clearStorageData, clearCache, clearAuthCache])
    expect(clear).toHaveBeenCalledOnce();
  expect(await open()).toBe(first);
});
