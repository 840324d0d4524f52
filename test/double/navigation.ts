// Chromium's requests, seen before they are made: pages of our own scheme are answered from the main process, and a
// navigation or a redirect is asked about, in the order in which Electron asks, before it is followed.
import type { CDPSession } from 'playwright';
import type { Addresses } from './addresses.ts';

export type NavigationHandlers = {
  /** A page wants to navigate (not the main process). False prevents it. */
  onNavigate: (url: string, frameId: string) => boolean;
  /** A server redirects a navigation. False prevents it. */
  onRedirect: (url: string, frameId: string) => boolean;
  /** A host or proxy asks for a user name and password; undefined gives none. */
  onLogin: (url: string, challenge: Challenge) => Promise<Credentials | undefined>;
  /** Answers a request of a registered scheme. */
  serve: (request: Request) => Promise<Response | undefined>;
};

export type Challenge = { isProxy: boolean; scheme: string; host: string; port: number; realm: string };
export type Credentials = { username: string; password: string };

export type Navigation = {
  /** Says that the main process itself is about to load this address, so that it is not asked about. */
  expect: (address: string) => void;
};

type Paused = {
  requestId: string;
  frameId: string;
  request: { url: string; urlFragment?: string; method: string; headers: Record<string, string>; postData?: string };
  resourceType: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
  redirectedRequestId?: string;
};

export async function watchNavigation(
  session: CDPSession,
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
    answer(paused as Paused)
      .catch(() => session.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' }))
      .catch(() => {});
  });
  session.on('Fetch.authRequired', ({ requestId, request, authChallenge: { source, origin, scheme, realm } }) => {
    const { hostname: host, port, protocol } = new URL(origin);
    const isProxy = source === 'Proxy';
    handlers
      .onLogin(request.url, { isProxy, scheme, host, port: Number(port || (protocol === 'https:' ? 443 : 80)), realm })
      .then((given) => {
        const response = given
          ? ({ response: 'ProvideCredentials', ...given } as const)
          : ({ response: 'CancelAuth' } as const);
        return session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: response });
      })
      // The page may be gone by now.
      .catch(() => {});
  });
  // A private scheme never becomes a request, so Chromium's announcement is all there is; it leads nowhere here anyway.
  session.on('Page.frameRequestedNavigation', ({ url, frameId }) => {
    if (!/^(https?|about|data|blob):/.test(url)) handlers.onNavigate(url, frameId);
  });
  await session.send('Fetch.enable', {
    handleAuthRequests: true,
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
  const { method, headers, postData } = paused.request;
  const url = addresses.fromChromium(paused.request.url);
  if (url === paused.request.url) return undefined;
  // shell/browser/api/electron_api_protocol.cc: a scheme is fetched from only where its privileges allow it.
  const isFetch = paused.resourceType === 'Fetch' || paused.resourceType === 'XHR';
  const { supportFetchAPI } = addresses.privilegesOf(new URL(url).protocol.slice(0, -1));
  if (isFetch && supportFetchAPI !== true) throw new Error('The scheme does not support fetch.');
  const body = postData === undefined ? {} : { body: postData };
  const response = await serve(new Request(url, { method, headers, ...body }));
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
