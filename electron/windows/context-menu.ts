// The menu of the right mouse button. Electron shows none itself; without it, pages offer neither copy and paste nor spelling
// suggestions. See https://www.electronjs.org/docs/latest/tutorial/context-menu.
import {
  BrowserWindow,
  clipboard,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
  shell,
  type WebContents,
} from 'electron';

type Options = {
  /** Opens a link of the page in the user's browser; undefined in windows whose links must stay in the window. */
  openLink?: (url: string) => void;
};

const maxSuggestions = 5;

export function showContextMenu(contents: WebContents, options: Options = {}): void {
  contents.on('context-menu', (_event, params) => {
    const window = BrowserWindow.fromWebContents(contents);
    const items = withSeparators([
      spellingItems(contents, params),
      linkItems(params, options),
      editItems(params),
      params.isEditable ? [] : [{ role: 'reload' }],
      [{ label: 'Inspect', click: () => contents.inspectElement(params.x, params.y) }],
    ]);
    Menu.buildFromTemplate(items).popup({ ...(window && { window }), ...(params.frame && { frame: params.frame }) });
  });
}

function spellingItems(contents: WebContents, params: ContextMenuParams): MenuItemConstructorOptions[] {
  if (params.misspelledWord === '') return [];
  const suggestions = params.dictionarySuggestions.slice(0, maxSuggestions).map((word) => ({
    label: word,
    click: () => contents.replaceMisspelling(word),
  }));
  return [
    ...(suggestions.length > 0 ? suggestions : [{ label: 'No suggestions', enabled: false }]),
    {
      label: 'Add to dictionary',
      click: () => void contents.session.addWordToSpellCheckerDictionary(params.misspelledWord),
    },
  ];
}

function linkItems({ linkURL }: ContextMenuParams, { openLink }: Options): MenuItemConstructorOptions[] {
  if (!/^https?:/.test(linkURL)) return [];
  return [
    ...(openLink ? [{ label: 'Open link in browser', click: () => openLink(linkURL) }] : []),
    { label: 'Copy link', click: () => void clipboard.writeText(linkURL).catch(() => shell.beep()) },
  ];
}

function editItems({ isEditable, editFlags, selectionText }: ContextMenuParams): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
  if (isEditable)
    return [
      { role: 'undo', enabled: editFlags.canUndo },
      { role: 'redo', enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', enabled: editFlags.canCut },
      copy,
      { role: 'paste', enabled: editFlags.canPaste },
      { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  return [...(selectionText === '' ? [] : [copy]), { role: 'selectAll', enabled: editFlags.canSelectAll }];
}

function withSeparators(groups: MenuItemConstructorOptions[][]): MenuItemConstructorOptions[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [{ type: 'separator' }, ...group]));
}
