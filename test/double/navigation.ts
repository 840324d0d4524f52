// Chromium's requests, seen before they are made: pages of our own scheme are answered from the main process, and a
// navigation or a redirect is asked about, in the order in which Electron asks, before it is followed.
import type { Session } from './cdp.ts';
import type { Addresses } from './addresses.ts';

export type NavigationHandlers = {
  /** A page wants to navigate (not the main process). False prevents it. */
  onNavigate: (url: string, frameId: string) => boolean;
  /** A server redirects a navigation. False prevents it. */
  onRedirect: (url: string, frameId: string) => boolean;
  /** Answers a request of a registered scheme. */
  serve: (request: Request) => Promise<Response | undefined>;
};

export type Navigation = {
  /** Says that the main process itself is about to load this address, so that it is not asked about. */
  expect: (address: string) => void;
};

type Paused = {
  requestId: string;
  frameId: string;
  request: { url: string; urlFragment?: string; method: string; headers: Record<string, string> };
  resourceType: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
  redirectedRequestId?: string;
};

export async function watchNavigation(
  session: Session,
  addresses: Addresses,
  handlers: NavigationHandlers,
): Promise<Navigation> {
  let expected: string | undefined;

  const isWanted = (paused: Paused): boolean => {
    if (paused.resourceType !== 'Document' || paused.redirectedRequestId !== undefined) return true;
    const url = `${paused.request.url}${paused.request.urlFragment ?? ''}`;
    if (withoutFragment(url) === expected) {
      expected = undefined;
      return true;
    }
    return handlers.onNavigate(addresses.fromChromium(url), paused.frameId);
  };
  const isRedirectWanted = (paused: Paused): boolean => {
    const location = redirectOf(paused);
    return location === undefined || handlers.onRedirect(addresses.fromChromium(location), paused.frameId);
  };
  const answer = async (paused: Paused) => {
    const { requestId } = paused;
    const isResponse = paused.responseStatusCode !== undefined;
    if (isResponse ? !isRedirectWanted(paused) : !isWanted(paused)) {
      return session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    }
    const own = isResponse ? undefined : await serveOwn(paused, addresses, handlers);
    if (own) return session.send('Fetch.fulfillRequest', { requestId, ...own });
    return session.send('Fetch.continueRequest', { requestId });
  };

  session.on('Fetch.requestPaused', (paused) => {
    // The page may be gone before the answer; then there is nothing left to answer.
    answer(paused as Paused).catch(() => {});
  });
  // A private scheme never becomes a request, so Chromium's announcement is all there is; it leads nowhere here anyway.
  session.on('Page.frameRequestedNavigation', ({ url, frameId }) => {
    if (!/^(https?|about|data|blob):/.test(url)) handlers.onNavigate(url, frameId);
  });
  await session.send('Fetch.enable', {
    patterns: [
      { urlPattern: '*', requestStage: 'Request' },
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
    ],
  });
  return {
    expect(address) {
      expected = withoutFragment(address);
    },
  };
}

function redirectOf({ responseStatusCode = 0, responseHeaders = [], request }: Paused): string | undefined {
  if (responseStatusCode < 300 || responseStatusCode > 399) return undefined;
  const location = responseHeaders.find(({ name }) => name.toLowerCase() === 'location')?.value;
  return location === undefined ? undefined : new URL(location, request.url).href;
}

async function serveOwn(paused: Paused, addresses: Addresses, { serve }: NavigationHandlers) {
  const { method, headers } = paused.request;
  const url = addresses.fromChromium(paused.request.url);
  if (url === paused.request.url) return undefined;
  const response = await serve(new Request(url, { method, headers }));
  if (!response) return undefined;
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? '';
}
