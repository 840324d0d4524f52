// The tray: how the receiver is, what came since the person last looked, and the way back into the window or out of the
// program. Closing the last window does not quit, since callbacks shall arrive meanwhile; that is said once.
import { join } from 'node:path';
import { app, Menu, type MenuItemConstructorOptions, nativeImage, Notification, Tray } from 'electron';
import type { AppStatus, Notice } from '#contract/procedures/app.ts';
import type { ReceiverRules } from '#contract/procedures/rules.ts';
import { trayWords } from './tray-words.ts';

type Options = {
  iconsFolder: string;
  status: () => AppStatus;
  /** Notices of what changed, until the signal ends them. */
  watch: (signal: AbortSignal) => AsyncIterable<Notice>;
  pause: () => ReceiverRules['pause'];
  setPause: (pause: ReceiverRules['pause']) => Promise<void>;
  showWindow: () => void;
  showScreen: (hash: string) => void;
  quit: () => void;
};

export function showTray(options: Options): { close: () => void } {
  const { status, showScreen, showWindow, quit } = options;
  const tray = new Tray(nativeImage.createFromPath(join(options.iconsFolder, 'tray.png')));
  const stop = new AbortController();
  let seenId = status().newestCallbackId;
  let shown = '';

  function update(): void {
    const present = status();
    const pause = options.pause();
    const words = trayWords(present, Math.max(0, present.newestCallbackId - seenId), pause);
    if (words.tooltip === shown) return;
    shown = words.tooltip;
    tray.setToolTip(words.tooltip);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Rainbell', click: showWindow },
        { label: words.unread, click: () => showScreen('#/callbacks') },
        { label: words.receiver, enabled: false },
        ...pauseItems(pause, options.setPause),
        { type: 'separator' },
        { label: 'Quit', click: quit },
      ]),
    );
  }

  tray.on('click', showWindow);
  app.on('browser-window-focus', () => {
    seenId = status().newestCallbackId;
    update();
  });
  update();
  void follow(options.watch(stop.signal), update);
  return {
    close() {
      stop.abort();
      tray.destroy();
    },
  };
}

/** Pausing is one press; how it answers meanwhile is chosen by the item. */
function pauseItems(pause: ReceiverRules['pause'], setPause: Options['setPause']): MenuItemConstructorOptions[] {
  const to = (next: ReceiverRules['pause']) => () => void setPause(next);
  if (pause !== 'off') return [{ label: 'Go on receiving', click: to('off') }];
  return [
    { label: 'Pause receiving (answer 503)', click: to('refuse') },
    { label: 'Pause receiving (answer 200 and drop)', click: to('drop') },
  ];
}

async function follow(notices: AsyncIterable<Notice>, update: () => void): Promise<void> {
  for await (const { topic } of notices) if (topic === 'status' || topic === 'callbacks') update();
}

/** Tells a person who closed the last window that the app is still there. */
export function explainClosing(): void {
  if (!Notification.isSupported()) return;
  new Notification({
    title: 'Rainbell still receives callbacks',
    body: 'Open its window again from the tray, or by starting it once more. Quit from the tray or the File menu.',
  }).show();
}
