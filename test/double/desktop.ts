// What only records: the desktop around the windows. Tests press the menu's and the tray's items, click notifications, wake
// the machine, and look at what was shown.
import { EventEmitter } from 'node:events';
import { inside } from './inside.ts';

type MenuTemplate = {
  label?: string;
  role?: string;
  type?: string;
  id?: string;
  accelerator?: string;
  enabled?: boolean;
  checked?: boolean;
  click?: (...args: unknown[]) => void;
  submenu?: MenuTemplate[] | Menu;
};

class MenuItem {
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly id: string;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  enabled: boolean;
  checked: boolean;
  readonly click: (...args: unknown[]) => void;

  constructor(template: MenuTemplate) {
    const { submenu } = template;
    this.label = template.label ?? template.role ?? '';
    this.role = template.role;
    this.type = template.type ?? (submenu ? 'submenu' : 'normal');
    this.id = template.id ?? '';
    this.accelerator = template.accelerator;
    this.enabled = template.enabled ?? true;
    this.checked = template.checked ?? false;
    this.submenu = submenu instanceof Menu || submenu === undefined ? submenu : Menu.buildFromTemplate(submenu);
    this.click = (...args) => template.click?.(...args);
  }
}

let applicationMenu: Menu | null = null;

export class Menu {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly MenuTemplate[]): Menu {
    const menu = new Menu();
    menu.items.push(...template.map((item) => new MenuItem(item)));
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  getMenuItemById(id: string): MenuItem | null {
    const all = this.items.flatMap((item) => [item, ...(item.submenu ? [item.submenu.getMenuItemById(id)] : [])]);
    return all.find((item) => item?.id === id) ?? null;
  }

  popup(): void {}
}

export class Tray extends EventEmitter {
  readonly [inside]: { image: unknown; tooltip: string; menu: Menu | null; title: string };

  constructor(image: unknown) {
    super();
    this[inside] = { image, tooltip: '', menu: null, title: '' };
  }

  setImage(image: unknown): void {
    this[inside].image = image;
  }

  setToolTip(text: string): void {
    this[inside].tooltip = text;
  }

  setContextMenu(menu: Menu | null): void {
    this[inside].menu = menu;
  }

  isDestroyed(): boolean {
    return false;
  }

  destroy(): void {}
}

export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super();
    this.title = title;
    this.body = body;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    this.emit('show', {});
  }

  close(): void {
    this.emit('close', {});
  }
}

export const nativeImage = {
  createFromPath: (path: string) => ({ path, isEmpty: () => false, setTemplateImage: () => {} }),
  createFromDataURL: (dataUrl: string) => ({ dataUrl, isEmpty: () => false, setTemplateImage: () => {} }),
  createFromBuffer: (buffer: Buffer) => ({ buffer, isEmpty: () => buffer.length === 0, setTemplateImage: () => {} }),
  createEmpty: () => ({ isEmpty: () => true, setTemplateImage: () => {} }),
};

export const shell = {
  openExternal: async (_url: string): Promise<void> => {},
  openPath: async (_path: string): Promise<string> => '',
  showItemInFolder: (_path: string): void => {},
};

export const dialog = {
  showErrorBox: (_title: string, _content: string): void => {},
  showMessageBox: async (..._options: unknown[]) => ({ response: 0, checkboxChecked: false }),
  showSaveDialog: async (..._options: unknown[]) => ({ canceled: true, filePath: '' }),
  showOpenDialog: async (..._options: unknown[]) => ({ canceled: true, filePaths: [] as string[] }),
};

export const clipboard = { writeText: (_text: string): void => {}, readText: (): string => '' };

class PowerMonitor extends EventEmitter {}
export const powerMonitor = new PowerMonitor();

class NativeTheme extends EventEmitter {
  readonly shouldUseDarkColors = false;
  themeSource: 'system' | 'light' | 'dark' = 'system';
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
