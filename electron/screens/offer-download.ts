// What the screens save (a forecast, connections, diagnostics). The system's save dialog asks for the place.
import { app, type DownloadItem } from 'electron';
import { join } from 'node:path';
import { screensAddress } from '../windows/app-scheme.ts';

/** Lets a download of one of our own pages through, and cancels every other one. Electron asks where to save it. */
export function offerDownload(event: { preventDefault: () => void }, item: DownloadItem): void {
  if (!item.getURL().startsWith(`blob:${screensAddress}`)) {
    event.preventDefault();
    return;
  }
  const name = item.getFilename();
  const [, ending = ''] = /\.([a-z0-9]{1,8})$/i.exec(name) ?? [];
  item.setSaveDialogOptions({
    title: 'Save as',
    defaultPath: join(app.getPath('downloads'), name),
    ...(ending === '' ? {} : { filters: [{ name: ending.toUpperCase(), extensions: [ending] }] }),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
}
