// One real page of Chromium: made, given its preload, watched and driven.
import { EventEmitter, once } from 'node:events';
import type { Addresses } from './addresses.ts';
import type { Chromium, Session } from './cdp.ts';
import type { MessagePortMain } from './message-channel.ts';
import { type Navigation, type NavigationHandlers, watchNavigation } from './navigation.ts';
import { bridgePage, type PageBridge } from './page-bridge.ts';
import { type Key, worldName, worldSource } from './preload-world.ts';

export type FrameNews = { id: string; parentId: string | undefined; url: string; isSameDocument: boolean };

export type PageHandlers = NavigationHandlers & {
  onIpc: (frameId: string, channel: string, args: unknown[]) => void;
  onKey: (key: Key) => void;
  onFrame: (frame: FrameNews) => void;
  onFrameGone: (frameId: string) => void;
  onTitle: (title: string) => void;
  /** The document of the main frame is there; what it names may still be loading. */
  onDomReady: () => void;
  onOpenWindow: (url: string) => void;
  /** Chromium refuses a certificate; true accepts it all the same. */
  onCertificateError: (url: string) => Promise<boolean>;
  /** Its renderer is gone. */
  onCrashed: () => void;
  onClosed: () => void;
};

export type PageTarget = {
  targetId: string;
  /** Resolves when it is loaded; rejects as Electron's loadURL does. */
  load: (address: string) => Promise<void>;
  reload: () => Promise<void>;
  evaluate: (frameId: string | undefined, code: string) => Promise<unknown>;
  send: (frameId: string, channel: string, args: unknown[], ports: readonly MessagePortMain[]) => void;
  resize: (size: { width: number; height: number }) => Promise<void>;
  close: () => Promise<void>;
};

type Options = {
  chromium: Chromium;
  addresses: Addresses;
  contextId: string | undefined;
  preload: string | undefined;
  handlers: PageHandlers;
};

type Parts = { session: Session; targetId: string; browser: Session; addresses: Addresses; loads: EventEmitter };

export async function openPage(options: Options): Promise<PageTarget> {
  const { chromium, addresses, contextId, preload, handlers } = options;
  const { browser } = chromium;
  const { targetId, session } = await chromium.openTarget(contextId);
  const loads = new EventEmitter();
  const parts: Parts = { session, targetId, browser, addresses, loads };
  watchTarget(parts, handlers);
  const bridge = await bridgePage(session, handlers);
  await session.send('Page.enable');
  // The main frame is there before anything is loaded into it.
  const { frameTree } = await session.send('Page.getFrameTree');
  handlers.onFrame({ id: frameTree.frame.id, parentId: undefined, url: '', isSameDocument: false });
  await session.send('Inspector.enable');
  if (preload !== undefined) {
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: worldSource(preload), worldName });
  }
  await watchCertificates(parts, handlers);
  const navigation = await watchNavigation(session, addresses, handlers);
  await session.send('Runtime.runIfWaitingForDebugger');
  return drive(parts, bridge, navigation);
}

function watchTarget({ session, targetId, browser, addresses, loads }: Parts, handlers: PageHandlers): void {
  session.on('Page.frameNavigated', ({ frame }) => {
    const url = addresses.fromChromium(`${frame.url}${frame.urlFragment ?? ''}`);
    handlers.onFrame({ id: frame.id, parentId: frame.parentId, url, isSameDocument: false });
  });
  session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
    handlers.onFrame({ id: frameId, parentId: parentFrameId, url: 'about:blank', isSameDocument: false });
  });
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    handlers.onFrame({ id: frameId, parentId: undefined, url: addresses.fromChromium(url), isSameDocument: true });
  });
  session.on('Page.frameDetached', ({ frameId }) => handlers.onFrameGone(frameId));
  session.on('Page.domContentEventFired', () => handlers.onDomReady());
  session.on('Page.loadEventFired', () => loads.emit('loaded'));
  session.on('Inspector.targetCrashed', () => handlers.onCrashed());
  session.on('Page.windowOpen', ({ url }) => handlers.onOpenWindow(addresses.fromChromium(url)));
  browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.targetId === targetId) handlers.onTitle(targetInfo.title);
  });
  browser.on('Target.targetDestroyed', (gone) => {
    if (gone.targetId !== targetId) return;
    loads.emit('closed');
    handlers.onClosed();
  });
}

/** Chromium asks once for each connection that it would refuse. */
async function watchCertificates({ session, loads }: Parts, { onCertificateError }: PageHandlers): Promise<void> {
  session.on('Security.certificateError', ({ eventId, requestURL }) => {
    onCertificateError(requestURL)
      .catch(() => false)
      .then((isAccepted) => {
        if (!isAccepted) loads.emit('refused');
        return session.send('Security.handleCertificateError', { eventId, action: isAccepted ? 'continue' : 'cancel' });
      })
      // The page may be gone by now.
      .catch(() => {});
  });
  await session.send('Security.enable');
  await session.send('Security.setOverrideCertificateErrors', { override: true });
}

function drive(parts: Parts, bridge: PageBridge, navigation: Navigation): PageTarget {
  const { session, browser, targetId, addresses, loads } = parts;
  return {
    targetId,
    async load(address) {
      const url = addresses.toChromium(address);
      navigation.expect(url);
      const stop = new AbortController();
      const loaded = once(loads, 'loaded', stop);
      const closed = once(loads, 'closed', stop).then(() => 'net::ERR_FAILED');
      // DevTools tell of a refused certificate only that the page was not loaded.
      const refused = once(loads, 'refused', stop).then(() => ({
        errorText: 'net::ERR_CERT_AUTHORITY_INVALID',
        loaderId: undefined,
      }));
      for (const ending of [loaded, closed, refused]) ending.catch(() => {});
      try {
        const { errorText, loaderId } = await Promise.race([session.send('Page.navigate', { url }), refused]);
        // Without a loader only the fragment changed, and nothing is loaded.
        if (errorText === undefined && loaderId === undefined) return;
        const problem = errorText ?? (await Promise.race([loaded.then(() => undefined), closed]));
        if (problem !== undefined) throw loadError(problem, address);
      } finally {
        stop.abort();
      }
    },
    async reload() {
      await session.send('Page.reload');
    },
    async evaluate(frameId, code) {
      const contextId = frameId === undefined ? undefined : await mainWorldOf(session, frameId);
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression: code,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
        ...(contextId === undefined ? {} : { contextId }),
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    send: bridge.send,
    async resize({ width, height }) {
      // Asked through the page's session: if the browser's names a page that is closing, Chromium's headless shell crashes.
      const { windowId } = await session.send('Browser.getWindowForTarget');
      await browser.send('Browser.setWindowBounds', { windowId, bounds: { width, height } });
    },
    async close() {
      await browser.send('Target.closeTarget', { targetId });
    },
  };
}

/** A subframe's code runs in a world made for it; the double needs nothing from the page's own there. */
async function mainWorldOf(session: Session, frameId: string): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'asked' });
  return executionContextId;
}

const errorNumbers: Readonly<Record<string, number>> = { ERR_ABORTED: -3, ERR_CERT_AUTHORITY_INVALID: -202 };

function loadError(text: string, address: string): Error {
  const code = text.replace(/^net::/, '');
  const number = errorNumbers[code] ?? -2;
  return Object.assign(new Error(`${code} (${number}) loading '${address}'`), { code, errno: number, url: address });
}
