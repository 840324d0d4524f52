// Menus with the roles that do something in the double: what a click does, and keys, as lib/browser/api/menu-item.ts and
// menu-item-roles.ts have them. The double draws nothing, so a role has no label; `press` of a test chooses an item by its own label.
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
  accelerator?: string;
  window?: (window: BrowserWindow) => void;
  contents?: (contents: WebContents) => void;
};

const isMac = (): boolean => process.platform === 'darwin';

/** All others do nothing here: a page gets editing from real keys, and the rest is the system's own. */
const roles: Readonly<Record<string, Role>> = {
  close: { accelerator: 'CommandOrControl+W', window: (window) => window.close() },
  reload: { accelerator: 'CmdOrCtrl+R', window: (window) => window.reload() },
  resetzoom: { accelerator: 'CommandOrControl+0', contents: (at) => (at.zoomLevel = 0) },
  zoomin: { accelerator: 'CommandOrControl+Plus', contents: (at) => (at.zoomLevel += 0.5) },
  zoomout: { accelerator: 'CommandOrControl+-', contents: (at) => (at.zoomLevel -= 0.5) },
};
const silentRoles = `
  copy cut delete editmenu front help hide hideothers minimize paste pasteandmatchstyle redo selectall services toggledevtools togglefullscreen
  undo unhide window zoom
`
  .trim()
  .split(/\s+/);

const types = ['normal', 'separator', 'submenu'];

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
    const role = this.role === undefined || silentRoles.includes(this.role) ? {} : roles[this.role];
    if (!role) throw new Error(`The double does not know the role ${this.role}.`);
    const { submenu } = template;
    this.submenu = submenu === undefined || submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu);
    this.type = template.type ?? (this.submenu ? 'submenu' : 'normal');
    if (!types.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`);
    if (this.type === 'submenu' && !this.submenu) throw new Error('Invalid submenu');
    this.label = template.label ?? '';
    this.accelerator = template.accelerator ?? role.accelerator;
    this.registerAccelerator = template.registerAccelerator ?? true;
    this[inside] = { worksWhenHidden: template.acceleratorWorksWhenHidden ?? true };
    this.enabled = template.enabled ?? true;
    this.visible = template.visible ?? true;
    this.click = (event, window, contents) => {
      if (role.window && window) role.window(window);
      else if (role.contents && contents) role.contents(contents);
      else template.click?.(this, window ?? undefined, event);
    };
  }
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
