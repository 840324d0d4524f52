// The windows that show the screens: sandboxed, isolated, kept on our own pages, back where they were at the last start.
import { join } from 'node:path';
import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  dialog,
  nativeTheme,
  screen,
  type WebContents,
} from 'electron';
import Store from 'electron-store';
import type { Clock, CommandId } from '@rainbell/shared';
import type { Log } from '@rainbell/core';
import { screensAddress } from '../windows/app-scheme.ts';
import { showContextMenu } from '../windows/context-menu.ts';
import { showWhenReady } from '../windows/show-when-ready.ts';
import { isolatedPage } from '../windows/web-preferences.ts';
import { restrictNavigation, openOutside } from './window-guard.ts';

export type ScreenWindows = ReturnType<typeof createScreenWindows>;

type Options = {
  builtFolder: string;
  profileFolder: string;
  iconsFolder: string;
  clock: Clock;
  log: Log;
};

/** How far below and to the right of the front window another one opens. */
const cascade = 32;
const colors = { light: '#f6f8fb', dark: '#0f141b' };

export function createScreenWindows(options: Options) {
  const { profileFolder, clock, log } = options;
  const store = new Store({ cwd: profileFolder, name: 'window', clearInvalidConfig: true });
  const windows = new Set<BrowserWindow>();

  /** Opens a window at a hash such as `#/monitors`. Resolves when it is visible, with false if it was closed before. */
  async function open(hash = ''): Promise<boolean> {
    const window = new BrowserWindow({ ...screenWindowOptions(options), ...placeBeside(frontWindow()) });
    windows.add(window);
    window.once('closed', () => windows.delete(window));
    restrictNavigation(window.webContents, log);
    showContextMenu(window.webContents, { openLink: (url) => openOutside(url, log) });
    reloadAfterCrash(window, log);
    const visible = new Promise<void>((resolve) => {
      window.once('show', resolve);
      window.once('closed', resolve);
    });
    showWhenReady(window, clock);
    const loaded = window.loadURL(`${screensAddress}${hash}`).catch((error: unknown) => {
      // Closing a window while it loads is not a failure.
      if (!window.isDestroyed()) throw error;
    });
    await Promise.race([visible, loaded.then(() => visible)]);
    return !window.isDestroyed();
  }

  nativeTheme.on('updated', () => {
    for (const window of windows) window.setBackgroundColor(backgroundColor());
  });

  function openAnother(hash?: string): void {
    open(hash).catch((error: unknown) => log.error({ err: error }, 'a window could not be opened'));
  }

  function lead(window: BrowserWindow, hash: string): void {
    window.webContents.executeJavaScript(`location.hash = ${JSON.stringify(hash)}`).catch((error: unknown) => {
      log.warn({ err: error, hash }, 'a window could not be switched to a screen');
    });
  }

  const frontWindow = () => [...windows].find((candidate) => candidate.isFocused()) ?? [...windows].at(-1);

  return {
    open,
    openAnother: (): void => openAnother(),
    /** Runs a command of the app's table in the front window; opens one instead if none is open. */
    run(command: CommandId) {
      const window = frontWindow();
      if (!window) {
        openAnother();
        return;
      }
      window.show();
      const event = `new CustomEvent('rainbell-command', { detail: ${JSON.stringify(command)} })`;
      window.webContents.executeJavaScript(`window.dispatchEvent(${event})`).catch((error: unknown) => {
        log.warn({ err: error, command }, 'a menu command could not be run');
      });
    },
    /** Brings a window to the front, opening one if none is open, and shows the screen of the hash in it. */
    show(hash?: string) {
      const window = frontWindow();
      if (!window) {
        openAnother(hash);
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      if (hash !== undefined) lead(window, hash);
    },
    /** True once: after the user closed the last window for the first time, to explain that the app keeps running. */
    shouldExplainClosing(): boolean {
      const isFirst = store.get('closingExplained') !== true;
      store.set('closingExplained', true);
      return isFirst;
    },
    has: (contents: WebContents): boolean => [...windows].some((window) => window.webContents === contents),
  };
}

function screenWindowOptions({ builtFolder, iconsFolder }: Options): BrowserWindowConstructorOptions {
  return {
    title: 'Rainbell',
    show: false,
    minWidth: 640,
    minHeight: 400,
    backgroundColor: backgroundColor(),
    // Windows and macOS take it from the program; X11 shows a generic one in the dock without it.
    ...(process.platform === 'linux' && { icon: join(iconsFolder, 'linux', '256x256.png') }),
    webPreferences: {
      preload: join(builtFolder, 'preload.cjs'),
      ...isolatedPage,
      // The session's setting decides; see desktop-settings.ts.
      spellcheck: true,
    },
  };
}

function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? colors.dark : colors.light;
}

/**
 * Electron stores the place of the window with a name, and brings it into view if a display is gone (RestoreBounds in
 * shell/browser/native_window.cc); the zoom it stores for the host of all windows (shell/browser/zoom_level_delegate.cc).
 */
function placeBeside(front: BrowserWindow | undefined): BrowserWindowConstructorOptions {
  if (front) {
    const { x, y, width, height } = front.getNormalBounds();
    return { x: x + cascade, y: y + cascade, width, height };
  }
  const { width, height } = screen.getPrimaryDisplay().workArea;
  return {
    // Under Wayland Electron would store 0, 0 as the position, and open the window there in the next X11 session.
    name: process.env['XDG_SESSION_TYPE'] === 'wayland' ? 'screens under Wayland' : 'screens',
    windowStatePersistence: true,
    width: Math.min(1280, width),
    height: Math.min(860, height),
  };
}

/** Offers to reload a window whose page stopped working: its renderer crashed or ran out of memory. Core keeps running. */
export function reloadAfterCrash(window: BrowserWindow, log: Log): void {
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason, exitCode }, 'a window’s page stopped working');
    promptToReload(window).catch((error: unknown) =>
      log.error({ err: error }, 'the prompt to reload a stopped window could not be shown'),
    );
  });
  window.on('unresponsive', () => log.warn('a window’s page is not responding'));
  window.on('responsive', () => log.warn('a window’s page is responding again'));
}

async function promptToReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Rainbell',
    message: 'The page in this window stopped working.',
    detail:
      process.platform === 'darwin'
        ? 'Callbacks are still being received, but unsaved changes in the window were lost. Reload the page, or close the window and open it later from the Dock or the menu bar.'
        : 'Callbacks are still being received, but unsaved changes in the window were lost. Reload the page, or close the window and open it later from the tray.',
    buttons: ['Reload', 'Close the window'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.webContents.reload();
  else window.destroy();
}
