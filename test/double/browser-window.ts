// BrowserWindow over a real page. A window that is not sandboxed and isolated is refused at once, so no test can pass with
// one.
import { EventEmitter } from 'node:events';
import { inside, preventable } from './inside.ts';
import { WebContents, type WebPreferences } from './web-contents.ts';
import { world } from './world.ts';

type Bounds = { x: number; y: number; width: number; height: number };
type WindowOptions = Partial<Bounds> & { title?: string; show?: boolean; webPreferences?: WebPreferences };

const windows = new Set<BrowserWindow>();
/** Told of every window that opened or closed, and of its contents. */
export const windowNews = new EventEmitter();

export class BrowserWindow extends EventEmitter {
  readonly id = world.nextId();
  readonly webContents: WebContents;
  readonly [inside]: { options: WindowOptions };
  #bounds: Bounds;
  #title: string;
  #state = {
    isVisible: true,
    isFocused: false,
    isMinimized: false,
    isMaximized: false,
    isFullScreen: false,
    isGone: false,
  };

  constructor(options: WindowOptions = {}) {
    super();
    if (!world.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    const { title = 'Electron', show = true, webPreferences = {}, x = 80, y = 80, width = 800, height = 600 } = options;
    refuseWeakPreferences(webPreferences);
    this[inside] = { options };
    this.#bounds = { x, y, width, height };
    this.#title = title;
    this.#state.isVisible = show;
    this.webContents = new WebContents(webPreferences);
    windows.add(this);
    this.webContents.on('page-title-updated', (event: object, text: string) => {
      const asked = preventable(event);
      this.emit('page-title-updated', asked, text, true);
      if (!asked.defaultPrevented) this.#title = text;
    });
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    this.webContents.once('destroyed', () => this.#gone());
    this.#resizePage();
    windowNews.emit('contents', this.webContents);
    windowNews.emit('opened', this);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }

  static getFocusedWindow(): BrowserWindow | null {
    return [...windows].find((window) => window.isFocused()) ?? null;
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return [...windows].find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  show(): void {
    this.#state.isVisible = true;
    this.emit('show');
    this.focus();
  }

  hide(): void {
    this.#state.isVisible = false;
    this.blur();
    this.emit('hide');
  }

  focus(): void {
    for (const other of windows) if (other !== this) other.blur();
    this.#state.isFocused = true;
    this.emit('focus');
    windowNews.emit('focused', this);
  }

  blur(): void {
    if (!this.#state.isFocused) return;
    this.#state.isFocused = false;
    this.emit('blur');
  }

  minimize(): void {
    this.#state.isMinimized = true;
    this.emit('minimize');
  }

  restore(): void {
    this.#state.isMinimized = false;
    this.emit('restore');
  }

  maximize(): void {
    this.#state.isMaximized = true;
    this.emit('maximize');
  }

  unmaximize(): void {
    this.#state.isMaximized = false;
    this.emit('unmaximize');
  }

  isVisible(): boolean {
    return this.#state.isVisible;
  }

  isFocused(): boolean {
    return this.#state.isFocused;
  }

  isMinimized(): boolean {
    return this.#state.isMinimized;
  }

  isMaximized(): boolean {
    return this.#state.isMaximized;
  }

  isFullScreen(): boolean {
    return this.#state.isFullScreen;
  }

  isDestroyed(): boolean {
    return this.#state.isGone;
  }

  getBounds(): Bounds {
    return { ...this.#bounds };
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }

  setBounds(bounds: Partial<Bounds>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.#resizePage();
    this.emit('resize');
    this.emit('move');
  }

  getTitle(): string {
    return this.#title;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  setMenu(): void {}

  setMenuBarVisibility(): void {}

  removeMenu(): void {}

  close(): void {
    const asked = preventable({});
    this.emit('close', asked);
    if (!asked.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#state.isGone) return;
    void this.webContents[inside].page.then((page) => page.close()).catch(() => {});
    this.#gone();
  }

  /** A window that closes meanwhile needs no size. */
  #resizePage(): void {
    void this.webContents[inside].page.then((page) => page.resize(this.#bounds)).catch(() => {});
  }

  #gone(): void {
    if (this.#state.isGone) return;
    this.#state.isGone = true;
    this.#state.isFocused = false;
    this.webContents[inside].isGone = true;
    windows.delete(this);
    this.emit('closed');
    windowNews.emit('closed', this);
  }
}

function refuseWeakPreferences({ sandbox, contextIsolation, nodeIntegration, webviewTag }: WebPreferences): void {
  const weak = [
    sandbox === true ? '' : 'sandbox is not true',
    contextIsolation === true ? '' : 'contextIsolation is not true',
    nodeIntegration === true ? 'nodeIntegration is true' : '',
    webviewTag === true ? 'webviewTag is true' : '',
  ].filter((words) => words !== '');
  if (weak.length > 0) throw new Error(`A window without its protections was refused: ${weak.join(', ')}.`);
}
