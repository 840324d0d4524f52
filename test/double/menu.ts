// Menus with their roles: labels, accelerators, submenus and what a click does, as lib/browser/api/menu-item.ts and
// menu-item-roles.ts have them. The double draws nothing; `press` does what the system's menu does with a chosen item.
import { inside } from './inside.ts';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import type { Key } from './preload-world.ts';
import type { WebContents } from './web-contents.ts';
import { world } from './world.ts';

export type MenuTemplate = {
  label?: string;
  role?: string;
  type?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  acceleratorWorksWhenHidden?: boolean;
  enabled?: boolean;
  visible?: boolean;
  click?: (...args: unknown[]) => void;
  submenu?: readonly MenuTemplate[] | Menu;
};

type Role = {
  label?: string;
  accelerator?: string;
  /** The system does it on a Mac, so a click there does not reach JavaScript. */
  isNativeOnMac?: boolean;
  window?: (window: BrowserWindow) => void;
  contents?: (contents: WebContents) => void;
};

const isMac = (): boolean => process.platform === 'darwin';
/** What the system's editing does in a page; the double leaves it to real keys. */
const edits = (label: string, accelerator?: string): Role => ({
  label,
  ...(accelerator === undefined ? {} : { accelerator }),
  isNativeOnMac: true,
  contents: () => {},
});
const native = (label: string, accelerator?: string): Role => ({
  label,
  ...(accelerator === undefined ? {} : { accelerator }),
  isNativeOnMac: true,
});

/** Made anew each time, because labels hold the app's name and the platform may be a chosen one. */
function roles(): Record<string, Role> {
  const mac = isMac();
  const windows = process.platform === 'win32';
  return {
    close: {
      ...native(mac ? 'Close Window' : 'Close', 'CommandOrControl+W'),
      window: (window) => window.close(),
    },
    copy: edits('Copy', 'CommandOrControl+C'),
    cut: edits('Cut', 'CommandOrControl+X'),
    paste: edits('Paste', 'CommandOrControl+V'),
    pasteandmatchstyle: edits('Paste and Match Style', mac ? 'Cmd+Option+Shift+V' : 'Shift+CommandOrControl+V'),
    delete: edits('Delete'),
    selectall: edits('Select All', 'CommandOrControl+A'),
    undo: edits('Undo', 'CommandOrControl+Z'),
    redo: edits('Redo', windows ? 'Control+Y' : 'Shift+CommandOrControl+Z'),
    reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', window: (window) => window.reload() },
    front: native('Bring All to Front'),
    help: native('Help'),
    hide: native(`Hide ${app.name}`, 'Command+H'),
    hideothers: native('Hide Others', 'Command+Alt+H'),
    unhide: native('Show All'),
    minimize: { ...native('Minimize', 'CommandOrControl+M'), window: (window) => window.minimize() },
    resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', contents: (at) => (at.zoomLevel = 0) },
    zoomin: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', contents: (at) => (at.zoomLevel += 0.5) },
    zoomout: { label: 'Zoom Out', accelerator: 'CommandOrControl+-', contents: (at) => (at.zoomLevel -= 0.5) },
    services: native('Services'),
    toggledevtools: {
      label: 'Toggle Developer Tools',
      accelerator: mac ? 'Alt+Command+I' : 'Ctrl+Shift+I',
      contents: (at) => at.toggleDevTools(),
    },
    togglefullscreen: {
      ...native('Toggle Full Screen', mac ? 'Control+Command+F' : 'F11'),
      window: (window) => window.setFullScreen(!window.isFullScreen()),
    },
    window: native('Window'),
    zoom: native('Zoom'),
  };
}

const types = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

export class MenuItem {
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly registerAccelerator: boolean;
  readonly [inside]: { worksWhenHidden: boolean };
  readonly submenu: Menu | undefined;
  enabled: boolean;
  visible: boolean;
  /** Does nothing for a role of a window or page unless it is told which: the system's menu tells, a caller must. */
  readonly click: (event?: unknown, window?: BrowserWindow | null, contents?: WebContents | null) => void;

  constructor(template: MenuTemplate) {
    this.role = template.role?.toLowerCase();
    const role = this.role === undefined ? undefined : roles()[this.role];
    if (this.role !== undefined && !role) throw new Error(`The double does not know the role ${this.role}.`);
    const { submenu } = template;
    this.submenu = submenu === undefined || submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu);
    this.type = template.type ?? (this.submenu ? 'submenu' : 'normal');
    if (!types.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`);
    if (this.type === 'submenu' && !this.submenu) throw new Error('Invalid submenu');
    this.label = template.label ?? role?.label ?? '';
    this.accelerator = template.accelerator ?? role?.accelerator;
    this.registerAccelerator = template.registerAccelerator ?? true;
    this[inside] = { worksWhenHidden: template.acceleratorWorksWhenHidden ?? true };
    this.enabled = template.enabled ?? true;
    this.visible = template.visible ?? true;
    this.click = (event, window, contents) => {
      if (!execute(role, window, contents)) template.click?.(this, window ?? undefined, event);
    };
  }
}

/** True where the role did it; then the item's own `click` is not called. */
function execute(role: Role | undefined, window: BrowserWindow | null = null, contents: WebContents | null = null) {
  if (!role || (isMac() && role.isNativeOnMac)) return false;
  if (role.window && window) role.window(window);
  else if (role.contents && contents) role.contents(contents);
  else return false;
  return true;
}

let applicationMenu: Menu | null = null;

export class Menu {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly MenuTemplate[]): Menu {
    const menu = new Menu();
    for (const item of template) {
      if (item.label === undefined && item.role === undefined && item.type === undefined) {
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
      }
      menu.items.push(new MenuItem(item));
    }
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
    world.pressMenuKey = (key, contents) => {
      const window = BrowserWindow.fromWebContents(contents as WebContents);
      if (menu !== null && window !== null) itemOfKey(menu, key)?.click({}, window, window.webContents);
    };
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  /** The last context menu of the app, which a test presses. */
  popup(): void {
    app[inside].contextMenu = this;
  }
}

function everyItem(menu: Menu): MenuItem[] {
  return menu.items.flatMap((item) => [item, ...(item.submenu ? everyItem(item.submenu) : [])]);
}

/** On a Mac the menu has the keys of every item: `registerAccelerator` is for the other systems (electron.d.ts). */
function itemOfKey(menu: Menu, key: Key): MenuItem | undefined {
  return everyItem(menu).find(
    (item) =>
      item.enabled &&
      item.accelerator !== undefined &&
      (item.registerAccelerator || isMac()) &&
      (item.visible || item[inside].worksWhenHidden || !isMac()) &&
      isKeyOf(item.accelerator, key),
  );
}

function isKeyOf(accelerator: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): boolean {
  const parts = accelerator.toLowerCase().split('+');
  const has = (...names: string[]) => names.some((name) => parts.includes(name));
  const isCommandOrControl = has('cmdorctrl', 'commandorcontrol');
  const name = parts.at(-1);
  return (
    (name === 'plus' ? '+' : name) === key.toLowerCase() &&
    ctrlKey === (has('ctrl', 'control') || (isCommandOrControl && !isMac())) &&
    metaKey === (has('cmd', 'command', 'super', 'meta') || (isCommandOrControl && isMac())) &&
    altKey === has('alt', 'option') &&
    // Plus is a key with Shift (shell/common/keyboard_util.cc).
    shiftKey === (has('shift') || name === 'plus')
  );
}
