// WebContents and its frames, over a real page. The questions that Electron asks an app (may it navigate, redirect, open a
// window) are asked here, and the answers hold.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { inside, preventable } from './inside.ts';
import { ipcMain } from './ipc-main.ts';
import type { MessagePortMain } from './message-channel.ts';
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

type WindowOpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

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
    void contents[inside].page.then((page) => page.send(id, channel, [message], transfer));
  }

  async executeJavaScript(code: string): Promise<unknown> {
    const { id, contents } = this[inside];
    return (await contents[inside].page).evaluate(this.parent === null ? undefined : id, code);
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
    title: string;
    zoomFactor: number;
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
      title: '',
      zoomFactor: 1,
    };
  }

  get mainFrame(): WebFrameMain {
    const main = [...this[inside].frames.values()].find(({ parent }) => parent === null);
    return main ?? new WebFrameMain(this, { id: '', parentId: undefined, url: '' }, null);
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this[inside].openHandler = handler;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this[inside].page;
    await this.session[inside].settlePermissions(url);
    try {
      await page.load(url);
    } catch (error) {
      const { errno = -2, code = '' } = error as { errno?: number; code?: string };
      this.emit('did-fail-load', {}, errno, code, url, true, 0, 0);
      throw error;
    }
    this.emit('did-finish-load');
  }

  reload(): void {
    void this[inside].page.then((page) => page.reload());
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  getTitle(): string {
    return this[inside].title;
  }

  executeJavaScript(code: string): Promise<unknown> {
    return this.mainFrame.executeJavaScript(code);
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.mainFrame.postMessage(channel, message, transfer);
  }

  send(channel: string, ...args: unknown[]): void {
    const { id } = this.mainFrame[inside];
    void this[inside].page.then((page) => page.send(id, channel, args, []));
  }

  setZoomFactor(factor: number): void {
    this[inside].zoomFactor = factor;
  }

  getZoomFactor(): number {
    return this[inside].zoomFactor;
  }

  isDestroyed(): boolean {
    return this[inside].isGone;
  }

  focus(): void {}

  stop(): void {}

  #open(preferences: WebPreferences): Promise<PageTarget> {
    const preload = preferences.preload === undefined ? undefined : readFileSync(preferences.preload, 'utf8');
    return Promise.all([world.chromium, this.session[inside].contextId]).then(([chromium, contextId]) =>
      openPage({ chromium, addresses: world.addresses, contextId, preload, handlers: this.#handlers() }),
    );
  }

  #handlers(): Parameters<typeof openPage>[0]['handlers'] {
    return {
      serve: async (request) =>
        this.session.protocol[inside].get(new URL(request.url).protocol.slice(0, -1))?.(request),
      onIpc: (frameId, channel, args) => {
        const senderFrame = this[inside].frames.get(frameId) ?? null;
        ipcMain.emit(channel, { sender: this, senderFrame, ports: [] }, ...args);
      },
      onFrame: (frame) => this.#frameNavigated(frame),
      onFrameGone: (frameId) => {
        const frame = this[inside].frames.get(frameId);
        if (frame) frame.detached = true;
        this[inside].frames.delete(frameId);
      },
      onTitle: (title) => {
        if (title === this[inside].title) return;
        this[inside].title = title;
        this.emit('page-title-updated', preventable({}), title, true);
      },
      onNavigate: (url, frameId) => this.#mayNavigate(url, frameId),
      onRedirect: (url, frameId) => this.#mayRedirect(url, frameId),
      onCertificateError: (url) => this.session[inside].acceptsCertificate(url),
      onOpenWindow: (url) => void this[inside].openHandler?.({ url }),
      onCrashed: () => void this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 }),
      onClosed: () => {
        this[inside].isGone = true;
        for (const frame of this[inside].frames.values()) frame.detached = true;
        this.emit('destroyed');
      },
    };
  }

  #frameNavigated(news: FrameNews): void {
    const { frames } = this[inside];
    const known = frames.get(news.id);
    if (known) known.url = news.url;
    else frames.set(news.id, new WebFrameMain(this, news, frames.get(news.parentId ?? '') ?? null));
    if (!frames.get(news.id)?.parent && news.url !== 'about:blank') this.emit('did-navigate', {}, news.url, 200, 'OK');
  }

  #mayNavigate(url: string, frameId: string): boolean {
    const frame = this[inside].frames.get(frameId) ?? null;
    const isMainFrame = !frame?.parent;
    const details = { url, isMainFrame, isSameDocument: false, frame, initiator: frame };
    const asked = preventable(details);
    this.emit('will-frame-navigate', asked);
    if (asked.defaultPrevented || !isMainFrame) return !asked.defaultPrevented;
    const askedAgain = preventable(details);
    this.emit('will-navigate', askedAgain, url, false, true, 0, 0);
    return !askedAgain.defaultPrevented;
  }

  #mayRedirect(url: string, frameId: string): boolean {
    const frame = this[inside].frames.get(frameId) ?? null;
    const asked = preventable({ url, isMainFrame: !frame?.parent, isSameDocument: false, frame, initiator: frame });
    this.emit('will-redirect', asked, url, false, asked.isMainFrame, 0, 0);
    return !asked.defaultPrevented;
  }
}
