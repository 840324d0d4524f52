// When a window shows whose page cannot be loaded; window-opening.test.ts has those whose page loads.
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
  return { clock, window, webContents, state };
}
const fail = (webContents: EventEmitter, isMainFrame: boolean) =>
  webContents.emit('did-fail-load', {}, -2, 'ERR_FAILED', 'https://a.example/', isMainFrame);

it('a window whose page fails to load shows, but not for a frame inside of its page', () => {
  const { clock, webContents, state } = start();
  fail(webContents, false);
  clock.advance(10_000);
  expect(state.shows).toBe(0);
  fail(webContents, true);
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
