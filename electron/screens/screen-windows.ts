// The windows that show the screens: sandboxed, isolated, kept on our own pages, back where they were at the last start.
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
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
import { reloadAfterCrash } from './reload-after-crash.ts';
import { fitToDisplays, readWindowPlace, minWindow } from './window-place.ts';

export type ScreenWindows = ReturnType<typeof createScreenWindows>;

type Options = {
  builtFolder: string;
  profileFolder: string;
  iconsFolder: string;
  clock: Clock;
  log: Log;
};

const cascade = 32;
const colors = { light: '#f6f8fb', dark: '#0f141b' };

export function createScreenWindows(options: Options) {
  const { profileFolder, clock, log } = options;
  const store = new Store({ cwd: profileFolder, name: 'window', clearInvalidConfig: true });
  const windows = new Set<BrowserWindow>();

  /**
   * Opens one more window, on the screen of a hash such as `#/monitors`. Resolves when it is visible, with false if it was closed
   * before.
   */
  async function open(hash = ''): Promise<boolean> {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { bounds, isMaximized, zoomFactor } = fitToDisplays(readWindowPlace(store.get('place')), areas);
    const window = new BrowserWindow({ ...screenWindowOptions(options, zoomFactor), ...shifted(bounds, windows.size) });
    windows.add(window);
    window.once('closed', () => windows.delete(window));
    restrictNavigation(window.webContents, log);
    showContextMenu(window.webContents, { openLink: (url) => openOutside(url, log) });
    reloadAfterCrash(window, log);
    savePlace(window);
    const visible = new Promise<void>((resolve) => {
      window.once('show', resolve);
      window.once('closed', resolve);
    });
    showWhenReady(window, clock, () => {
      // It shows the window without focusing it (docs/api/browser-window.md).
      if (isMaximized) window.maximize();
      window.show();
    });
    const loaded = window.loadURL(`${screensAddress}${hash}`).catch((error: unknown) => {
      // Closing a window while it loads is not a failure.
      if (!window.isDestroyed()) throw error;
    });
    await Promise.race([visible, loaded.then(() => visible)]);
    return !window.isDestroyed();
  }

  function savePlace(window: BrowserWindow): void {
    window.on('close', () => {
      const { width, height, ...position } = window.getNormalBounds();
      store.set('place', {
        // Under Wayland every position is 0, 0.
        bounds: isWayland() ? { width, height } : { ...position, width, height },
        isMaximized: window.isMaximized(),
        zoomFactor: window.webContents.getZoomFactor(),
      });
    });
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
    /** Like `open`, for callers that do not wait. */
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
      window.focus();
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

function screenWindowOptions(
  { builtFolder, iconsFolder }: Options,
  zoomFactor: number,
): BrowserWindowConstructorOptions {
  return {
    title: 'Rainbell',
    show: false,
    minWidth: minWindow.width,
    minHeight: minWindow.height,
    backgroundColor: backgroundColor(),
    // Windows and macOS take it from the program; X11 shows a generic one in the dock without it.
    ...(process.platform === 'linux' && { icon: join(iconsFolder, 'linux', '256x256.png') }),
    webPreferences: {
      preload: join(builtFolder, 'preload.cjs'),
      zoomFactor,
      ...isolatedPage,
      // The session's setting decides; see desktop-settings.ts.
      spellcheck: true,
    },
  };
}

function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? colors.dark : colors.light;
}

/** Places a further window a little lower and to the right of the one before. */
function shifted(place: ReturnType<typeof fitToDisplays>['bounds'], count: number): typeof place {
  if (!('x' in place)) return place;
  return { ...place, x: place.x + count * cascade, y: place.y + count * cascade };
}

/** As Electron chooses: https://github.com/electron/electron/blob/main/docs/breaking-changes.md (38.0, `--ozone-platform`). */
function isWayland(): boolean {
  if (process.platform !== 'linux') return false;
  const chosen = app.commandLine.getSwitchValue('ozone-platform');
  return chosen === 'wayland' || (chosen !== 'x11' && process.env['XDG_SESSION_TYPE'] === 'wayland');
}
