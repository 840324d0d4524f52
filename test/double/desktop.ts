// What only records: the desktop around the windows. Tests press the menu's and the tray's items, click notifications, wake
// the machine, and look at what was shown.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { matchesGlob, relative } from 'node:path';
import { packaging } from '#scripts/packaging.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { inside, markDestroyed } from './inside.ts';
import type { Menu } from './menu.ts';
import { world } from './world.ts';

/** What the desktop does with them: `failed` as on a Mac without a signature, `unsupported` as on a Linux without a service for them. */
const notifications = process.env['RAINBELL_DOUBLE_NOTIFICATIONS'] as 'failed' | 'unsupported' | undefined;

type TrayInside = {
  image: unknown;
  tooltip: string;
  menu: Menu | null;
  press: () => { opened: boolean };
};

export class Tray extends EventEmitter {
  readonly [inside]: TrayInside;
  #isDestroyed = false;

  constructor(image: unknown) {
    super();
    if (!world.isReady) throw new Error('Cannot create Tray before app is ready');
    this[inside] = {
      image,
      tooltip: '',
      menu: null,
      // A left click. On a Mac the event comes and the menu opens as well (shell/browser/ui/tray_icon_cocoa.mm); on Windows
      // the menu is for the right button.
      press: () => {
        this.emit('click', {}, { x: 0, y: 0, width: 16, height: 16 }, { x: 0, y: 0 });
        return { opened: process.platform === 'darwin' && this[inside].menu !== null };
      },
    };
    trays.add(this);
  }

  setToolTip(text: string): void {
    this[inside].tooltip = text;
  }

  setContextMenu(menu: Menu | null): void {
    this[inside].menu = menu;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    this.#isDestroyed = true;
    trays.delete(this);
    markDestroyed(this);
  }
}

/** The icons that the system shows. */
export const trays = new Set<Tray>();

export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super();
    if (!world.isReady) throw new Error('Cannot create Notification before app is ready');
    this.title = title;
    this.body = body;
  }

  static isSupported(): boolean {
    return notifications !== 'unsupported';
  }

  show(): void {
    setImmediate(() => {
      if (notifications === 'failed') this.emit('failed', {}, 'Notifications are not allowed for this app');
      else this.emit('show', {});
    });
  }
}

/** A file whose name ends in `Template` is a template image by itself (docs/api/native-image.md). */
class NativeImage {
  isMacTemplateImage: boolean;
  readonly [inside]: { path: string; isEmpty: boolean };

  constructor(path: string, isEmpty: boolean) {
    this[inside] = { path, isEmpty };
    this.isMacTemplateImage = /Template(@\dx)?\.\w+$/.test(path);
  }

  isEmpty(): boolean {
    return this[inside].isEmpty;
  }

  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }
}

/** An installed app has only what the package contains. */
function isInstalled(path: string): boolean {
  if (!world.isPackaged) return true;
  const patterns = [packaging({}).files].flat().filter((pattern) => typeof pattern === 'string');
  return patterns.some((pattern) => matchesGlob(relative(projectFolder, path), pattern));
}

export const nativeImage = {
  createFromPath: (path: string) => new NativeImage(path, !existsSync(path) || !isInstalled(path)),
};

export const shell = {
  beep: (): void => {},
  openExternal: async (_url: string): Promise<void> => {},
  openPath: async (_path: string): Promise<string> => '',
};

export const dialog = {
  showErrorBox: (_title: string, _content: string): void => {},
  showMessageBox: async (..._options: unknown[]) => ({ response: 0, checkboxChecked: false }),
};

export const clipboard = { writeText: async (_text: string): Promise<void> => {} };

class PowerMonitor extends EventEmitter {}
export const powerMonitor = new PowerMonitor();

type ThemeSource = 'system' | 'light' | 'dark';

class NativeTheme extends EventEmitter {
  readonly [inside] = { source: 'system' as ThemeSource };

  get themeSource(): ThemeSource {
    return this[inside].source;
  }

  set themeSource(source: ThemeSource) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`${String(source)} is no theme`);
    if (source === this[inside].source) return;
    this[inside].source = source;
    this.emit('updated', {});
  }

  get shouldUseDarkColors(): boolean {
    return this[inside].source === 'dark';
  }
}
export const nativeTheme = new NativeTheme();

class Screen extends EventEmitter {
  getAllDisplays() {
    return [this.getPrimaryDisplay()];
  }

  getPrimaryDisplay() {
    const area = { x: 0, y: 0, width: 1920, height: 1080 };
    return { id: 1, scaleFactor: 1, bounds: area, workArea: { ...area, y: 24, height: 1056 }, size: area };
  }
}
export const screen = new Screen();
