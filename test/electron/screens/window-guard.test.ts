// What no page may do, what only the screens may do, and where links lead.
import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  denyByDefault,
  denyPermissions,
  grantScreensPermissions,
  openOutside,
  restrictNavigation,
} from '#electron/screens/window-guard.ts';
import { checkSpelling } from '#electron/windows/spelling.ts';
import { electron } from '#test/double/electron.ts';
import { inside, preventable } from '#test/double/inside.ts';
import { permissionNames } from '#test/double/permissions.ts';
import { Session as SessionDouble } from '#test/double/session.ts';
import { pretendPlatform, recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

let opened: string[];
let open: () => Promise<void>;
beforeEach(() => {
  opened = [];
  open = async () => {};
  const spy = vi.spyOn(electron.shell, 'openExternal').mockImplementation((url) => {
    opened.push(url);
    return open();
  });
  return () => spy.mockRestore();
});

/** Names of the permissions that a page at the address has, to check and to request. */
function grantedTo(session: SessionDouble, address: string) {
  const { permissions, devices } = session[inside].queryAll(address);
  expect(devices).toEqual({ hid: false, serial: false, usb: false });
  const names = (kind: 'checked' | 'requested') => permissionNames.filter((name) => permissions[name]?.[kind]);
  return [names('checked'), names('requested')];
}

/** Whether a download is canceled, and whether its save dialog was set up. */
function download(session: SessionDouble, url: string) {
  const event = preventable({});
  const setSaveDialogOptions = vi.fn<() => void>();
  session.emit('will-download', event, { getURL: () => url, getFilename: () => 'a.json', setSaveDialogOptions });
  return [event.defaultPrevented, setSaveDialogOptions.mock.calls.length === 1];
}

const ours = 'app://rainbell/';

describe('a session', () => {
  it('has no permission, no device, and no download', () => {
    const session = new SessionDouble('any');
    denyPermissions(session as unknown as Session);
    expect(grantedTo(session, ours)).toEqual([[], []]);
    expect(download(session, `blob:${ours}1`)).toEqual([true, false]);
  });

  it('of the screens lets our pages write to the clipboard and save files, whatever it had before', () => {
    const session = new SessionDouble('screens');
    denyPermissions(session as unknown as Session);
    grantScreensPermissions(session as unknown as Session);
    expect(grantedTo(session, ours)).toEqual([['clipboard-sanitized-write'], ['clipboard-sanitized-write']]);
    for (const address of ['https://rainbell/', 'app://other/', 'about:blank']) {
      expect(grantedTo(session, address)).toEqual([[], []]);
    }
    expect(download(session, `blob:${ours}1`)).toEqual([false, true]);
    expect(download(session, 'https://a.example/a.json')).toEqual([true, false]);
    denyPermissions(session as unknown as Session);
    expect(download(session, `blob:${ours}1`)).toEqual([true, false]);
  });
});

/** A turn of the loop later the double has looked for dictionaries. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('by default', () => {
  beforeEach(() => {
    for (const name of ['web-contents-created', 'session-created']) electron.app.removeAllListeners(name);
    denyByDefault();
  });

  it('a session downloads no dictionary, on disk or in memory, until it checks spelling', async () => {
    pretendPlatform('linux');
    const made = ['persist:spelling', 'spelling'].map((name) => electron.session.fromPartition(name));
    await settle();
    const states = () => made.map((one) => [one.isSpellCheckerEnabled(), one[inside].dictionaryDownloads]);
    expect(states()).toEqual([
      [false, []],
      [false, []],
    ]);
    checkSpelling(made[0] as unknown as Session, true);
    await settle();
    expect(states()).toEqual([
      [true, ['en-GB']],
      [false, []],
    ]);
    checkSpelling(made[0] as unknown as Session, false);
    expect(made[0]?.isSpellCheckerEnabled()).toBe(false);
  });

  it('a page opens no window, attaches no webview, and gives no certificate', () => {
    const window = new electron.BrowserWindow({ webPreferences: { sandbox: true, contextIsolation: true } });
    const { webContents } = window;
    expect(webContents[inside].openHandler?.({ url: ours, frameName: '', features: '' })).toEqual({ action: 'deny' });
    const attached = preventable({});
    webContents.emit('will-attach-webview', attached, {}, {});
    const requested = preventable({});
    const select = vi.fn<(certificate?: object) => void>();
    webContents.emit('select-client-certificate', requested, 'https://a.example/', [{}], select);
    expect([attached.defaultPrevented, requested.defaultPrevented, select.mock.calls]).toEqual([true, true, [[]]]);
    window.destroy();
  });

  it('a session that is created later has no permission', () => {
    const session = electron.session.fromPartition('created later');
    expect(grantedTo(session, ours)).toEqual([[], []]);
    expect(download(session, `blob:${ours}1`)).toEqual([true, false]);
  });
});

describe('a screens window', () => {
  type OpenHandler = (details: { url: string }) => { action: string };

  function restrict() {
    let handler: OpenHandler | undefined;
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (next: OpenHandler) => (handler = next),
    });
    const { log, entries } = recordLog();
    restrictNavigation(contents as unknown as WebContents, log);
    const navigate = (url: string, isMainFrame = true) => {
      const event = preventable({ url, isMainFrame });
      contents.emit('will-frame-navigate', event);
      return event.defaultPrevented;
    };
    return { contents, entries, navigate, openWindow: (url: string) => handler?.({ url }) };
  }

  it('stays on the screens; another address opens in the browser', () => {
    const { navigate } = restrict();
    expect([navigate(`${ours}#/monitors`), opened]).toEqual([false, []]);
    expect([navigate('https://a.example/x'), opened]).toEqual([true, ['https://a.example/x']]);
  });

  it('has no frames, not even of our pages, and opens none of them in the browser', () => {
    const { navigate } = restrict();
    expect([navigate(ours, false), navigate('https://a.example/', false), opened]).toEqual([true, true, []]);
  });

  it('doesn’t follow redirects', () => {
    const { contents } = restrict();
    const event = preventable({ url: ours, isMainFrame: true });
    contents.emit('will-redirect', event);
    expect([event.defaultPrevented, opened]).toEqual([true, []]);
  });

  it('opens its links in the browser instead of a window', () => {
    const { openWindow, entries } = restrict();
    expect(openWindow('https://a.example/')).toEqual({ action: 'deny' });
    expect(openWindow('file:///etc/passwd')).toEqual({ action: 'deny' });
    expect(opened).toEqual(['https://a.example/']);
    expect(entries).toEqual([expect.objectContaining({ level: 40, scheme: 'file:' })]);
  });
});

describe('an address', () => {
  it.each([
    ['http://a.example', 'http://a.example/'],
    ['HTTPS://a.example/?q=1#b', 'https://a.example/?q=1#b'],
  ])('%s opens in the browser', (address, url) => {
    openOutside(address, recordLog().log);
    expect(opened).toEqual([url]);
  });

  it.each([
    ['file:///etc/passwd', 'file:'],
    ['javascript:alert(1)', 'javascript:'],
    ['app://rainbell/', 'app:'],
    ['rainbell://monitors', 'rainbell:'],
    ['httpss://a.example/', 'httpss:'],
    ['not an address', undefined],
  ])('%s is never opened', (address, scheme) => {
    const { log, entries } = recordLog();
    openOutside(address, log);
    expect(opened).toEqual([]);
    expect(entries.map((entry) => [entry['level'], entry['scheme']])).toEqual([[40, scheme]]);
  });

  it('that the system cannot open is logged', async () => {
    open = () => Promise.reject(new Error('no browser'));
    const { log, entries } = recordLog();
    openOutside('https://a.example/', log);
    await expect.poll(() => entries).toMatchObject([{ level: 40, err: { message: 'no browser' } }]);
  });
});
