// Downloads of real pages: Chromium announces them, the app decides in `will-download`, the "system's dialog" is answered by
// the test, and the bytes are written where it said. Electron: shell/browser/api/electron_api_session.cc, OnDownloadCreated.
import type { Download } from 'playwright';
import { preventable } from './inside.ts';
import type { WebContents } from './web-contents.ts';
import { world } from './world.ts';

/** A download that the app prevents, or the user cancels, is canceled before a byte is kept. */
export async function offerDownload(download: Download, contents: WebContents): Promise<void> {
  let saveOptions = {};
  const item = {
    getURL: () => world.addresses.fromChromium(download.url()),
    getFilename: () => download.suggestedFilename(),
    setSaveDialogOptions: (options: object) => void (saveOptions = options),
  };
  const asked = preventable({});
  contents.session.emit('will-download', asked, item, contents);
  const path = asked.defaultPrevented ? undefined : world.answerSaveDialog(saveOptions);
  await (path === undefined ? download.cancel() : download.saveAs(path));
}
