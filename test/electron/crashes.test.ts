// Errors that nothing caught, helper processes that ended, and pages that stopped: logged, and shown once.
import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reportUncaughtErrors } from '#electron/launch/uncaught-errors.ts';
import { reloadAfterCrash } from '#electron/screens/screen-windows.ts';
import { electron } from '#test/double/electron.ts';
import { recordLog } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());
vi.mock('electron-store', async () => ({ default: (await import('./plain-store.ts')).PlainStore }));

type Choice = { response: number; checkboxChecked: boolean };
type Dialog = { message: string; detail: string; buttons: string[] };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The dialogs that were shown, and how the user answers the next one. */
let dialogs: Dialog[] = [];
let answer: () => Promise<Choice>;
const press = (response: number) => async () => ({ response, checkboxChecked: false });
beforeEach(() => {
  dialogs = [];
  answer = press(0);
  const spy = vi.spyOn(electron.dialog, 'showMessageBox').mockImplementation(async (...options: unknown[]) => {
    dialogs.push(options.at(-1) as Dialog);
    return answer();
  });
  return () => spy.mockRestore();
});

describe('an uncaught error', () => {
  const process_ = new EventEmitter();
  const entriesOf = () => {
    const { log, entries } = recordLog();
    process_.removeAllListeners();
    electron.app.removeAllListeners('child-process-gone');
    const on = vi
      .spyOn(process, 'on')
      .mockImplementation((event: string | symbol, run: (...values: unknown[]) => void) => {
        process_.on(event, run);
        return process;
      });
    reportUncaughtErrors({ log, logFile: '/logs/app.log' });
    on.mockRestore();
    return entries;
  };
  beforeEach(() => {
    const spies = [
      vi.spyOn(console, 'error').mockImplementation(() => {}),
      vi.spyOn(electron.app, 'relaunch').mockImplementation(() => {}),
      vi.spyOn(electron.app, 'quit').mockImplementation(() => {}),
    ];
    return () => {
      for (const spy of spies) spy.mockRestore();
    };
  });

  it.each(['uncaughtException', 'unhandledRejection'])('(%s) is logged, and shown with the log file', async (event) => {
    const entries = entriesOf();
    process_.emit(event, new Error('the disk is gone'));
    await settle();
    expect(entries).toMatchObject([{ level: 50, err: { message: 'the disk is gone' } }]);
    expect(console.error).toHaveBeenCalledOnce();
    const keys = { defaultId: 0, cancelId: 0, noLink: true };
    expect(dialogs).toMatchObject([{ type: 'error', buttons: ['Continue', 'Restart Rainbell'], ...keys }]);
    expect(dialogs[0]?.detail).toMatch(/^the disk is gone\n\n.*\/logs\/app\.log$/s);
    expect(electron.app.relaunch).not.toHaveBeenCalled();
  });

  it('during the dialog of another is only logged', async () => {
    const entries = entriesOf();
    const { promise, resolve } = Promise.withResolvers<Choice>();
    answer = () => promise;
    process_.emit('uncaughtException', 'first');
    process_.emit('uncaughtException', 'second');
    await settle();
    expect([entries.length, dialogs.length]).toEqual([2, 1]);
    resolve({ response: 0, checkboxChecked: false });
    await settle();
    process_.emit('uncaughtException', 'third');
    expect(dialogs.map(({ detail }) => detail.split('\n')[0])).toEqual(['first', 'third']);
  });

  it('restarts the app if the user wants that', async () => {
    entriesOf();
    answer = press(1);
    process_.emit('uncaughtException', new Error('x'));
    await settle();
    expect([electron.app.relaunch, electron.app.quit].map((one) => vi.mocked(one).mock.calls.length)).toEqual([1, 1]);
  });

  it('before the app is ready is not shown', async () => {
    const entries = entriesOf();
    const spy = vi.spyOn(electron.app, 'isReady').mockReturnValue(false);
    process_.emit('uncaughtException', new Error('x'));
    spy.mockRestore();
    expect([entries.length, dialogs.length]).toEqual([1, 0]);
  });

  it('of a helper process is logged unless it ended normally', () => {
    const entries = entriesOf();
    const gone = { type: 'GPU', exitCode: 5, name: 'gpu', serviceName: 'g' };
    electron.app.emit('child-process-gone', {}, { ...gone, reason: 'clean-exit' });
    expect(entries).toEqual([]);
    electron.app.emit('child-process-gone', {}, { ...gone, reason: 'crashed' });
    expect(entries).toEqual([expect.objectContaining({ ...gone, level: 50, reason: 'crashed' })]);
  });
});

describe('a page that stopped', () => {
  function start() {
    const { log, entries } = recordLog();
    const did: string[] = [];
    const webContents = Object.assign(new EventEmitter(), { reload: () => void did.push('reload') });
    const state = { isDestroyed: false };
    const window = Object.assign(new EventEmitter(), {
      webContents,
      isDestroyed: () => state.isDestroyed,
      destroy: () => void did.push('destroy'),
    });
    reloadAfterCrash(window as unknown as BrowserWindow, log);
    const crash = (reason = 'crashed') => webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });
    return { entries, did, state, window, crash };
  }

  it.each([
    [0, 'reload'],
    [1, 'destroy'],
  ])('asks the user: button %d', async (button, action) => {
    answer = press(button);
    const { did, crash } = start();
    crash();
    await settle();
    const buttons = { buttons: ['Reload', 'Close the window'], defaultId: 0, cancelId: 1, noLink: true };
    expect(dialogs).toMatchObject([{ type: 'warning', ...buttons }]);
    expect(did).toEqual([action]);
  });

  it('with its window, or because it was closed, is left alone', async () => {
    const { did, crash, state } = start();
    crash('clean-exit');
    expect(dialogs).toEqual([]);
    const { promise, resolve } = Promise.withResolvers<Choice>();
    answer = () => promise;
    crash();
    state.isDestroyed = true;
    resolve({ response: 0, checkboxChecked: false });
    await settle();
    crash();
    expect([did, dialogs.length]).toEqual([[], 1]);
  });

  it('is logged while it does not respond, and when it does again', () => {
    const { window, entries } = start();
    window.emit('unresponsive');
    window.emit('responsive');
    expect(entries).toMatchObject([
      { level: 40, msg: expect.stringContaining('is not responding') },
      { level: 40, msg: expect.stringContaining('is responding again') },
    ]);
  });
});
