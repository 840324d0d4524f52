// The menu of the right mouse button, for what is under the mouse (electron/windows/context-menu.ts).
import { EventEmitter } from 'node:events';
import type { ContextMenuParams, WebContents } from 'electron';
import { expect, it, vi } from 'vitest';
import { showContextMenu } from '#electron/windows/context-menu.ts';
import type { BrowserWindow } from '#test/double/browser-window.ts';
import type { Menu, MenuItem } from '#test/double/menu.ts';
import { inside } from '#test/double/inside.ts';
import { electron } from '#test/double/electron.ts';
import { unopenedWindow } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

const editFlags = {
  canUndo: true,
  canRedo: false,
  canCut: true,
  canCopy: false,
  canPaste: true,
  canDelete: true,
  canSelectAll: true,
  canEditRichly: false,
};
const nothing = {
  x: 3,
  y: 4,
  linkURL: '',
  misspelledWord: '',
  dictionarySuggestions: [] as string[],
  isEditable: false,
  selectionText: '',
  frame: null as object | null,
  editFlags,
};

type Options = Parameters<typeof showContextMenu>[1];

function open(params: Partial<typeof nothing>, options?: Options, window: BrowserWindow | null = null) {
  const calls: unknown[] = [];
  const contents = Object.assign(new EventEmitter(), {
    inspectElement: (x: number, y: number) => void calls.push(['inspect', x, y]),
    replaceMisspelling: (word: string) => void calls.push(['replace', word]),
    session: { addWordToSpellCheckerDictionary: (word: string) => void calls.push(['add', word]) },
  });
  vi.spyOn(electron.BrowserWindow, 'fromWebContents').mockReturnValue(window);
  vi.spyOn(electron.clipboard, 'writeText').mockImplementation(async (text) => void calls.push(['clipboard', text]));
  showContextMenu(contents as unknown as WebContents, options);
  contents.emit('context-menu', {}, { ...nothing, ...params } as unknown as ContextMenuParams);
  const { items } = electron.app[inside].contextMenu as Menu;
  const press = (label: string) => items.find((item) => item.label === label)?.click();
  return { items, calls, press };
}

const nameOf = ({ type, label, enabled }: MenuItem) =>
  type === 'separator' ? '-' : `${label}${enabled ? '' : ' (disabled)'}`;

it('of a page has Select All, Reload, and Inspect', () => {
  const { items, calls, press } = open({});
  expect(items.map(nameOf)).toEqual(['Select All', '-', 'Reload', '-', 'Inspect']);
  press('Inspect');
  expect(calls).toEqual([['inspect', 3, 4]]);
});

it('opens in the window of the page, for the frame under the mouse', () => {
  const popup = vi.spyOn(electron.Menu.prototype, 'popup');
  const [window, frame] = [unopenedWindow(), { url: 'app://rainbell/' }];
  open({ frame }, {}, window);
  open({});
  expect(popup.mock.calls).toEqual([[{ window, frame }], [{}]]);
});

it('of selected text has Copy, if it can be copied', () => {
  const selected = { selectionText: 'rain' };
  expect(open(selected).items.map(nameOf)[0]).toBe('Copy (disabled)');
  const copyable = { ...selected, editFlags: { ...editFlags, canCopy: true, canSelectAll: false } };
  expect(open(copyable).items.map(nameOf).slice(0, 2)).toEqual(['Copy', 'Select All (disabled)']);
});

it('of a field has what can be done to its text, and no Reload', () => {
  expect(open({ isEditable: true, selectionText: 'x' }).items.map(nameOf)).toEqual([
    'Undo',
    'Redo (disabled)',
    '-',
    'Cut',
    'Copy (disabled)',
    'Paste',
    'Paste and Match Style',
    'Select All',
    '-',
    'Inspect',
  ]);
  const none = { canUndo: false, canRedo: true, canCut: false, canCopy: true, canPaste: false, canSelectAll: false };
  const names = open({ isEditable: true, editFlags: { ...editFlags, ...none } }).items.map(nameOf);
  expect(names.slice(0, 8)).toEqual([
    'Undo (disabled)',
    'Redo',
    '-',
    'Cut (disabled)',
    'Copy',
    'Paste (disabled)',
    'Paste and Match Style (disabled)',
    'Select All (disabled)',
  ]);
});

it('of a link copies it, and opens it if that is allowed', () => {
  const link = { linkURL: 'https://example.com/?a=1' };
  const openLink = vi.fn<(url: string) => void>();
  const { items, calls, press } = open(link, { openLink });
  expect(items.map(nameOf).slice(0, 3)).toEqual(['Open link in browser', 'Copy link', '-']);
  press('Copy link');
  press('Open link in browser');
  expect([calls, openLink.mock.calls]).toEqual([[['clipboard', link.linkURL]], [[link.linkURL]]]);
  expect(open(link).items.map(nameOf).slice(0, 2)).toEqual(['Copy link', '-']);
  expect(open({ linkURL: 'javascript:alert(1)' }, { openLink }).items.map(nameOf)[0]).toBe('Select All');
});

it('beeps if a link cannot be copied', async () => {
  const { press } = open({ linkURL: 'https://example.com/' });
  vi.spyOn(electron.clipboard, 'writeText').mockRejectedValueOnce(new Error('the clipboard is locked'));
  const beep = vi.spyOn(electron.shell, 'beep');
  press('Copy link');
  await expect.poll(() => beep.mock.calls.length).toBe(1);
});

it('of a misspelled word suggests at most five words, and adds it to the dictionary', () => {
  const word = { isEditable: true, misspelledWord: 'rian' };
  const { items, calls, press } = open({ ...word, dictionarySuggestions: ['rain', 'a', 'b', 'c', 'd', 'e'] });
  expect(items.map(nameOf).slice(0, 7)).toEqual(['rain', 'a', 'b', 'c', 'd', 'Add to dictionary', '-']);
  press('rain');
  press('Add to dictionary');
  expect(calls).toEqual([
    ['replace', 'rain'],
    ['add', 'rian'],
  ]);
  expect(open(word).items.map(nameOf).slice(0, 2)).toEqual(['No suggestions (disabled)', 'Add to dictionary']);
});
