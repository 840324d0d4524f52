// The windows of the screens: where and how they open, what they remember, and which one a link or a command goes to.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createScreenWindows } from '#electron/screens/screen-windows.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { WebContents } from '#test/double/web-contents.ts';
import { world } from '#test/double/world.ts';
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
  const windows = createScreenWindows({ builtFolder, profileFolder, iconsFolder: '/icons', clock, log });
  const open = async (hash?: string) => {
    await windows.open(hash);
    const window = windowsOf().at(-1);
    if (!window) throw new Error('no window opened');
    return window;
  };
  return { windows, open, builtFolder, profileFolder, entries };
}

describe('a window', () => {
  it('opens isolated, and with the preload, on the screen of the hash', async () => {
    const { open, builtFolder } = start();
    const window = await open('#/monitors');
    expect(loaded).toEqual([[window.id, 'app://rainbell/#/monitors']]);
    const { options } = window[inside];
    // The double refuses a window that is not sandboxed and isolated.
    expect(options).toMatchObject({ width: 1280, height: 860, minWidth: 640, minHeight: 400 });
    expect(options).not.toHaveProperty('x');
    const preload = join(builtFolder, 'preload.cjs');
    expect(options.webPreferences).toMatchObject({ preload, navigateOnDragDrop: false, spellcheck: true });
    expect([window.isVisible(), window.isMaximized()]).toEqual([true, false]);
  });

  it('offers to reload its page if that stops working', async () => {
    const { open } = start();
    const { webContents } = await open();
    const reload = vi.spyOn(webContents, 'reload').mockImplementation(() => {});
    vi.spyOn(electron.dialog, 'showMessageBox').mockResolvedValueOnce({ response: 0, checkboxChecked: false });
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    await expect.poll(() => reload.mock.calls).toHaveLength(1);
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

  it('opens links of its context menu outside', async () => {
    const opened: string[] = [];
    const spy = vi.spyOn(electron.shell, 'openExternal').mockImplementation(async (url) => void opened.push(url));
    const { open } = start();
    const { webContents } = await open();
    const params = { linkURL: 'https://a.example/', misspelledWord: '', selectionText: '', editFlags: {}, frame: null };
    webContents.emit('context-menu', {}, params);
    const menu = electron.app[inside].contextMenu as InstanceType<typeof electron.Menu>;
    menu.items.find(({ label }) => label === 'Open link in browser')?.click();
    expect(opened).toEqual(['https://a.example/']);
    spy.mockRestore();
  });
});

describe('the place of a window', () => {
  // life.test.ts has that of the last start, which Electron stores.
  it('is 32 px lower and to the right of the front window for each further one', async () => {
    const { open } = start();
    const first = await open();
    first.setBounds({ x: 100, y: 90, width: 900, height: 700 });
    await open();
    await open();
    first.focus();
    await open();
    expect(windowsOf().map((window) => window.getNormalBounds())).toEqual([
      { x: 100, y: 90, width: 900, height: 700 },
      { x: 132, y: 122, width: 900, height: 700 },
      { x: 164, y: 154, width: 900, height: 700 },
      { x: 132, y: 122, width: 900, height: 700 },
    ]);
  });

  it('is stored for one window at a time, which has the name', async () => {
    const { open } = start();
    const [first, second] = [await open(), await open()];
    expect([first, second].map((window) => window[inside].options.name)).toEqual(['screens', undefined]);
    for (const window of windowsOf()) window.destroy();
    expect((await open())[inside].options).toMatchObject({ name: 'screens', windowStatePersistence: true });
  });

  it('outlives a session under Wayland, which hides positions', async () => {
    world.preferencesFile = join(temporaryFolder(), 'preferences.json');
    onTestFinished(() => void (world.preferencesFile = undefined));
    const { open } = start();
    const bounds = { x: 100, y: 90, width: 900, height: 700 };
    for (const session of ['x11', 'wayland']) {
      vi.stubEnv('XDG_SESSION_TYPE', session);
      const window = await open();
      window.setBounds(bounds);
      window.maximize();
      window.close();
    }
    expect((await open()).getNormalBounds()).toEqual({ ...bounds, x: 0, y: 0 });
    for (const window of windowsOf()) window.destroy();
    vi.stubEnv('XDG_SESSION_TYPE', 'x11');
    const window = await open();
    expect(window.getNormalBounds()).toEqual(bounds);
    expect(window.isMaximized()).toBe(true);
  });

  it('has no more than the size of the display', async () => {
    const area = { x: 0, y: 0, width: 1024, height: 700 };
    const display = { ...electron.screen.getPrimaryDisplay(), workArea: area };
    const spy = vi.spyOn(electron.screen, 'getPrimaryDisplay').mockReturnValue(display);
    expect((await start().open())[inside].options).toMatchObject({ width: 1024, height: 700 });
    spy.mockRestore();
  });
});

describe('the front window', () => {
  it('is the focused one, otherwise the newest', async () => {
    const { open, windows } = start();
    const [first, , third] = [await open(), await open(), await open()];
    windows.show('#/a?q="b"');
    first.focus();
    first.maximize();
    windows.show('#/b');
    expect(first.isMaximized()).toBe(true);
    windows.run('help.keys');
    third.destroy();
    first.blur();
    windows.run('help.keys');
    const [, second] = windowsOf();
    expect(scripts[0]).toEqual([third.id, String.raw`location.hash = "#/a?q=\"b\""`]);
    expect(scripts.map(([id]) => id)).toEqual([third.id, first.id, first.id, second?.id]);
  });
});

it('closing the last window is explained once, also over several starts', () => {
  const { windows, profileFolder } = start();
  expect([windows.shouldExplainClosing(), windows.shouldExplainClosing()]).toEqual([true, false]);
  expect(start(profileFolder).windows.shouldExplainClosing()).toBe(false);
});
