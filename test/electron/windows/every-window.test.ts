// What holds for the windows without a menu: the developer tools' keys, and a title that a page can't change.
import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, it, vi } from 'vitest';
import { allowDeveloperTools } from '#electron/windows/web-preferences.ts';
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
  ['linux', { control: true }, ignored],
  ['linux', { shift: true }, ignored],
  ['linux', { control: true, shift: true, code: 'KeyJ' }, ignored],
  ['linux', { meta: true, alt: true }, ignored],
  ['darwin', { meta: true, alt: true }, opened],
  ['darwin', { meta: true }, ignored],
  ['darwin', { alt: true }, ignored],
  ['darwin', { control: true, shift: true }, ignored],
] as const)('on %s %j opens the developer tools: %j', (platform, pressed, expected) => {
  pretendPlatform(platform);
  expect(press(pressed)).toEqual(expected);
});
