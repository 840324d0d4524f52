// What the screens save (a forecast, connections, diagnostics): the system's own dialog asks where to, as it does when a file
// is chosen to be read. Whatever is not made by one of our own pages is not downloaded.
import { app, type Session } from 'electron';
import { join } from 'node:path';
import { screensAddress } from './app-scheme.ts';

/** Electron asks by the system's dialog where no path is set. */
export function offerDownloads(session: Session): void {
  session.on('will-download', (event, item) => {
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
  });
}
