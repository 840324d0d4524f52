// The windows of the screens: where and how they open, what they remember, and which one a link or a command goes to.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostNotice } from '#core/ports/host.ts';
import { createScreenWindows } from '#electron/screens/screen-windows.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { WebContents } from '#test/double/web-contents.ts';
import { pretendPlatform, recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());
vi.mock('electron-store', async () => ({ default: (await import('#test/electron/plain-store.ts')).PlainStore }));

type Window = InstanceType<typeof electron.BrowserWindow>;

/** What the pages were made to load and run, by the ID of their window. */
let loaded: [window: number, url: string][];
let scripts: [window: number, code: string][];
let load: () => Promise<void>;
let runScript: () => Promise<unknown>;
beforeEach(() => {
  pretendPlatform('linux');
  vi.stubEnv('XDG_SESSION_TYPE', 'x11');
  electron.nativeTheme.removeAllListeners('updated');
  loaded = [];
  scripts = [];
  load = async () => {};
  runScript = async () => {};
  const idOf = (contents: WebContents) => windowsOf().find((window) => window.webContents === contents)?.id ?? 0;
  const spies = [
    vi.spyOn(electron.BrowserWindow.prototype, 'loadURL').mockImplementation(function (this: Window, url) {
      loaded.push([this.id, url]);
      const loading = load();
      loading.then(() => this.emit('ready-to-show')).catch(() => {});
      return loading;
    }),
    vi.spyOn(WebContents.prototype, 'executeJavaScript').mockImplementation(function (this: WebContents, code) {
      scripts.push([idOf(this), code]);
      return runScript();
    }),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    for (const window of windowsOf()) window.destroy();
    vi.unstubAllEnvs();
  };
});

const windowsOf = () => electron.BrowserWindow.getAllWindows();

function start(profileFolder = temporaryFolder()) {
  const builtFolder = temporaryFolder();
  writeFileSync(join(builtFolder, 'preload.cjs'), '');
  const clock = createManualClock();
  const { log, entries } = recordLog();
  const notices: HostNotice[] = [];
  const notifications = { show: (notice: HostNotice) => void notices.push(notice) };
  const windows = createScreenWindows({ builtFolder, profileFolder, iconsFolder: '/icons', notifications, clock, log });
  const file = join(profileFolder, 'window.json');
  const stored = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { place?: Place }) : {});
  const open = async (hash?: string) => {
    await windows.open(hash);
    const window = windowsOf().at(-1);
    if (!window) throw new Error('no window opened');
    return window;
  };
  return { windows, open, builtFolder, profileFolder, clock, entries, notices, stored };
}

type Place = { bounds: object; isMaximized: boolean; zoomFactor: number };
const place = { bounds: { x: 100, y: 90, width: 900, height: 700 }, isMaximized: false, zoomFactor: 1.25 };

function startAt(saved: unknown) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'window.json'), JSON.stringify({ place: saved }));
  return start(folder);
}

describe('a window', () => {
  it('opens isolated, and with the preload, on the screen of the hash', async () => {
    const { open, builtFolder } = start();
    const window = await open('#/monitors');
    expect(loaded).toEqual([[window.id, 'app://rainbell/#/monitors']]);
    expect(window[inside].options).toEqual({
      title: 'Rainbell',
      show: false,
      width: 1280,
      height: 860,
      minWidth: 640,
      minHeight: 400,
      backgroundColor: '#f6f8fb',
      icon: join('/icons', 'linux', '256x256.png'),
      webPreferences: {
        preload: join(builtFolder, 'preload.cjs'),
        zoomFactor: 1,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: true,
      },
    });
    expect([window.isVisible(), window.isMaximized()]).toEqual([true, false]);
  });

  it.each(['darwin', 'win32'] as const)('has the icon of its program on %s', async (platform) => {
    pretendPlatform(platform);
    const { open } = start();
    expect((await open())[inside].options).not.toHaveProperty('icon');
  });

  it('without a hash opens on the first screen', async () => {
    const { windows } = start();
    expect(await windows.open()).toBe(true);
    windows.openAnother();
    expect(loaded.map(([, url]) => url)).toEqual(['app://rainbell/', 'app://rainbell/']);
  });

  it('may close while it loads, but a page that fails to load is an error', async () => {
    const { windows, entries } = start();
    load = async () => {
      for (const window of windowsOf()) window.destroy();
      throw new Error('ERR_ABORTED');
    };
    expect(await windows.open()).toBe(false);
    load = async () => {
      for (const window of windowsOf()) window.destroy();
    };
    expect(await windows.open()).toBe(false);
    load = () => Promise.reject(new Error('ERR_FAILED'));
    await expect(windows.open()).rejects.toThrow('ERR_FAILED');
    windows.openAnother();
    await expect.poll(() => entries).toMatchObject([{ level: 50, err: { message: 'ERR_FAILED' } }]);
  });

  it('opens links of its context menu outside, and keeps its pages in the app', async () => {
    const opened: string[] = [];
    const spy = vi.spyOn(electron.shell, 'openExternal').mockImplementation(async (url) => void opened.push(url));
    const { open } = start();
    const { webContents } = await open();
    const params = { linkURL: 'https://a.example/', misspelledWord: '', selectionText: '', editFlags: {}, frame: null };
    webContents.emit('context-menu', {}, params);
    const menu = electron.app[inside].contextMenu as InstanceType<typeof electron.Menu>;
    menu.items.find(({ label }) => label === 'Open link in browser')?.click();
    const preventDefault = vi.fn<() => void>();
    webContents.emit('will-frame-navigate', { url: 'https://b.example/', isMainFrame: true, preventDefault });
    expect([opened, preventDefault.mock.calls.length]).toEqual([['https://a.example/', 'https://b.example/'], 1]);
    spy.mockRestore();
  });
});

describe('the place of a window', () => {
  it('is that of the last start, with its zoom; each further window is 32 px lower and to the right', async () => {
    const { open } = startAt(place);
    const windows = [await open(), await open(), await open()];
    expect(windows.map((window) => window.getBounds())).toEqual([
      place.bounds,
      { ...place.bounds, x: 132, y: 122 },
      { ...place.bounds, x: 164, y: 154 },
    ]);
    expect(windows[0]?.webContents.getZoomFactor()).toBe(1.25);
  });

  it('is left to the system if none is stored', async () => {
    const { open } = start();
    await open();
    expect((await open())[inside].options).not.toHaveProperty('x');
  });

  it('is stored half a second after the last move or change of size', async () => {
    const { open, clock, stored } = start();
    const window = await open();
    clock.advance(1_000);
    expect(stored()).toEqual({});
    window.setBounds(place.bounds);
    clock.advance(400);
    window.emit('move');
    clock.advance(400);
    window.emit('resize');
    clock.advance(499);
    expect(stored()).toEqual({});
    window.webContents.setZoomFactor(1.25);
    clock.advance(1);
    expect(stored()).toEqual({ place });
    window.maximize();
    window.emit('move');
    clock.advance(500);
    expect(stored()).toEqual({ place: { ...place, isMaximized: true } });
  });

  it('is stored at once when the window closes, and not again', async () => {
    const { open, clock, stored } = start();
    const window = await open();
    window.setBounds(place.bounds);
    window.close();
    expect(stored()).toEqual({ place: { ...place, zoomFactor: 1 } });
    // Reading the bounds of a closed window would throw.
    clock.advance(1_000);
  });

  it('is only its size under Wayland, which hides positions', async () => {
    vi.stubEnv('XDG_SESSION_TYPE', 'wayland');
    const { open, stored, profileFolder } = startAt(place);
    const window = await open();
    expect(window.getBounds()).toEqual({ ...place.bounds, x: 0, y: 0 });
    window.close();
    expect(stored()).toEqual({ place: { ...place, bounds: { width: 900, height: 700 } } });
    vi.stubEnv('XDG_SESSION_TYPE', 'x11');
    const { options } = (await start(profileFolder).open())[inside];
    expect(options).toMatchObject({ width: 900, height: 700 });
    expect(options).not.toHaveProperty('x');
  });
});

describe('the front window', () => {
  it('is brought to the front, and led to the screen of a link', async () => {
    const { open, windows } = start();
    const window = await open();
    window.minimize();
    windows.show();
    expect([window.isMinimized(), window.isVisible(), window.isFocused()]).toEqual([false, true, true]);
    expect(scripts).toEqual([]);
    const restored = vi.fn<() => void>();
    window.on('restore', restored);
    windows.show('#/callbacks?q="a"');
    expect(scripts).toEqual([[window.id, String.raw`location.hash = "#/callbacks?q=\"a\""`]]);
    expect([restored.mock.calls.length, windowsOf().length]).toEqual([0, 1]);
  });

  it('is the focused one, otherwise the newest', async () => {
    const { open, windows } = start();
    const [first, , third] = [await open(), await open(), await open()];
    windows.show('#/a');
    first.focus();
    windows.show('#/b');
    windows.run('help.keys');
    third.destroy();
    first.blur();
    windows.run('help.keys');
    const [, second] = windowsOf();
    expect(scripts.map(([id]) => id)).toEqual([third.id, first.id, first.id, second?.id]);
  });

  it('opens if there is none: on the screen of the link, but without the command', () => {
    const { windows } = start();
    windows.show('#/traffic');
    windowsOf()[0]?.destroy();
    windows.run('help.keys');
    expect(loaded.map(([, url]) => url)).toEqual(['app://rainbell/#/traffic', 'app://rainbell/']);
    expect(scripts).toEqual([]);
  });

  it('logs a page that runs nothing', async () => {
    const { open, windows, entries } = start();
    await open();
    runScript = () => Promise.reject(new Error('Object has been destroyed'));
    windows.show('#/traffic');
    windows.run('help.keys');
    await expect.poll(() => entries.length).toBe(2);
    expect(entries).toMatchObject([
      { level: 40, hash: '#/traffic', err: { message: 'Object has been destroyed' } },
      { level: 40, command: 'help.keys', err: { message: 'Object has been destroyed' } },
    ]);
  });
});

it('closing the last window is explained once, also over several starts', () => {
  const { windows, profileFolder } = start();
  expect([windows.shouldExplainClosing(), windows.shouldExplainClosing()]).toEqual([true, false]);
  expect(start(profileFolder).windows.shouldExplainClosing()).toBe(false);
});
