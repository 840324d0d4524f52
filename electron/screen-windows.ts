// The windows that show the screens: sandboxed, isolated, kept on our own pages, back where they were at the last start.
import { join } from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen, type WebContents } from 'electron';
import Store from 'electron-store';
import type { Clock } from '#contract/clock.ts';
import type { Log } from '#core/log.ts';
import { screensAddress } from './app-scheme.ts';
import { keepOnScreens } from './window-guard.ts';
import { placeOnDisplays, readWindowPlace, smallestWindow } from './window-place.ts';

export type ScreenWindows = {
  /** Opens one more window; resolves when it shows the app. */
  open: () => Promise<BrowserWindow>;
  /** Brings a window to the front, opening one where there is none. */
  show: () => void;
  has: (contents: WebContents) => boolean;
};

type Options = { builtFolder: string; profileFolder: string; clock: Clock; log: Log };

const savePauseMs = 500;
const cascade = 32;
const colors = { light: '#f6f8fb', dark: '#0f141b' };

export function createScreenWindows({ builtFolder, profileFolder, clock, log }: Options): ScreenWindows {
  const store = new Store({ cwd: profileFolder, name: 'window', clearInvalidConfig: true });
  const windows = new Set<BrowserWindow>();

  async function open(): Promise<BrowserWindow> {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { bounds, isMaximized, zoomFactor } = placeOnDisplays(readWindowPlace(store.get('place')), areas);
    const window = new BrowserWindow({ ...screenWindowOptions(builtFolder), ...shifted(bounds, windows.size) });
    windows.add(window);
    window.once('closed', () => windows.delete(window));
    keepOnScreens(window.webContents, log);
    window.webContents.once('did-finish-load', () => window.webContents.setZoomFactor(zoomFactor));
    keepPlace(window);
    if (isMaximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    await window.loadURL(screensAddress);
    return window;
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

  return {
    open,
    show() {
      const window = BrowserWindow.getFocusedWindow() ?? [...windows].at(-1);
      if (!window) {
        open().catch((error: unknown) => log.error({ err: error }, 'a window could not be opened'));
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
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
