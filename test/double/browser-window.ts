// BrowserWindow over a real page. A window that is not sandboxed and isolated is refused at once, so no test can pass with
// one. A hidden window never paints, and so never emits `ready-to-show`, as under Wayland
// (https://github.com/electron/electron/issues/48859).
import { EventEmitter } from 'node:events';
import { inside, markDestroyed, preventable } from './inside.ts';
import { WebContents, type WebPreferences } from './web-contents.ts';
import { world } from './world.ts';

type Bounds = { x: number; y: number; width: number; height: number };
type KeptState = { bounds: Bounds; isMaximized: boolean };
type WindowOptions = Partial<Bounds> & {
  title?: string;
  name?: string;
  windowStatePersistence?: boolean;
  show?: boolean;
  backgroundColor?: string;
  webPreferences?: WebPreferences;
};

const windows = new Set<BrowserWindow>();
/** Told of every window that opened or closed, and of its contents. */
export const windowNews = new EventEmitter();

export class BrowserWindow extends EventEmitter {
  readonly id = world.nextId();
  readonly [inside]: {
    options: WindowOptions;
    contents: WebContents;
    backgroundColor: string;
    overlay: { description: string; isEmpty: boolean } | null;
    /** As the user does it. */
    focus: () => void;
  };
  #bounds: Bounds;
  #title: string;
  #state = {
    isVisible: true,
    isFocused: false,
    isMinimized: false,
    isMaximized: false,
    isGone: false,
  };

  constructor(options: WindowOptions = {}) {
    super();
    if (!world.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    const { title = 'Electron', show = true, webPreferences = {}, x = 80, y = 80, width = 800, height = 600 } = options;
    refuseWeakPreferences(webPreferences);
    const { backgroundColor = '#FFF' } = options;
    this[inside] = {
      options,
      contents: new WebContents(webPreferences),
      backgroundColor,
      overlay: null,
      focus: () => this.#takeFocus(),
    };
    const { name = '', windowStatePersistence = false } = options;
    const names = BrowserWindow.getAllWindows().map((window) => window[inside].options.name);
    if (name !== '' && names.includes(name)) throw new TypeError(`Window name '${name}' is already in use.`);
    const kept = windowStatePersistence ? (world.readPreferences()[name] as KeptState | undefined) : undefined;
    this.#bounds = placed(kept?.bounds ?? { x, y, width, height });
    // Electron maximizes it when it shows (shell/browser/native_window.cc, FlushPendingDisplayMode).
    this.#state.isMaximized = kept?.isMaximized ?? false;
    this.#title = title;
    this.#state.isVisible = show;
    windows.add(this);
    this.webContents.on('page-title-updated', (event: object, text: string) => {
      const asked = preventable(event);
      this.emit('page-title-updated', asked, text, true);
      if (!asked.defaultPrevented) this.#title = text;
    });
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

  get webContents(): WebContents {
    return this[inside].contents;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  reload(): void {
    this.webContents.reload();
  }

  show(): void {
    const wasVisible = this.#state.isVisible;
    this.#state.isVisible = true;
    this.emit('show');
    if (wasVisible) this.focus();
    else this.#takeFocus();
  }

  hide(): void {
    this.#state.isVisible = false;
    this.blur();
    this.emit('hide');
  }

  /** Under Wayland the desktop only points to a window while another program has the focus (electron.d.ts). */
  focus(): void {
    if (!isWayland() || BrowserWindow.getFocusedWindow() !== null) this.#takeFocus();
  }

  #takeFocus(): void {
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

  /** Also ends that a window is maximized (shell/browser/native_window_views.cc). */
  restore(): void {
    if (!this.#state.isMinimized) this.#state.isMaximized = false;
    this.#state.isMinimized = false;
    this.emit('restore');
  }

  /** Shows the window as well, but does not focus it (docs/api/browser-window.md). */
  maximize(): void {
    this.#state.isMaximized = true;
    if (!this.#state.isVisible) {
      this.#state.isVisible = true;
      this.emit('show');
    }
    this.emit('maximize');
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

  isDestroyed(): boolean {
    return this.#state.isGone;
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }

  setBounds(bounds: Partial<Bounds>): void {
    this.#bounds = placed({ ...this.#bounds, ...bounds });
    this.#resizePage();
    this.emit('resize');
    this.emit('move');
  }

  /** Shows nothing but on Windows. */
  setOverlayIcon(overlay: { isEmpty: () => boolean } | null, description: string): void {
    this[inside].overlay = overlay === null ? null : { description, isEmpty: overlay.isEmpty() };
  }

  getTitle(): string {
    return this.#title;
  }

  setBackgroundColor(color: string): void {
    this[inside].backgroundColor = color;
  }

  getBackgroundColor(): string {
    return this[inside].backgroundColor;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  removeMenu(): void {}

  close(): void {
    const asked = preventable({});
    this.emit('close', asked);
    if (!asked.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#state.isGone) return;
    const { page } = this[inside].contents[inside];
    void page.then((target) => target.close()).catch(() => {});
    this.#gone();
  }

  /** A window that closes meanwhile needs no size. */
  #resizePage(): void {
    void this.webContents[inside].page.then((page) => page.resize(this.#bounds)).catch(() => {});
  }

  /** The object is marked before `closed` is emitted (shell/browser/api/electron_api_base_window.cc, OnWindowClosed). */
  #gone(): void {
    if (this.#state.isGone) return;
    this.#state.isGone = true;
    const { name = '', windowStatePersistence = false } = this[inside].options;
    if (windowStatePersistence)
      world.writePreference(name, { bounds: this.#bounds, isMaximized: this.#state.isMaximized } satisfies KeptState);
    this.#state.isFocused = false;
    this[inside].contents[inside].end();
    windows.delete(this);
    // `destroy` may be called again.
    markDestroyed(this, ['destroy']);
    this.emit('closed');
    windowNews.emit('closed', this);
  }
}

/** Under Wayland a program neither knows nor chooses where its windows are (docs/api/base-window.md, `getBounds`). */
function placed(bounds: Bounds): Bounds {
  return isWayland() ? { ...bounds, x: 0, y: 0 } : bounds;
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

function isWayland(): boolean {
  return process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland';
}
