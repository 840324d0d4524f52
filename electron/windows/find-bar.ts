// Find in page. Electron has the search (`webContents.findInPage`) but no bar for it. The bar is a separate view above the page,
// because a search field inside the page would find itself.
import { join } from 'node:path';
import { type BrowserWindow, type IpcMainEvent, WebContentsView } from 'electron';
import { z } from 'zod';
import { isScreensAddress, screensAddress } from './app-scheme.ts';
import { isolatedPage } from './web-preferences.ts';

export type FindBar = {
  /** Opens the bar, or selects its text if it is open. */
  open: () => void;
  /** Goes to the next or previous match, opening the bar if there is no search yet. */
  step: (isForward: boolean) => void;
};

const size = { width: 380, height: 42, marginRight: 24, top: 8 };
const findRequestSchema = z.object({ text: z.string().max(500), isForward: z.boolean(), isNext: z.boolean() });
type FindRequest = z.infer<typeof findRequestSchema>;

/** `builtFolder` holds the built preload, `find-bar.cjs`. */
export function createFindBar(window: BrowserWindow, builtFolder: string): FindBar {
  const page = window.webContents;
  let view: WebContentsView | undefined;
  let text = '';

  function open(): void {
    if (view) {
      focus();
      return;
    }
    const opened = new WebContentsView({
      webPreferences: {
        preload: join(builtFolder, 'find-bar.cjs'),
        ...isolatedPage,
        spellcheck: false,
      },
    });
    view = opened;
    const { webContents } = opened;
    const isOurs = ({ senderFrame }: IpcMainEvent) =>
      senderFrame !== null && senderFrame.parent === null && isScreensAddress(senderFrame.url);
    webContents.ipc.on('find-bar:find', (event, request: unknown) => {
      const parsed = findRequestSchema.safeParse(request);
      if (isOurs(event) && parsed.success) find(parsed.data);
    });
    webContents.ipc.on('find-bar:close', (event) => {
      if (isOurs(event)) close();
    });
    webContents.on('will-navigate', (event) => event.preventDefault());
    webContents.once('did-finish-load', focus);
    window.contentView.addChildView(opened);
    place();
    void webContents.loadURL(`${screensAddress}find-bar.html`).catch(close);
  }

  function place(): void {
    const { width } = window.getContentBounds();
    view?.setBounds({
      x: Math.max(0, width - size.width - size.marginRight),
      y: size.top,
      width: Math.min(size.width, width),
      height: size.height,
    });
  }

  function focus(): void {
    view?.webContents.focus();
    view?.webContents.send('find-bar:focus');
  }

  function find({ text: wanted, isForward, isNext }: FindRequest): void {
    if (wanted === '') {
      text = '';
      page.stopFindInPage('clearSelection');
      return;
    }
    // In Electron, `findNext: true` starts a new search (docs/api/web-contents.md).
    const isNew = wanted !== text || !isNext;
    text = wanted;
    page.findInPage(wanted, { forward: isForward, findNext: isNew });
  }

  function close(): void {
    if (!view) return;
    const closing = view;
    view = undefined;
    text = '';
    if (window.isDestroyed()) return;
    page.stopFindInPage('keepSelection');
    window.contentView.removeChildView(closing);
    closing.webContents.close();
    page.focus();
  }

  page.on('found-in-page', (_event, { activeMatchOrdinal, matches, finalUpdate }) => {
    if (!finalUpdate) return;
    view?.webContents.send('find-bar:found', { text, active: activeMatchOrdinal, matches });
  });
  // Another page has other matches.
  page.on('did-navigate', close);
  window.on('resize', place);
  // A view's contents outlive the window until they are closed.
  window.once('closed', () => {
    view?.webContents.close();
    view = undefined;
  });

  return {
    open,
    step(isForward) {
      if (text === '') open();
      else page.findInPage(text, { forward: isForward, findNext: false });
    },
  };
}
