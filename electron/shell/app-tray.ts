// The tray icon: the receiver's state, what arrived since the user last looked, and the way back into a window or out of the app.
// Closing the last window does not quit, because callbacks keep arriving; the first time, a notification explains that.
import { join } from 'node:path';
import { app, BrowserWindow, Menu, nativeImage, Tray } from 'electron';
import type { AppStatus, Notice } from '@rainbell/contract/app-rpc';
import type { HostNotice } from '@rainbell/core';
import { plural } from '@rainbell/shared';

type Options = {
  iconsFolder: string;
  status: () => AppStatus;
  /** Notices of what changed, until the signal ends them. */
  watch: (signal: AbortSignal) => AsyncIterable<Notice>;
  isPaused: () => boolean;
  showWindow: () => void;
  showScreen: (hash: string) => void;
  /** Shows how many callbacks arrived since the user last looked, on the app's icon. */
  showUnread: (count: number) => void;
  quit: () => void;
};

export function showTray(options: Options) {
  const { status, showScreen, showWindow, quit } = options;
  const isMac = process.platform === 'darwin';
  // A Mac draws a template image in the menu bar's own color; the file's name makes it one.
  const tray = new Tray(nativeImage.createFromPath(join(options.iconsFolder, isMac ? 'trayTemplate.png' : 'tray.png')));
  const stop = new AbortController();
  let seenId = status().newestCallbackId;
  let shown = '';

  function update(): void {
    const present = status();
    // A user with a focused window sees what arrives.
    if (BrowserWindow.getFocusedWindow() !== null) seenId = present.newestCallbackId;
    const unreadCount = Math.max(0, present.newestCallbackId - seenId);
    const words = formatTray(present, unreadCount, options.isPaused());
    if (words.tooltip === shown) return;
    options.showUnread(unreadCount);
    shown = words.tooltip;
    tray.setToolTip(words.tooltip);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Rainbell', click: showWindow },
        { label: words.unread, click: () => showScreen('#/callbacks') },
        { label: words.receiver, enabled: false },
        { type: 'separator' },
        { label: 'Quit', click: quit },
      ]),
    );
  }

  // On a Mac a click opens the menu, and Electron emits `click` as well: a window would cover the menu.
  if (!isMac) tray.on('click', showWindow);
  app.on('browser-window-focus', update);
  update();
  void follow(options.watch(stop.signal), update);
  return {
    /** The app is closing: the icon stays and shows that; its menu no longer does anything. */
    disable() {
      stop.abort();
      app.off('browser-window-focus', update);
      tray.removeAllListeners('click');
      tray.setToolTip('Rainbell is closing…');
      tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Closing…', enabled: false }]));
    },
    close: (): void => tray.destroy(),
  };
}

async function follow(notices: AsyncIterable<Notice>, update: () => void): Promise<void> {
  for await (const { topic } of notices) if (topic === 'status' || topic === 'callbacks') update();
}

export function formatUnread(count: number): string {
  return plural(count, ['# new callback', '# new callbacks']);
}

function formatTray({ receiver }: Pick<AppStatus, 'receiver'>, unreadCount: number, isPaused: boolean) {
  const receiverText = isPaused ? 'receiver is paused and responds with 503' : formatReceiverState(receiver);
  const unread = formatUnread(unreadCount);
  return {
    receiver: receiverText,
    unread,
    tooltip: unreadCount === 0 ? `Rainbell – ${receiverText}` : `Rainbell – ${unread} – ${receiverText}`,
  };
}

function formatReceiverState({ state, baseUrl }: AppStatus['receiver']): string {
  if (state === 'listening') {
    return baseUrl === null ? 'receiver on an unknown port' : `receiver on ${baseUrl.replace(/^https?:\/\//, '')}`;
  }
  return state === 'starting' ? 'receiver is starting' : 'receiver is not listening';
}

/** Explains to a user who closed the last window that the app still runs, how to open a window, and how to quit. */
export function closingNotice(platform: NodeJS.Platform): HostNotice {
  return {
    title: 'Rainbell is still receiving callbacks',
    body:
      platform === 'darwin'
        ? 'Click here, the Dock icon, or the menu bar icon to open a window. To quit, choose Quit in the menu bar icon’s menu.'
        : 'Click here, use the tray icon, or start Rainbell again to open a window. To quit, choose Quit in the tray icon’s menu or in a window’s File menu.',
  };
}
