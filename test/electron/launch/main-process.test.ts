// The main process around the app, where a real start does not get: failures of the start and of the end, and ends from outside.
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunningApp } from '#electron/start-app.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { inside as key, preventable } from '#test/double/inside.ts';
import { pretendPlatform, recordLog, setProperty } from '#test/electron/without-chromium.ts';

const outside = vi.hoisted(() => ({
  startApp: (): Promise<unknown> => Promise.reject(new Error('not set')),
  openLog: (): unknown => undefined,
  requestNewAddress: async (): Promise<string | undefined> => undefined,
}));
// One double for all tests, although each evaluates the main module again.
const electron = await vi.hoisted(async () => (await import('#test/electron/without-chromium.ts')).readyElectron());
vi.mock('electron', () => electron);
vi.mock('#electron/start-app.ts', () => ({ startApp: () => outside.startApp() }));
vi.mock('#core/hosting/open-log.ts', () => ({ openLog: () => outside.openLog() }));
vi.mock('#core/hosting/running-app.ts', () => ({ requestNewAddress: () => outside.requestNewAddress() }));

const { app } = electron;
const inside = app[key];
const settle = () => new Promise((done) => setImmediate(done));

/** `quit` and `exit` of the app, what it wrote, and the channel to the start script. */
let calls: unknown[];
let words: string[];
let parent: EventEmitter;
beforeEach(() => {
  vi.resetModules();
  calls = [];
  words = [];
  parent = new EventEmitter();
  pretendPlatform('linux');
  app.removeAllListeners();
  electron.powerMonitor.removeAllListeners();
  inside.isSandboxed = false;
  inside.world.isReady = false;
  const on = (event: string | symbol, run: (...values: unknown[]) => void) => {
    parent.on(event, run);
    return process;
  };
  const spies = [
    vi.spyOn(process, 'on').mockImplementation(on),
    vi.spyOn(console, 'log').mockImplementation((text: string) => void words.push(text)),
    vi.spyOn(console, 'error').mockImplementation((text: string) => void words.push(`error: ${text}`)),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
});

type Setup = {
  args?: readonly string[];
  start?: () => Promise<void>;
  openWindow?: () => Promise<boolean>;
  close?: () => Promise<void>;
};

/** Evaluates the main module as Electron does; the app becomes ready with `becomeReady`. */
async function launch({ args = [], start, openWindow = async () => true, close = async () => {} }: Setup = {}) {
  setProperty(process, 'argv', ['/program', 'main.js', '--data', join(temporaryFolder(), 'data'), ...args]);
  setProperty(process, 'defaultApp', true);
  setProperty(app, 'quit', () => void calls.push('quit'));
  setProperty(app, 'exit', (code?: number) => void calls.push(['exit', code]));
  setProperty(app, 'requestSingleInstanceLock', () => true);
  setProperty(electron.dialog, 'showErrorBox', (...box: unknown[]) => void calls.push(['box', ...box]));
  setProperty(electron.shell, 'openExternal', async (url) => void calls.push(['browser', url]));
  const { log, entries } = recordLog();
  outside.openLog = () => log;
  outside.startApp = async () => {
    await start?.();
    return {
      windows: { open: openWindow },
      desktop: { startsHidden: () => false },
      close: () => {
        calls.push('close');
        return close();
      },
    } as unknown as RunningApp;
  };
  await import('#electron/main.ts');
  const becomeReady = async () => {
    inside.world.isReady = true;
    app.emit('ready', {}, {});
    for (let turn = 0; turn < 5; turn += 1) await settle();
  };
  const quit = async () => {
    const asked = preventable({});
    app.emit('will-quit', asked);
    await settle();
    return asked.defaultPrevented;
  };
  return { entries, becomeReady, quit };
}

async function run(setup: Setup = {}) {
  const launched = await launch(setup);
  await launched.becomeReady();
  return launched;
}

describe('a start', () => {
  it('logs how long it took until the window opened', async () => {
    const { entries } = await run();
    expect(entries).toEqual([{ level: 30, ms: expect.any(Number), msg: 'the first window is open' }]);
  });

  it('leaves a sandbox that the user turned off', async () => {
    await launch({ args: ['--no-sandbox'] });
    expect(inside.isSandboxed).toBe(false);
  });

  it('says nothing of a window that is closed while it loads', async () => {
    await run({ openWindow: async () => false });
    expect(words).toEqual([]);
  });
});

describe('a start that fails', () => {
  it('later says why in a dialog, and does not look for another host', async () => {
    outside.requestNewAddress = async () => 'http://127.0.0.1:1/';
    await (await launch({ start: () => Promise.reject(new Error('no memory')) })).becomeReady();
    const sentence = expect.stringMatching(/^Rainbell could not start: no memory\./);
    expect(calls).toEqual([
      ['box', 'Rainbell could not start', sentence],
      ['exit', 3],
    ]);
    expect(words).toEqual([expect.stringContaining('error: Rainbell could not start: no memory.')]);
  });

  it('with its window says why', async () => {
    const { becomeReady } = await launch({ openWindow: () => Promise.reject(new Error('ERR_FAILED')) });
    await becomeReady();
    expect(calls).toMatchObject([
      ['box', 'Rainbell could not start', {}],
      ['exit', 3],
    ]);
  });

  const failInUse = async () => {
    const { FolderInUse } = await import('#core/database/app-database.ts');
    throw new FolderInUse('/data');
  };

  it('because a browser has the folder ends well even if that browser can’t be opened', async () => {
    outside.requestNewAddress = async () => 'http://127.0.0.1:4000/open';
    const { becomeReady } = await launch({ start: failInUse });
    setProperty(electron.shell, 'openExternal', () => Promise.reject(new Error('no browser')));
    await becomeReady();
    expect(calls.at(-1)).toEqual(['exit', 0]);
  });

  it('because another program has the folder says so', async () => {
    outside.requestNewAddress = async () => undefined;
    await (await launch({ start: failInUse })).becomeReady();
    expect(calls.at(-1)).toEqual(['exit', 3]);
    expect(words).toEqual([expect.stringContaining('already running with the data folder /data')]);
  });
});

describe('the end', () => {
  it('waits until everything is closed, once', async () => {
    const closed = Promise.withResolvers<void>();
    const { quit } = await run({ close: () => closed.promise });
    expect([await quit(), await quit()]).toEqual([true, true]);
    expect(calls).toEqual(['close']);
    closed.resolve();
    await settle();
    expect(calls).toEqual(['close', ['exit', 0]]);
  });

  it('is reported if something could not be closed', async () => {
    const { quit, entries } = await run({ close: () => Promise.reject(new Error('the disk is gone')) });
    await quit();
    expect(calls).toEqual(['close', ['exit', 1]]);
    expect(entries.at(-1)).toMatchObject({ level: 50, err: { message: 'the disk is gone' } });
  });

  it('before Electron is ready needs no closing', async () => {
    const { quit } = await launch();
    expect([await quit(), calls]).toEqual([false, []]);
  });

  it('comes with the end of the start script, or its request', async () => {
    await run();
    parent.emit('message', 'other');
    expect(calls).toEqual([]);
    parent.emit('message', 'quit');
    parent.emit('disconnect');
    expect(calls).toEqual(['quit', 'quit']);
  });

  it('comes with the end of the user’s session, which waits for it', async () => {
    await run();
    const asked = preventable({});
    electron.powerMonitor.emit('shutdown', asked);
    expect([asked.defaultPrevented, calls]).toEqual([true, ['quit']]);
    const window = new EventEmitter();
    app.emit('browser-window-created', {}, window);
    window.emit('session-end');
    expect(calls).toEqual(['quit', 'quit']);
  });
});
