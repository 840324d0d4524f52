// The find bar above a page: its search, its position, and when it closes.
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { createFindBar } from '#electron/windows/find-bar.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { WebContents } from '#test/double/web-contents.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type View = InstanceType<typeof electron.WebContentsView>;
const frame = { url: 'app://rainbell/find-bar.html', parent: null as object | null };
let bounds: object[];
beforeEach(() => {
  bounds = [];
  const spy = vi.spyOn(electron.WebContentsView.prototype, 'setBounds').mockImplementation((next: object) => {
    bounds.push(next);
  });
  return () => spy.mockRestore();
});

function start(width = 1000) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'find-bar.cjs'), '');
  const calls: unknown[] = [];
  const views: View[] = [];
  const page = Object.assign(new EventEmitter(), {
    findInPage: (text: string, options: object) => void calls.push([text, options]),
    stopFindInPage: (action: string) => void calls.push(action),
    focus: () => void calls.push('focus'),
  });
  const size = { width, height: 500 };
  const state = { isDestroyed: false };
  const window = Object.assign(new EventEmitter(), {
    webContents: page,
    contentView: {
      addChildView: (view: View) => void views.push(view),
      removeChildView: (view: View) => void views.splice(views.indexOf(view), 1),
    },
    getContentBounds: () => size,
    isDestroyed: () => state.isDestroyed,
  });
  const bar = createFindBar(window as unknown as BrowserWindow, folder);
  const open = () => {
    bar.open();
    const contents = views[0]?.webContents;
    if (!contents) throw new Error('the bar is not open');
    const sent: unknown[] = [];
    const close = vi.spyOn(contents, 'close').mockImplementation(() => {});
    vi.spyOn(contents, 'focus').mockImplementation(() => void sent.push('focus'));
    vi.spyOn(contents, 'send').mockImplementation((...message: unknown[]) => void sent.push(message));
    const emit = (channel: string, request?: unknown, senderFrame: typeof frame | null = frame) =>
      contents.ipc.emit(channel, { senderFrame }, request);
    const find = (text: string, isForward = true, isNext = false) => emit('find-bar:find', { text, isForward, isNext });
    return { contents, sent, close, emit, find };
  };
  return { bar, open, calls, views, page, window, size, state };
}

it('is at the top right, and follows the size of a narrow window', () => {
  const { open, window, size } = start();
  open();
  size.width = 390;
  window.emit('resize');
  size.width = 300;
  window.emit('resize');
  expect(bounds).toEqual([
    { x: 596, y: 8, width: 380, height: 42 },
    { x: 0, y: 8, width: 380, height: 42 },
    { x: 0, y: 8, width: 300, height: 42 },
  ]);
});

it('loads its page, and closes if that fails', async () => {
  let load = () => new Promise<void>(() => {});
  const loadUrl = vi.spyOn(WebContents.prototype, 'loadURL').mockImplementation(() => load());
  const loading = start();
  loading.bar.open();
  expect(loadUrl.mock.calls).toEqual([['app://rainbell/find-bar.html']]);
  load = () => Promise.reject(new Error('ERR_FAILED'));
  const failed = start();
  failed.bar.open();
  await new Promise((resolve) => setImmediate(resolve));
  expect([loading.views.length, failed.views.length]).toEqual([1, 0]);
});

it('gets the focus when it has loaded, and again instead of a second bar', () => {
  const { bar, open, views } = start();
  const { contents, sent } = open();
  contents.emit('did-finish-load');
  expect(sent).toEqual(['focus', ['find-bar:focus']]);
  bar.open();
  expect(sent).toHaveLength(4);
  expect(views).toHaveLength(1);
});

it('starts a new search for another text, and goes on with the same', () => {
  const { bar, open, calls } = start();
  const { find } = open();
  find('rain');
  find('rain', true, true);
  find('rain', false, true);
  find('rains', true, true);
  find('rains', true, false);
  bar.step(false);
  bar.step(true);
  expect(calls).toEqual([
    ['rain', { forward: true, findNext: true }],
    ['rain', { forward: true, findNext: false }],
    ['rain', { forward: false, findNext: false }],
    ['rains', { forward: true, findNext: true }],
    ['rains', { forward: true, findNext: true }],
    ['rains', { forward: false, findNext: false }],
    ['rains', { forward: true, findNext: false }],
  ]);
});

it('an empty text ends the search; the next step opens the bar', () => {
  const { bar, open, calls, views } = start();
  const { find, sent } = open();
  find('rain');
  find('');
  bar.step(true);
  expect(calls.slice(1)).toEqual(['clearSelection']);
  expect(sent).toEqual(['focus', ['find-bar:focus']]);
  expect(views).toHaveLength(1);
  const closed = start();
  closed.bar.step(true);
  expect([closed.views.length, closed.calls]).toEqual([1, []]);
});

it.each([
  ['another frame', { text: 'rain', isForward: true, isNext: false }, { ...frame, parent: {} }],
  ['another page', { text: 'rain', isForward: true, isNext: false }, { ...frame, url: 'https://a.example/' }],
  ['a frame that is gone', { text: 'rain', isForward: true, isNext: false }, null],
  ['the bar, with a text of 501 characters', { text: 'x'.repeat(501), isForward: true, isNext: false }, frame],
  ['the bar, without a text', { isForward: true, isNext: false }, frame],
])('ignores %s', (_name, request, senderFrame) => {
  const { open, calls, views } = start();
  const { emit } = open();
  emit('find-bar:find', request, senderFrame);
  if (senderFrame !== frame) emit('find-bar:close', undefined, senderFrame);
  expect([calls, views.length]).toEqual([[], 1]);
});

it('accepts a text of 500 characters', () => {
  const { open, calls } = start();
  open().find('x'.repeat(500));
  expect(calls).toHaveLength(1);
});

it('shows the final number of matches with the text they are for', () => {
  const { open, page } = start();
  const { find, sent } = open();
  find('rain');
  page.emit('found-in-page', {}, { activeMatchOrdinal: 1, matches: 2, finalUpdate: false });
  page.emit('found-in-page', {}, { activeMatchOrdinal: 2, matches: 7, finalUpdate: true });
  expect(sent).toEqual([['find-bar:found', { text: 'rain', active: 2, matches: 7 }]]);
});

it.each(['its button', 'a new page'])('%s closes it, keeps the selection, and gives the focus back', (by) => {
  const { bar, open, calls, views, page } = start();
  const { emit, close, find } = open();
  find('rain');
  if (by === 'its button') emit('find-bar:close');
  else page.emit('did-navigate');
  expect(calls.slice(1)).toEqual(['keepSelection', 'focus']);
  expect(close).toHaveBeenCalledOnce();
  expect(views).toEqual([]);
  page.emit('did-navigate');
  expect(calls).toHaveLength(3);
  bar.step(true);
  expect(views).toHaveLength(1);
});

it('its contents close with the window, which is then left alone', () => {
  const { open, calls, page, window, state } = start();
  const { close, sent } = open();
  state.isDestroyed = true;
  window.emit('closed');
  page.emit('did-navigate');
  page.emit('found-in-page', {}, { activeMatchOrdinal: 1, matches: 2, finalUpdate: true });
  expect(close).toHaveBeenCalledOnce();
  expect([calls, sent]).toEqual([[], []]);
  const other = start();
  other.open();
  other.state.isDestroyed = true;
  other.page.emit('did-navigate');
  expect(other.calls).toEqual([]);
});

it('does not leave its own page', () => {
  const { contents } = start().open();
  const preventDefault = vi.fn<() => void>();
  contents.emit('will-navigate', { preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
});
