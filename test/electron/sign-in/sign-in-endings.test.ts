// How a sign-in in the app's window ends, and what its window and popups may load meanwhile, step by step.
import type { DialogOutcome, DialogRequest } from '#core/ports/host.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openOAuthWindow } from '#electron/sign-in/oauth-window.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { electron } from '#test/double/electron.ts';
import { inside, preventable } from '#test/double/inside.ts';
import { Session } from '#test/double/session.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type Window = InstanceType<typeof electron.BrowserWindow>;
const windowsOf = () => electron.BrowserWindow.getAllWindows();
const settle = () => new Promise((resolve) => setImmediate(resolve));

let loaded: string[];
beforeEach(() => {
  loaded = [];
  const spies = [
    vi.spyOn(electron.BrowserWindow.prototype, 'loadURL').mockImplementation((url) => {
      loaded.push(url);
      return new Promise(() => {});
    }),
    // The double's own waits for Chromium.
    vi.spyOn(Session.prototype, 'clearStorageData').mockImplementation(async function (this: Session) {
      this[inside].cleared.push('storage');
    }),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    for (const window of windowsOf()) window.destroy();
  };
});

const redirectUri = 'http://127.0.0.1:9/cb';
const answer = `${redirectUri}?state=s1&code=c1`;
let lastConnection = 0;

function open(changes: Partial<DialogRequest> = {}) {
  const clock = createManualClock();
  const stop = new AbortController();
  const connectionId = `endings-${(lastConnection += 1)}`;
  const request: DialogRequest = {
    redirectUri,
    authorizationUrl: (redirect) => `https://signin.example/authorize?redirect_uri=${redirect}`,
    title: 'Sign in to Sandbox',
    limitMs: 300_000,
    signal: stop.signal,
    transport: { caPem: null, proxyUrl: null },
    browserSession: { connectionId, isSaved: false, isFresh: false },
    ...changes,
  };
  let outcome: DialogOutcome | undefined;
  const ended = openOAuthWindow(request, clock).then((result) => (outcome = result));
  const session = () => electron.session.fromPartition(`oauth-${request.browserSession.connectionId}-0`);
  return { clock, stop, request, ended, outcome: () => outcome, session };
}

async function opened(changes: Partial<DialogRequest> = {}) {
  const dialog = open(changes);
  await settle();
  const window = windowsOf().at(-1);
  if (!window) throw new Error('no window opened');
  return { ...dialog, window };
}

/** Whether the page was kept from the URL. */
function go(window: Window, event: 'will-navigate' | 'will-redirect', url: string, isMainFrame = true): boolean {
  const asked = preventable({ url, isMainFrame });
  window.webContents.emit(event, asked);
  return asked.defaultPrevented;
}

describe('the window', () => {
  it('opens the service’s page isolated, in the connection’s session', async () => {
    const { window, session } = await opened();
    expect(loaded).toEqual([`https://signin.example/authorize?redirect_uri=${redirectUri}`]);
    expect(window[inside].options).toMatchObject({
      title: 'Sign in to Sandbox',
      width: 520,
      height: 720,
      show: false,
      webPreferences: { sandbox: true, contextIsolation: true, spellcheck: false },
    });
    expect(window.webContents.session).toBe(session());
  });

  it('shows the host of its page in the title, and not what the page calls itself', async () => {
    const { window } = await opened();
    window.webContents.emit('did-navigate', {}, 'https://login.example:8443/a?b');
    window.webContents.emit('did-navigate', {}, 'no URL');
    window.webContents.emit('page-title-updated', preventable({}), 'Your bank');
    expect(window.getTitle()).toBe('login.example:8443 – Sign in to Sandbox');
  });

  it('has developer tools, a context menu, and dialogs for certificates and passwords', async () => {
    const { window } = await opened();
    const { webContents } = window;
    webContents.emit('before-input-event', preventable({}), { type: 'keyDown', code: 'F12' });
    expect(webContents.isDevToolsOpened()).toBe(true);
    const editFlags = {};
    electron.app[inside].contextMenu = undefined;
    const link = { linkURL: 'https://a.example/', misspelledWord: '', selectionText: '', editFlags };
    webContents.emit('context-menu', {}, link);
    const menu = electron.app[inside].contextMenu as InstanceType<typeof electron.Menu> | undefined;
    expect(menu?.items.map(({ label }) => label)).not.toContain('Open link in browser');
    expect(menu?.items.map(({ label }) => label)).toContain('Inspect');
    const dialog = vi.spyOn(electron.dialog, 'showMessageBox').mockReturnValue(new Promise(() => {}));
    const asked = preventable({});
    webContents.emit('select-client-certificate', asked, 'https://a.example/', [], () => {});
    expect([asked.defaultPrevented, dialog.mock.calls.length]).toEqual([true, 1]);
    dialog.mockRestore();
    const login = preventable({});
    webContents.emit('login', login, {}, { host: 'a.example', port: 443, isProxy: false }, () => {});
    expect([login.defaultPrevented, windowsOf().length]).toEqual([true, 2]);
  });
});

describe('a sign-in ends', () => {
  it.each(['will-redirect', 'will-navigate'] as const)(
    'with the redirect (%s), from which nothing loads',
    async (event) => {
      const { window, ended, session } = await opened();
      expect(go(window, event, 'https://signin.example/next')).toBe(false);
      expect(go(window, event, answer)).toBe(true);
      expect(await ended).toEqual({ kind: 'redirected', url: answer });
      expect(windowsOf()).toEqual([]);
      expect(session()[inside].cleared.toSorted()).toEqual(['auth', 'cache', 'storage']);
    },
  );

  it('not with the redirect of a frame', async () => {
    const { window, outcome } = await opened();
    expect(go(window, 'will-redirect', answer, false)).toBe(false);
    await settle();
    expect(outcome()).toBeUndefined();
  });

  it.each(['will-redirect', 'will-navigate'] as const)(
    'if the page leads (%s) to plain http beyond this computer',
    async (event) => {
      const { window, ended } = await opened();
      expect(go(window, event, 'http://signin.example:81/next?secret')).toBe(true);
      expect(await ended).toEqual({
        kind: 'failed',
        message: expect.stringMatching(/^Rainbell blocked http:\/\/signin\.example:81: .*only https URLs/),
      });
    },
  );

  it.each([
    ['http://signin.example/authorize', 'Rainbell blocked http://signin.example:'],
    ['signin.example', 'Rainbell blocked an invalid URL:'],
  ])('before it begins if its URL is %s', async (address, message) => {
    const { ended } = open({ authorizationUrl: () => address });
    expect(await ended).toEqual({ kind: 'failed', message: expect.stringContaining(message) });
    expect([windowsOf(), loaded]).toEqual([[], []]);
  });

  it('when the user closes the window', async () => {
    const { window, ended, clock } = await opened();
    window.close();
    expect(await ended).toEqual({ kind: 'closed' });
    clock.advance(300_000);
  });

  it('when core gives up, before, during, and after the window opens', async () => {
    const before = new AbortController();
    before.abort();
    const first = open({ signal: before.signal });
    expect(await first.ended).toEqual({ kind: 'closed' });
    const during = open();
    during.stop.abort();
    expect(await during.ended).toEqual({ kind: 'closed' });
    expect(loaded).toEqual([]);
    const after = await opened();
    after.stop.abort();
    expect(await after.ended).toEqual({ kind: 'closed' });
    expect([loaded.length, windowsOf()]).toEqual([1, []]);
  });

  it('when the user’s time is over', async () => {
    const { clock, ended, outcome } = await opened({ limitMs: 1_000 });
    clock.advance(999);
    await settle();
    expect(outcome()).toBeUndefined();
    clock.advance(1);
    expect(await ended).toEqual({ kind: 'timed-out' });
    expect(windowsOf()).toEqual([]);
  });

  it.each([
    ['https://signin.example:8443/a', 'ERR_FAILED', 'of signin.example:8443 could not be loaded (ERR_FAILED)'],
    ['https://signin.example/', '', 'of signin.example could not be loaded (-105)'],
    ['no URL', 'ERR_FAILED', 'of no URL could not be loaded'],
  ])('if %s can’t be loaded (%j)', async (url, description, message) => {
    const { window, ended } = await opened();
    window.webContents.emit('did-fail-load', {}, -105, description, url, true);
    expect(await ended).toEqual({ kind: 'failed', message: expect.stringContaining(message) });
  });

  it('not if a frame can’t be loaded, or if the app stopped a load itself', async () => {
    const { window, outcome } = await opened();
    window.webContents.emit('did-fail-load', {}, -105, 'ERR_FAILED', 'https://a.example/', false);
    window.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'https://a.example/', true);
    await settle();
    expect(outcome()).toBeUndefined();
  });

  it('if its page stops working', async () => {
    const { window, ended } = await opened();
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(await ended).toEqual({ kind: 'failed', message: 'The sign-in page stopped working. Try again.' });
  });

  it('and leaves a browser session that the user keeps', async () => {
    const browserSession = { connectionId: 'endings-kept', isSaved: true, isFresh: false };
    const { window, ended } = await opened({ browserSession });
    window.close();
    await ended;
    expect(electron.session.fromPartition('persist:oauth-endings-kept')[inside].cleared).toEqual([]);
  });

  it('and frees its browser session, even if it never began', async () => {
    const set = Promise.withResolvers<void>();
    const spy = vi.spyOn(Session.prototype, 'setProxy').mockReturnValue(set.promise);
    const browserSession = { connectionId: 'endings-freed', isSaved: false, isFresh: false };
    const { stop, ended, session } = open({ browserSession });
    stop.abort();
    set.resolve();
    await ended;
    spy.mockRestore();
    const { window } = await opened({ browserSession });
    expect(window.webContents.session).toBe(session());
  });
});

describe('a popup of the page', () => {
  const openPopup = (window: Window, url: string) =>
    window.webContents[inside].openHandler?.({ url, frameName: '', features: '' });

  /** As Electron makes one that the app allows. */
  function addPopup(opener: Window): Window {
    const { session } = opener.webContents;
    const popup = new electron.BrowserWindow({ webPreferences: { sandbox: true, contextIsolation: true, session } });
    opener.webContents.emit('did-create-window', popup, {});
    return popup;
  }

  it('opens visibly, with the same restrictions and session', async () => {
    const { window, session } = await opened();
    for (const url of ['https://provider.example/', 'about:blank', 'http://localhost:1/']) {
      expect(openPopup(window, url)).toMatchObject({
        action: 'allow',
        overrideBrowserWindowOptions: {
          title: 'Sign in to Sandbox',
          show: true,
          width: 520,
          webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, session: session() },
        },
      });
    }
    expect(openPopup(window, 'http://provider.example/')).toEqual({ action: 'deny' });
    expect(openPopup(window, 'file:///etc/passwd')).toEqual({ action: 'deny' });
  });

  it('is one of at most four, wherever they open', async () => {
    const { window } = await opened();
    const first = addPopup(window);
    addPopup(first);
    addPopup(window);
    expect(openPopup(first, 'about:blank')).toMatchObject({ action: 'allow' });
    addPopup(first);
    expect(openPopup(window, 'about:blank')).toEqual({ action: 'deny' });
    expect(openPopup(first, 'about:blank')).toEqual({ action: 'deny' });
    first.destroy();
    expect(openPopup(window, 'about:blank')).toMatchObject({ action: 'allow' });
  });

  it('shows its host, and can end the sign-in', async () => {
    const { window, ended } = await opened();
    const popup = addPopup(window);
    popup.webContents.emit('did-navigate', {}, 'https://provider.example/');
    expect(popup.getTitle()).toBe('provider.example – Sign in to Sandbox');
    expect(go(popup, 'will-redirect', answer)).toBe(true);
    expect(await ended).toEqual({ kind: 'redirected', url: answer });
  });

  it('is kept from plain http without an end of the sign-in', async () => {
    const { window, outcome } = await opened();
    const popup = addPopup(window);
    expect(go(popup, 'will-navigate', 'http://provider.example/')).toBe(true);
    popup.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    popup.destroy();
    await settle();
    expect(outcome()).toBeUndefined();
  });
});
