// One real page of Chromium: made, given its preload, watched and driven.
import type { BrowserContext, CDPSession, Download } from 'playwright';
import type { Chromium } from './chromium.ts';
import type { MessagePortMain } from './message-channel.ts';
import { type NavigationHandlers, watchNavigation } from './navigation.ts';
import { bridgePage } from './page-bridge.ts';
import { type Key, worldName, worldSource } from './preload-world.ts';
import { world } from './world.ts';

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
  onDownload: (download: Download) => void;
  /** Chromium refuses a certificate; true accepts it all the same. */
  onCertificateError: (url: string) => Promise<boolean>;
  onClosed: () => void;
};

export type PageTarget = {
  /** Resolves when it is loaded; rejects as Electron's loadURL does. */
  load: (address: string) => Promise<void>;
  reload: () => Promise<void>;
  evaluate: (code: string) => Promise<unknown>;
  send: (frameId: string, channel: string, args: unknown[], ports: readonly MessagePortMain[]) => void;
  resize: (size: { width: number; height: number }) => Promise<void>;
  close: () => Promise<void>;
};

type Options = { chromium: Chromium; context: BrowserContext; preload: string | undefined; handlers: PageHandlers };

export async function openPage({ chromium, context, preload, handlers }: Options): Promise<PageTarget> {
  const { addresses } = world;
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let endLoad = (_problem?: string): void => {};
  watchFrames(session, handlers);
  session.on('Page.loadEventFired', () => endLoad());
  page.on('download', (download) => handlers.onDownload(download));
  page.on('close', () => {
    endLoad('net::ERR_FAILED');
    handlers.onClosed();
  });
  const { targetInfo } = await session.send('Target.getTargetInfo');
  chromium.targets.on('Target.targetInfoChanged', ({ targetInfo: { targetId, title } }) => {
    if (targetId === targetInfo.targetId) handlers.onTitle(title);
  });
  const bridge = await bridgePage(session, handlers);
  await session.send('Page.enable');
  // The main frame is there before anything is loaded into it.
  const { frameTree } = await session.send('Page.getFrameTree');
  handlers.onFrame({ id: frameTree.frame.id, parentId: undefined, url: '', isSameDocument: false });
  if (preload !== undefined) {
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: worldSource(preload), worldName });
  }
  // DevTools tell of a refused certificate only that the page was not loaded.
  await watchCertificates(session, handlers, () => endLoad('net::ERR_CERT_AUTHORITY_INVALID'));
  const navigation = await watchNavigation(session, addresses, handlers);
  return {
    async load(address) {
      const url = addresses.toChromium(address);
      navigation.expect(url);
      const ending = Promise.withResolvers<string | undefined>();
      endLoad('net::ERR_ABORTED');
      endLoad = ending.resolve;
      session.send('Page.navigate', { url }).then(({ errorText, loaderId }) => {
        // Without a loader only the fragment changed, and nothing is loaded.
        if (errorText !== undefined || loaderId === undefined) ending.resolve(errorText);
      }, ending.reject);
      const problem = await ending.promise;
      if (problem !== undefined) throw loadError(problem, address);
    },
    async reload() {
      await session.send('Page.reload');
    },
    evaluate: (code) => page.evaluate(code),
    send: bridge.send,
    resize: ({ width, height }) => page.setViewportSize({ width, height }),
    close: () => page.close(),
  };
}

function watchFrames(session: CDPSession, handlers: PageHandlers): void {
  const { fromChromium } = world.addresses;
  session.on('Page.frameNavigated', ({ frame }) => {
    const url = fromChromium(`${frame.url}${frame.urlFragment ?? ''}`);
    handlers.onFrame({ id: frame.id, parentId: frame.parentId, url, isSameDocument: false });
  });
  session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
    handlers.onFrame({ id: frameId, parentId: parentFrameId, url: 'about:blank', isSameDocument: false });
  });
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    handlers.onFrame({ id: frameId, parentId: undefined, url: fromChromium(url), isSameDocument: true });
  });
  session.on('Page.frameDetached', ({ frameId }) => handlers.onFrameGone(frameId));
  session.on('Page.domContentEventFired', () => handlers.onDomReady());
  session.on('Page.windowOpen', ({ url }) => handlers.onOpenWindow(fromChromium(url)));
}

/** Chromium asks once for each connection that it would refuse. */
async function watchCertificates(
  session: CDPSession,
  { onCertificateError }: PageHandlers,
  onRefused: () => void,
): Promise<void> {
  session.on('Security.certificateError', ({ eventId, requestURL }) => {
    onCertificateError(requestURL)
      .catch(() => false)
      .then((isAccepted) => {
        if (!isAccepted) onRefused();
        return session.send('Security.handleCertificateError', { eventId, action: isAccepted ? 'continue' : 'cancel' });
      })
      // The page may be gone by now.
      .catch(() => {});
  });
  await session.send('Security.enable');
  await session.send('Security.setOverrideCertificateErrors', { override: true });
}

const errorNumbers: Readonly<Record<string, number>> = { ERR_ABORTED: -3, ERR_CERT_AUTHORITY_INVALID: -202 };

function loadError(text: string, address: string): Error {
  const code = text.replace(/^net::/, '');
  const number = errorNumbers[code] ?? -2;
  return Object.assign(new Error(`${code} (${number}) loading '${address}'`), { code, errno: number, url: address });
}
