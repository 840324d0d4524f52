// The main process around the app, where a real start does not get: failures of the start and of the end, and ends from outside.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { systemClock } from '#shared/time/clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { inside as key, preventable } from '#test/double/inside.ts';
import { pretendPlatform, setProperty } from '#test/electron/without-chromium.ts';

// One double for all tests, although each evaluates the main module again.
const electron = await vi.hoisted(async () => (await import('#test/electron/without-chromium.ts')).readyElectron());
vi.mock('electron', () => electron);
vi.mock('electron-store', async () => ({ default: (await import('#test/electron/plain-store.ts')).PlainStore }));

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

/** Evaluates the main module as Electron does; the app becomes ready with `becomeReady`, and then fails to start. */
async function launch(...args: string[]) {
  const folder = temporaryFolder();
  const holder = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  onTestFinished(() => holder.close());
  setProperty(process, 'argv', ['/program', 'main.js', '--data', folder, ...args]);
  setProperty(process, 'defaultApp', true);
  setProperty(app, 'quit', () => void calls.push('quit'));
  setProperty(app, 'exit', (code?: number) => void calls.push(['exit', code]));
  setProperty(app, 'requestSingleInstanceLock', () => true);
  setProperty(electron.dialog, 'showErrorBox', (...box: unknown[]) => void calls.push(['box', ...box]));
  await import('#electron/main.ts');
  const becomeReady = async () => {
    inside.world.isReady = true;
    // Of the previous start.
    electron.session.defaultSession.protocol.unhandle('app');
    app.emit('ready', {}, {});
    await expect.poll(() => calls.at(-1)).toEqual(['exit', 3]);
  };
  const quit = async () => {
    const asked = preventable({});
    app.emit('will-quit', asked);
    await settle();
    return asked.defaultPrevented;
  };
  const log = () => readFileSync(join(folder, 'logs', 'rainbell.log'), 'utf8');
  // Apps with other data folders run beside it.
  expect(app.getPath('userData')).toBe(join(folder, 'electron'));
  return { becomeReady, quit, log };
}

it('a start that fails because another program has the folder says so, also in a dialog, and is reported when it ends', async () => {
  const { quit, log, becomeReady } = await launch();
  await becomeReady();
  const sentence = expect.stringContaining('already running with the data folder');
  expect(calls).toEqual([
    ['box', 'Rainbell could not start', sentence],
    ['exit', 3],
  ]);
  expect(words).toEqual([sentence]);
  calls = [];
  expect([await quit(), await quit()]).toEqual([true, true]);
  await settle();
  expect(calls).toEqual([['exit', 1]]);
  expect(log()).toContain('did not shut down cleanly');
});

it('before Electron is ready, the end needs no closing; a sandbox that the user turned off stays off', async () => {
  const { quit } = await launch('--no-sandbox');
  expect([await quit(), calls, inside.isSandboxed]).toEqual([false, [], false]);
});

// shell.test.ts has a Mac's session.
it('the end comes with that of the start script, its request, or the end of the user’s session on Windows', async () => {
  const { becomeReady } = await launch();
  parent.emit('message', 'other');
  expect(calls).toEqual([]);
  parent.emit('message', 'quit');
  parent.emit('disconnect');
  expect(calls).toEqual(['quit', 'quit']);
  await becomeReady();
  calls = [];
  const window = new EventEmitter();
  app.emit('browser-window-created', {}, window);
  window.emit('session-end');
  expect(calls).toEqual(['quit']);
});
