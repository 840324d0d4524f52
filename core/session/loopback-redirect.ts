// Signs in with the user's browser (RFC 8252 section 7.3): a listener on loopback receives the one redirect of the sign-in page and
// closes. It accepts only its own Host and the registered path; any other request (a favicon, one without parameters) ends nothing.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { type Clock, isLoopback, systemCode } from '@rainbell/shared';
import type { DialogOutcome, DialogRequest } from '../ports/host.ts';
import { endPage, relayPage, formatResultPage, type Page, type PageResult } from './loopback-pages.ts';

type Options = {
  clock: Clock;
  openExternal: (url: string) => Promise<void>;
  /** Called with the URL that was opened, for users who have to open it manually. */
  onAddress: (address: string) => void;
  /** Returns the result to show for a response. */
  validate: (url: string) => Promise<PageResult>;
};

/** Why the app can't listen on the redirect URL; undefined if it can. */
export function loopbackBlocker(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri);
  if (url?.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'Signing in with your browser requires a redirect URL on this computer, such as http://127.0.0.1/callback, registered with the service.';
}

/** Resolves once, with how it ended; by then the listener is closed. */
export async function openInBrowser(
  request: Omit<DialogRequest, 'transport' | 'browserSession'>,
  options: Options,
): Promise<DialogOutcome> {
  const blocker = loopbackBlocker(request.redirectUri);
  if (blocker !== undefined) return { kind: 'failed', message: blocker };
  if (request.signal.aborted) return { kind: 'closed' };
  const registered = new URL(request.redirectUri);
  const server = createServer({ maxHeaderSize: 64 * 1024 });
  const twin = createTcpServer((socket) => server.emit('connection', socket));
  const port = await listen(server, twin, registered);
  if (port === undefined)
    return { kind: 'failed', message: 'Rainbell couldn’t open a port on this computer for the response.' };
  const redirectUri = withPort(request.redirectUri, port);
  try {
    return await new Promise<DialogOutcome>((resolve) => {
      respondOnce(server, { redirectUri, query: registered.search, validate: options.validate, settle: resolve });
      request.signal.addEventListener('abort', () => resolve({ kind: 'closed' }), { once: true });
      const cancelLimit = options.clock.after(request.limitMs, () => resolve({ kind: 'timed-out' }));
      server.once('close', cancelLimit);
      const address = request.authorizationUrl(redirectUri);
      options.onAddress(address);
      // A machine without a browser of its own: the address is on the screen.
      options.openExternal(address).catch(() => {});
    });
  } finally {
    server.close();
    twin.close();
    // A browser opens spare connections, which would meet this listener's handler after the next one took over the port.
    server.closeAllConnections();
  }
}

/**
 * The registered port if it is free (some services require exactly this one), otherwise any; undefined if none is available. Browsers
 * open either address of `localhost`, so `twin` has the same port of the other one: the code must not reach another program.
 */
async function listen(server: Server, twin: TcpServer, { hostname, port }: URL): Promise<number | undefined> {
  const isName = hostname.endsWith('localhost');
  for (const wanted of [Number(port || 0), 0, 0, 0]) {
    const bound = await tryPort(server, wanted, isName ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''));
    if (typeof bound === 'string') continue;
    // Any other error: this machine has no IPv6.
    if (!isName || (await tryPort(twin, bound, '::1')) !== 'EADDRINUSE') return bound;
    server.close();
  }
  return undefined;
}

/** Returns the port, or the code of the error. */
function tryPort(server: TcpServer, port: number, host: string): Promise<number | string> {
  return new Promise((resolve) => {
    const onError = (error: Error) => resolve(systemCode(error) ?? '');
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The registered text with this port and nothing else changed. */
function withPort(redirectUri: string, port: number): string {
  return redirectUri.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+))(:\d+)?/i, `$1:${port}`);
}

type ResponseHandling = {
  redirectUri: string;
  /** The query of the registered URL; it is not part of the response. */
  query: string;
  validate: (url: string) => Promise<PageResult>;
  settle: (outcome: DialogOutcome) => void;
};

function respondOnce(server: Server, { redirectUri, query, validate, settle }: ResponseHandling): void {
  const expected = new URL(redirectUri);
  const nonce = randomBytes(16).toString('base64url');
  let isHandled = false;

  /** Sends the page first; the listener closes when it is on its way. */
  async function end(response: ServerResponse, url: string, send: (result: PageResult) => void): Promise<void> {
    isHandled = true;
    response.once('close', () => settle({ kind: 'redirected', url }));
    send(await validate(url));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, text: string) => sendText(response, status, text);
    if (request.headers.host !== expected.host) return refuse(421, 'Nothing is available at this URL.');
    const requested = URL.parse(request.url ?? '', `http://${expected.host}`);
    if (!requested || requested.pathname !== expected.pathname) return refuse(404, 'Page not found.');
    if (isHandled) return refuse(410, 'Rainbell has already received the response.');
    if (request.method === 'GET') {
      if (requested.search === query || requested.search === '') return sendPage(response, relayPage(nonce));
      return end(response, requested.href, (result) => sendPage(response, endPage(result, nonce)));
    }
    if (request.method !== 'POST') return refuse(405, 'Only GET is supported here.');
    if (request.headers['x-rainbell-relay'] !== nonce || request.headers.origin !== `http://${expected.host}`) {
      return refuse(403, 'This response did not come from Rainbell’s own page.');
    }
    const fragment = await readShort(request);
    if (fragment === undefined) return refuse(413, 'The response is too long.');
    if (isHandled) return refuse(410, 'Rainbell has already received the response.');
    return end(response, `${redirectUri}#${fragment}`, (result) => sendText(response, 200, formatResultPage(result)));
  }

  server.on('request', (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
}

const maxFragmentLength = 64 * 1024;

async function readShort(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxFragmentLength) return undefined;
  }
  return text;
}

function sendPage(response: ServerResponse, { headers, html }: Page): void {
  response.writeHead(200, { ...headers, connection: 'close' }).end(html);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain;charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(text);
}
