// Downloads of real pages: Chromium announces them, the app decides in `will-download`, the "system's dialog" is answered by
// the test, and the bytes are written where it said. Electron: shell/browser/api/electron_api_session.cc, OnDownloadCreated.
import { EventEmitter } from 'node:events';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inside, preventable } from './inside.ts';
import type { Session } from './session.ts';
import { world } from './world.ts';

type SaveOptions = { title?: string; defaultPath?: string; filters?: object[]; properties?: string[] };
type State = 'progressing' | 'completed' | 'cancelled' | 'interrupted';

class DownloadItem extends EventEmitter {
  readonly [inside]: { url: string; name: string; options: SaveOptions; path: string; state: State };

  constructor(url: string, name: string) {
    super();
    this[inside] = { url, name, options: {}, path: '', state: 'progressing' };
  }

  getURL(): string {
    return this[inside].url;
  }

  getFilename(): string {
    return this[inside].name;
  }

  setSaveDialogOptions(options: SaveOptions): void {
    this[inside].options = options;
  }
}

export type { DownloadItem };

type Found = { session: Session; contents: object } | undefined;

/**
 * Follows every download of the browser. `find` answers whose page a frame is in. A download whose page is nobody's, or that
 * the app prevents, is canceled before a byte is kept.
 */
export async function followDownloads(folder: string, find: (frameId: string) => Found): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { browser } = await world.chromium;
  const items = new Map<string, DownloadItem>();
  const cancel = (guid: string, session: Session | undefined) =>
    session?.[inside].contextId
      .then((context) =>
        browser.send('Browser.cancelDownload', {
          guid,
          ...(context === undefined ? {} : { browserContextId: context }),
        }),
      )
      // It may have ended already; nothing of it is kept.
      .catch(() => {});
  browser.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
    const found = find(frameId);
    const item = new DownloadItem(world.addresses.fromChromium(url), suggestedFilename);
    const asked = preventable({});
    found?.session.emit('will-download', asked, item, found.contents);
    const { path, options } = item[inside];
    if (!asked.defaultPrevented && path === '') item[inside].path = world.answerSaveDialog(options) ?? '';
    if (!asked.defaultPrevented && found && item[inside].path !== '') items.set(guid, item);
    else void cancel(guid, found?.session);
  });
  browser.on('Browser.downloadProgress', ({ guid, state, filePath = join(folder, guid) }) => {
    if (state === 'inProgress') return;
    const item = items.get(guid);
    items.delete(guid);
    if (item) {
      if (state === 'completed') copyFileSync(filePath, item[inside].path);
      item[inside].state = state === 'completed' ? 'completed' : 'cancelled';
      item.emit('done', {}, item[inside].state);
    }
    rmSync(filePath, { force: true });
  });
}

/** Makes Chromium announce the downloads of a browser context. */
export async function announceDownloads(folder: string, browserContextId: string | undefined): Promise<void> {
  const { browser } = await world.chromium;
  await browser.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
    ...(browserContextId === undefined ? {} : { browserContextId }),
  });
}
