// When a window that was created hidden shows. The double never paints a hidden window, as under Wayland, so all other tests have that.
import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, it } from 'vitest';
import { showWhenReady } from '#electron/windows/show-when-ready.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

function start() {
  const clock = createManualClock();
  const state = { shows: 0, isDestroyed: false };
  const webContents = new EventEmitter();
  const window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => state.isDestroyed,
    show: () => (state.shows += 1),
  });
  showWhenReady(window as unknown as BrowserWindow, clock);
  const fail = (isMainFrame: boolean) =>
    webContents.emit('did-fail-load', {}, -2, 'ERR_FAILED', 'https://a.example/', isMainFrame);
  return { clock, window, webContents, state, fail };
}

it('a window shows at its first paint, once', () => {
  const { clock, window, webContents, state } = start();
  webContents.emit('dom-ready', {});
  window.emit('ready-to-show');
  expect(state.shows).toBe(1);
  clock.advance(500);
  expect(state.shows).toBe(1);
});

it('a window that never paints shows half a second after its document has loaded', () => {
  const { clock, webContents, state } = start();
  webContents.emit('dom-ready', {});
  clock.advance(499);
  expect(state.shows).toBe(0);
  clock.advance(1);
  expect(state.shows).toBe(1);
});

it('a window whose page fails to load shows, but not for a frame inside of its page', () => {
  const { clock, state, fail } = start();
  fail(false);
  clock.advance(10_000);
  expect(state.shows).toBe(0);
  fail(true);
  clock.advance(500);
  expect(state.shows).toBe(1);
});

it('a window that closes before is left alone', () => {
  const { clock, webContents, state } = start();
  webContents.emit('dom-ready', {});
  state.isDestroyed = true;
  clock.advance(500);
  expect(state.shows).toBe(0);
});
