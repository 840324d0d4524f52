// What holds for the windows without a menu: the developer tools' keys, and a title that a page can't change.
import { EventEmitter } from 'node:events';
import type { BrowserWindow, Session, WebContents } from 'electron';
import { expect, it, vi } from 'vitest';
import { allowDeveloperTools } from '#electron/windows/developer-tools.ts';
import { keepTitle, signInWindowOptions } from '#electron/windows/web-preferences.ts';
import { pretendPlatform } from '#test/electron/without-chromium.ts';

const key = { type: 'keyDown', code: 'KeyI', control: false, shift: false, meta: false, alt: false };
type Key = Partial<typeof key>;

/** Whether the key opened the developer tools, and whether the page was kept from it. */
function press(pressed: Key) {
  const toggleDevTools = vi.fn<() => void>();
  const contents = Object.assign(new EventEmitter(), { toggleDevTools });
  allowDeveloperTools(contents as unknown as WebContents);
  const preventDefault = vi.fn<() => void>();
  contents.emit('before-input-event', { preventDefault }, { ...key, ...pressed });
  return [toggleDevTools.mock.calls.length, preventDefault.mock.calls.length];
}

const opened = [1, 1];
const ignored = [0, 0];

it.each([
  ['linux', { code: 'F12' }, opened],
  ['darwin', { code: 'F12' }, opened],
  ['linux', { code: 'F12', type: 'keyUp' }, ignored],
  ['linux', { code: 'F11' }, ignored],
  ['linux', { control: true, shift: true }, opened],
  ['win32', { control: true, shift: true }, opened],
  ['linux', { control: true }, ignored],
  ['linux', { shift: true }, ignored],
  ['linux', { control: true, shift: true, code: 'KeyJ' }, ignored],
  ['linux', { meta: true, alt: true }, ignored],
  ['darwin', { meta: true, alt: true }, opened],
  ['darwin', { meta: true }, ignored],
  ['darwin', { alt: true }, ignored],
  ['darwin', { control: true, shift: true }, ignored],
  ['darwin', { meta: true, alt: true, code: 'KeyJ' }, ignored],
  ['darwin', { meta: true, alt: true, type: 'keyUp' }, ignored],
] as const)('on %s %j opens the developer tools: %j', (platform, pressed, expected) => {
  pretendPlatform(platform);
  expect(press(pressed)).toEqual(expected);
});

it('a page does not change the title of a sign-in window, which has no menu', () => {
  const removeMenu = vi.fn<() => void>();
  const window = Object.assign(new EventEmitter(), { removeMenu });
  keepTitle(window as unknown as BrowserWindow);
  const preventDefault = vi.fn<() => void>();
  window.emit('page-title-updated', { preventDefault }, 'Your bank');
  expect([removeMenu.mock.calls.length, preventDefault.mock.calls.length]).toEqual([1, 1]);
});

it('a sign-in window is isolated, in its own session, without a menu bar or spell checker', () => {
  const session = {} as Session;
  const options = signInWindowOptions('Sign in', session);
  expect(options).toEqual({
    title: 'Sign in',
    autoHideMenuBar: true,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      session,
      spellcheck: false,
    },
  });
  expect(options.webPreferences?.session).toBe(session);
});
