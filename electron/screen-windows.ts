// The windows that show the screens: sandboxed, isolated, kept on our own pages, back where they were at the last start.
import { join } from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen, type WebContents } from 'electron';
import Store from 'electron-store';
import type { Clock } from '#contract/clock.ts';
import type { Log } from '#core/log.ts';
import { screensAddress } from './app-scheme.ts';
import { keepOnScreens } from './window-guard.ts';
import { mendAfterCrash } from './window-mending.ts';
import { placeOnDisplays, readWindowPlace, smallestWindow } from './window-place.ts';

export type ScreenWindows = {
  /**
   * Opens one more window, on the screen of a hash such as `#/monitors`. Resolves when it shows the app, with false where
   * it was closed before.
   */
  open: (hash?: string) => Promise<boolean>;
  /** As `open`, for those who do not wait. */
  openAnother: () => void;
  /** Brings a window to the front, opening one where there is none, and leads it to the screen of the hash. */
  show: (hash?: string) => void;
  /** True once: a person who closed the last window is to be told that the app goes on. */
  shouldExplainClosing: () => boolean;
  has: (contents: WebContents) => boolean;
};

type Options = { builtFolder: string; profileFolder: string; clock: Clock; log: Log };

const savePauseMs = 500;
const cascade = 32;
const colors = { light: '#f6f8fb', dark: '#0f141b' };

export function createScreenWindows({ builtFolder, profileFolder, clock, log }: Options): ScreenWindows {
  const store = new Store({ cwd: profileFolder, name: 'window', clearInvalidConfig: true });
  const windows = new Set<BrowserWindow>();

  async function open(hash = ''): Promise<boolean> {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { bounds, isMaximized, zoomFactor } = placeOnDisplays(readWindowPlace(store.get('place')), areas);
    const window = new BrowserWindow({ ...screenWindowOptions(builtFolder), ...shifted(bounds, windows.size) });
    windows.add(window);
    window.once('closed', () => windows.delete(window));
    keepOnScreens(window.webContents, log);
    window.webContents.once('did-finish-load', () => window.webContents.setZoomFactor(zoomFactor));
    mendAfterCrash(window, { clock, log });
    keepPlace(window);
    if (isMaximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    try {
      await window.loadURL(`${screensAddress}${hash}`);
    } catch (error) {
      // Closing a window while it loads is no failure.
      if (!window.isDestroyed()) throw error;
    }
    return !window.isDestroyed();
  }

  function keepPlace(window: BrowserWindow): void {
    let cancelSave: (() => void) | undefined;
    const save = () => {
      cancelSave?.();
      cancelSave = undefined;
      store.set('place', {
        bounds: window.getNormalBounds(),
        isMaximized: window.isMaximized(),
        zoomFactor: window.webContents.getZoomFactor(),
      });
    };
    const saveSoon = () => {
      cancelSave?.();
      cancelSave = clock.after(savePauseMs, save);
    };
    window.on('resize', saveSoon);
    window.on('move', saveSoon);
    window.on('close', save);
  }

  function openAnother(hash?: string): void {
    open(hash).catch((error: unknown) => log.error({ err: error }, 'a window could not be opened'));
  }

  function lead(window: BrowserWindow, hash: string): void {
    window.webContents.executeJavaScript(`location.hash = ${JSON.stringify(hash)}`).catch((error: unknown) => {
      log.warn({ err: error, hash }, 'a window could not be led to a screen');
    });
  }

  return {
    open,
    openAnother: () => openAnother(),
    show(hash) {
      const window = [...windows].find((candidate) => candidate.isFocused()) ?? [...windows].at(-1);
      if (!window) {
        openAnother(hash);
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (hash !== undefined) lead(window, hash);
    },
    shouldExplainClosing() {
      const isFirst = store.get('closingExplained') !== true;
      store.set('closingExplained', true);
      return isFirst;
    },
    has: (contents) => [...windows].some((window) => window.webContents === contents),
  };
}

function screenWindowOptions(builtFolder: string): BrowserWindowConstructorOptions {
  return {
    title: 'Rainbell',
    show: false,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    backgroundColor: nativeTheme.shouldUseDarkColors ? colors.dark : colors.light,
    webPreferences: {
      preload: join(builtFolder, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  };
}

/** A further window lies a little lower and to the right of the one before. */
function shifted(place: ReturnType<typeof placeOnDisplays>['bounds'], count: number): typeof place {
  if (!('x' in place)) return place;
  return { ...place, x: place.x + count * cascade, y: place.y + count * cascade };
}
