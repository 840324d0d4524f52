// The menu of the right mouse button, for what is under the mouse (electron/windows/context-menu.ts).
import { EventEmitter } from 'node:events';
import type { ContextMenuParams, WebContents } from 'electron';
import { expect, it, vi } from 'vitest';
import { showContextMenu } from '#electron/windows/context-menu.ts';
import type { Menu } from '#test/double/menu.ts';
import { inside } from '#test/double/inside.ts';
import { electron } from '#test/double/electron.ts';
import { unopenedWindow } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

const editFlags = { canUndo: true, canRedo: false, canCut: true, canCopy: false, canPaste: true, canSelectAll: true };
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
type Params = Partial<typeof nothing>;

function open(params: Params, options?: Parameters<typeof showContextMenu>[1]) {
  const calls: unknown[] = [];
  const contents = Object.assign(new EventEmitter(), {
    inspectElement: (x: number, y: number) => void calls.push(['inspect', x, y]),
    replaceMisspelling: (word: string) => void calls.push(['replace', word]),
    session: { addWordToSpellCheckerDictionary: (word: string) => void calls.push(['add', word]) },
  });
  vi.spyOn(electron.clipboard, 'writeText').mockImplementation(async (text) => void calls.push(['clipboard', text]));
  showContextMenu(contents as unknown as WebContents, options);
  contents.emit('context-menu', {}, { ...nothing, ...params } as unknown as ContextMenuParams);
  const { items } = electron.app[inside].contextMenu as Menu;
  const names = items.map(({ type, label, role, enabled }) =>
    type === 'separator' ? '-' : `${label || role}${enabled ? '' : ' (disabled)'}`,
  );
  return { names, calls, press: (label: string) => items.find((item) => item.label === label)?.click() };
}

const rest = ['selectall', '-', 'reload', '-', 'Inspect'];
const link = 'https://example.com/?a=1';
const [suggestions, undoAndRedo] = [
  ['rain', 'a', 'b', 'c', 'd'],
  ['undo', 'redo (disabled)'],
];
const edits = ['cut', 'copy (disabled)', 'paste', 'pasteandmatchstyle', 'selectall'];
const ofField = [...undoAndRedo, '-', ...edits, '-', 'Inspect'];

it.each<[string, Params, string[]]>([
  ['a page', {}, rest],
  ['selected text', { selectionText: 'rain', editFlags: { ...editFlags, canCopy: true } }, ['copy', ...rest]],
  ['text that can’t be copied', { selectionText: 'rain' }, ['copy (disabled)', ...rest]],
  ['a field', { isEditable: true, selectionText: 'x' }, ofField],
  ['a link', { linkURL: link }, ['Copy link', '-', ...rest]],
  ['a script', { linkURL: 'javascript:alert(1)' }, rest],
  [
    'a misspelled word, with at most five suggestions',
    { isEditable: true, misspelledWord: 'rian', dictionarySuggestions: [...suggestions, 'e'] },
    [...suggestions, 'Add to dictionary', '-', ...ofField],
  ],
  [
    'a misspelled word without suggestions',
    { isEditable: true, misspelledWord: 'rian' },
    ['No suggestions (disabled)', 'Add to dictionary', '-', ...ofField],
  ],
])('of %s has what can be done to it', (_what, params, names) => {
  expect(open(params).names).toEqual(names);
});

it('does what its items say, with the link only where the window may open it', () => {
  const openLink = vi.fn<(url: string) => void>();
  const { names, calls, press } = open(
    { linkURL: link, misspelledWord: 'rian', dictionarySuggestions: ['rain'] },
    { openLink },
  );
  expect(names).toContain('Open link in browser');
  for (const label of ['Open link in browser', 'Copy link', 'rain', 'Add to dictionary', 'Inspect']) press(label);
  expect(openLink.mock.calls).toEqual([[link]]);
  expect(calls).toEqual([
    ['clipboard', link],
    ['replace', 'rain'],
    ['add', 'rian'],
    ['inspect', 3, 4],
  ]);
});

it('opens in the window of the page, for the frame under the mouse', () => {
  const popup = vi.spyOn(electron.Menu.prototype, 'popup');
  const [window, frame] = [unopenedWindow(), { url: 'app://rainbell/' }];
  vi.spyOn(electron.BrowserWindow, 'fromWebContents').mockReturnValueOnce(window).mockReturnValueOnce(null);
  open({ frame });
  open({});
  expect(popup.mock.calls).toEqual([[{ window, frame }], [{}]]);
});

it('beeps if a link cannot be copied', async () => {
  const { press } = open({ linkURL: link });
  vi.spyOn(electron.clipboard, 'writeText').mockRejectedValueOnce(new Error('the clipboard is locked'));
  const beep = vi.spyOn(electron.shell, 'beep');
  press('Copy link');
  await expect.poll(() => beep.mock.calls.length).toBe(1);
});
