// The number of unread callbacks on the app's icon: a badge in the Dock and in some Linux docks, a dot on the Windows taskbar.
import { join } from 'node:path';
import { app, BrowserWindow, nativeImage } from 'electron';
import { formatUnread } from './app-tray.ts';

/** Returns the function that shows a count; 0 shows nothing. */
export function createUnreadBadge(iconsFolder: string): (count: number) => void {
  if (process.platform !== 'win32') return (count) => void app.setBadgeCount(count);
  const dot = nativeImage.createFromPath(join(iconsFolder, 'unread.png'));
  let shown = 0;
  const show = (window: BrowserWindow) =>
    window.setOverlayIcon(shown === 0 ? null : dot, shown === 0 ? '' : formatUnread(shown));
  // The taskbar button of a window exists once the window is shown.
  app.on('browser-window-created', (_event, window) => window.once('show', () => show(window)));
  return (count) => {
    shown = count;
    for (const window of BrowserWindow.getAllWindows()) show(window);
  };
}
