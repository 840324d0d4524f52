// WebContents and its frames, over a real page. The questions that Electron asks an app (may it navigate, redirect, open a
// window) are asked here, and the answers hold.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { offerDownload } from './downloads.ts';
import { inside, markDestroyed, preventable } from './inside.ts';
import { ipcMain } from './ipc-main.ts';
import type { MessagePortMain } from './message-channel.ts';
import type { Challenge, Credentials } from './navigation.ts';
import { type FrameNews, openPage, type PageTarget } from './page-target.ts';
import { type Session, session as sessions } from './session.ts';
import { world } from './world.ts';

export type WebPreferences = {
  preload?: string;
  sandbox?: boolean;
  contextIsolation?: boolean;
  nodeIntegration?: boolean;
  webviewTag?: boolean;
  partition?: string;
  session?: Session;
};

type OpenResponse = { action: 'deny' } | { action: 'allow'; overrideBrowserWindowOptions?: object };
type WindowOpenHandler = (details: { url: string; frameName: string; features: string }) => OpenResponse;

export class WebFrameMain {
  url: string;
  detached = false;
  readonly parent: WebFrameMain | null;
  readonly [inside]: { id: string; contents: WebContents };

  constructor(contents: WebContents, { id, url }: FrameNews, parent: WebFrameMain | null) {
    this.url = url;
    this.parent = parent;
    this[inside] = { id, contents };
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    const { id, contents } = this[inside];
    if (this.detached) throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    void contents[inside].page.then((page) => page.send(id, channel, [message], transfer));
  }
}

export class WebContents extends EventEmitter {
  readonly id = world.nextId();
  readonly session: Session;
  readonly [inside]: {
    preferences: WebPreferences;
    page: Promise<PageTarget>;
    frames: Map<string, WebFrameMain>;
    openHandler: WindowOpenHandler | undefined;
    isGone: boolean;
    isLoading: boolean;
    title: string;
    zoomFactor: number;
    end: () => void;
    hasDevTools: boolean;
  };

  constructor(preferences: WebPreferences) {
    super();
    this.session = preferences.session ?? sessions.fromPartition(preferences.partition ?? '');
    this[inside] = {
      preferences,
      page: this.#open(preferences),
      frames: new Map(),
      openHandler: undefined,
      isGone: false,
      isLoading: false,
      title: '',
      zoomFactor: this.#isKept ? Number(world.readPreferences()['zoom'] ?? 1) : 1,
      end: () => this.#end(),
      hasDevTools: false,
    };
  }

  get mainFrame(): WebFrameMain {
    const main = [...this[inside].frames.values()].find(({ parent }) => parent === null);
    return main ?? new WebFrameMain(this, { id: '', parentId: undefined, url: '', isSameDocument: false }, null);
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this[inside].openHandler = handler;
  }

  async loadURL(url: string): Promise<void> {
    this[inside].isLoading = true;
    try {
      const page = await this[inside].page;
      await this.session[inside].settlePermissions(url);
      await page.load(url);
      this.emit('did-finish-load');
    } catch (error) {
      const { errno = -2, code = '' } = error as { errno?: number; code?: string };
      this.emit('did-fail-load', {}, errno, code, url, true, 0, 0);
      throw error;
    } finally {
      this[inside].isLoading = false;
      this.emit('did-stop-loading');
    }
  }

  reload(): void {
    void this[inside].page.then((page) => page.reload());
  }

  isLoadingMainFrame(): boolean {
    return this[inside].isLoading;
  }

  /** The double opens no tools; `isDevToolsOpened` says whether Electron's would be open. */
  toggleDevTools(): void {
    this[inside].hasDevTools = !this[inside].hasDevTools;
  }

  isDevToolsOpened(): boolean {
    return this[inside].hasDevTools;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  /** Waits until the page is loaded (lib/browser/api/web-contents.ts, waitTillCanExecuteJavaScript). */
  async executeJavaScript(code: string): Promise<unknown> {
    if (this.getURL() === '' || this.isLoadingMainFrame()) {
      await new Promise((resolve) => this.once('did-stop-loading', resolve));
    }
    return (await this[inside].page).evaluate(code);
  }

  setZoomFactor(factor: number): void {
    this[inside].zoomFactor = factor;
    if (this.#isKept) world.writePreference('zoom', factor);
  }

  /** Electron keeps the zoom of each host (shell/browser/zoom_level_delegate.cc); here the default session has one. */
  get #isKept(): boolean {
    return this.session === sessions.defaultSession;
  }

  getZoomFactor(): number {
    return this[inside].zoomFactor;
  }

  /** Each step of one is a fifth larger or smaller (docs/api/web-contents.md, setZoomLevel). */
  get zoomLevel(): number {
    return Math.log(this[inside].zoomFactor) / Math.log(1.2);
  }

  set zoomLevel(level: number) {
    this.setZoomFactor(1.2 ** level);
  }

  isDestroyed(): boolean {
    return this[inside].isGone;
  }

  async #open(preferences: WebPreferences): Promise<PageTarget> {
    const preload = preferences.preload === undefined ? undefined : readFileSync(preferences.preload, 'utf8');
    const context = await this.session[inside].openContext();
    return openPage({ chromium: world.chromium!, context, preload, handlers: this.#handlers() });
  }

  #handlers(): Parameters<typeof openPage>[0]['handlers'] {
    return {
      serve: async (request) =>
        this.session.protocol[inside].get(new URL(request.url).protocol.slice(0, -1))?.(request),
      onIpc: (frameId, channel, args) => {
        const senderFrame = this[inside].frames.get(frameId) ?? null;
        if (this[inside].isGone) return;
        const event = { sender: this, senderFrame, ports: [] };
        ipcMain.emit(channel, event, ...args);
      },
      onKey: (key) => world.pressMenuKey(key, this),
      onFrame: (frame) => this.#frameNavigated(frame),
      onFrameGone: (frameId) => {
        const frame = this[inside].frames.get(frameId);
        if (frame) frame.detached = true;
        this[inside].frames.delete(frameId);
      },
      onTitle: (title) => {
        if (title === this[inside].title || this[inside].isGone) return;
        this[inside].title = title;
        this.emit('page-title-updated', preventable({}), title, true);
      },
      onDomReady: () => void (this.getURL() !== '' && this.emit('dom-ready', {})),
      onNavigate: (url, frameId) => this.#mayNavigate(url, frameId),
      onRedirect: (url, frameId) => this.#mayRedirect(url, frameId),
      onCertificateError: (url) => this.session[inside].acceptsCertificate(url),
      onLogin: (url, challenge) => this.#login(url, challenge),
      // Whatever the app answers: the double opens no popups (test/electron/sign-in/popups.test.ts).
      onOpenWindow: (url) => void this[inside].openHandler?.({ url, frameName: '', features: '' }),
      // A page that is gone lets its downloads end.
      onDownload: (download) => void offerDownload(download, this).catch(() => {}),
      onClosed: () => this.#end(),
    };
  }

  /** shell/browser/login_handler.cc: asked in a task of its own; unless prevented, nothing is given. */
  #login(url: string, challenge: Challenge): Promise<Credentials | undefined> {
    return new Promise((resolve) => {
      const asked = preventable({});
      const give = (username?: string, password?: string) =>
        resolve(username === undefined || password === undefined ? undefined : { username, password });
      this.emit('login', asked, { url, pid: 0 }, challenge, give);
      if (!asked.defaultPrevented) resolve(undefined);
    });
  }

  /** Once, whether the window or the page ended first. */
  #end(): void {
    if (this[inside].isGone) return;
    this[inside].isGone = true;
    for (const frame of this[inside].frames.values()) frame.detached = true;
    markDestroyed(this);
    this.emit('destroyed');
  }

  #frameNavigated(news: FrameNews): void {
    const { frames } = this[inside];
    const known = frames.get(news.id);
    if (known) known.url = news.url;
    else frames.set(news.id, new WebFrameMain(this, news, frames.get(news.parentId ?? '') ?? null));
    if (frames.get(news.id)?.parent || ['', 'about:blank'].includes(news.url)) return;
    if (news.isSameDocument) this.emit('did-navigate-in-page', {}, news.url, true, 0, 0);
    else this.emit('did-navigate', {}, news.url, 200, 'OK');
  }

  #mayNavigate(url: string, frameId: string): boolean {
    const frame = this[inside].frames.get(frameId) ?? null;
    const isMainFrame = !frame?.parent;
    const details = { url, isMainFrame, isSameDocument: false, frame, initiator: frame };
    const asked = preventable(details);
    this.emit('will-frame-navigate', asked);
    if (asked.defaultPrevented || !isMainFrame) return !asked.defaultPrevented;
    const secondNavigation = preventable(details);
    this.emit('will-navigate', secondNavigation, url, false, true, 0, 0);
    return !secondNavigation.defaultPrevented;
  }

  #mayRedirect(url: string, frameId: string): boolean {
    const frame = this[inside].frames.get(frameId) ?? null;
    const asked = preventable({ url, isMainFrame: !frame?.parent, isSameDocument: false, frame, initiator: frame });
    this.emit('will-redirect', asked, url, false, asked.isMainFrame, 0, 0);
    return !asked.defaultPrevented;
  }
}
