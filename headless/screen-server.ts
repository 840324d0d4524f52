// The headless host's HTTP server: the screens, the exchange of a ticket for a cookie (session.ts), and the WebSocket
// of the procedures. It listens on 127.0.0.1 only and answers only to its own name, so neither another machine nor a
// web page, whatever name it resolves to this address, gets in.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import { connectionLimits, limitConnections } from '#shared/network/connection-limits.ts';
import { maxDeepLinkLength } from '#core/hosting/deep-link.ts';
import { openPath } from '#core/hosting/running-host.ts';
import { createScreenFiles, protectiveHeaders, type ScreenFiles } from '#core/hosting/screen-files.ts';
import { closeServer } from '#shared/network/close-server.ts';
import { createSessions, type Sessions } from './session.ts';

export type ScreenServer = {
  readonly port: number;
  /** An address to open, with a fresh ticket, that leads to a hash such as `#/callbacks`. */
  newAddress: (hash?: string) => string;
  close: () => Promise<void>;
};

export type ScreenServerOptions = {
  /** 0 takes any free one. */
  port: number;
  /** The built screens. */
  folder: string;
  clock: Clock;
  serveScreen: (socket: WebSocket) => void;
  /** A request to `/open` with this secret returns a URL (core/hosting/running-host.ts); any other request is rejected. */
  secret?: string;
};

type ScreenServerContext = {
  origin: string;
  sessions: Sessions;
  files: ScreenFiles;
  headers: Record<string, string>;
  newAddress: ScreenServer['newAddress'];
  secret: string | undefined;
};

/** The longest message that a screen may send. */
const maxMessageBytes = 1024 * 1024;
const maxBodyBytes = 16 * 1024;

/** Rejects with the system's error, `EADDRINUSE` if the port is in use. */
export async function startScreenServer({
  port,
  folder,
  clock,
  serveScreen,
  secret,
}: ScreenServerOptions): Promise<ScreenServer> {
  const server = createServer({
    requestTimeout: 10_000,
    headersTimeout: 5000,
    keepAliveTimeout: 5000,
    connectionsCheckingInterval: 500,
    maxHeaderSize: 16 * 1024,
  });
  limitConnections(server, connectionLimits, () => performance.now());
  await listen(server, port);
  const actualPort = (server.address() as AddressInfo).port;
  const origin = `http://127.0.0.1:${actualPort}`;
  const sessions = createSessions({ clock, port: actualPort });
  const connections = `'self' ${origin.replace(/^http/, 'ws')}`;
  const files = createScreenFiles(folder, connections);
  const newAddress = (hash?: string) =>
    `${origin}/#ticket=${sessions.issueTicket()}${hash === undefined ? '' : `&${hash.slice(1)}`}`;
  const parts = { origin, sessions, files, headers: protectiveHeaders(connections), newAddress, secret };
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });

  server.on('request', (request, response) => {
    if (!request.socket.destroyed) void respond(parts, request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuseUpgrade(parts, request);
    if (refusal) return refuse(socket, refusal);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      serveScreen(webSocket);
    });
  });
  return {
    port: actualPort,
    newAddress,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await closeServer(server);
    },
  };
}

async function respond(parts: ScreenServerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(parts.headers)) response.setHeader(name, value);
  if (!isOwnHost(parts, request)) return sendError(response, 421, 'misdirected_request', ownHostSentence(parts));
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (path === '/session') return respondSession(parts, request, response);
  if (path === openPath) return respondOpen(parts, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendError(response, 405, 'method_not_allowed', 'Only GET and HEAD are supported here.');
  }
  const file = await parts.files.read(path);
  if (!file) return sendError(response, 404, 'not_found', 'File not found.');
  response.writeHead(200, { ...file.headers, 'content-length': file.body.length });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

const ticketSchema = z.object({ ticket: z.string().max(200) });

async function respondSession(
  parts: ScreenServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  if (request.method === 'GET') {
    if (parts.sessions.holdsSession(request.headers.cookie)) return sendEmpty(response);
    return sendError(response, 403, 'access_denied', `This browser does not have access. ${newTicketSentence}`);
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'GET, POST');
    return sendError(response, 405, 'method_not_allowed', 'Only GET and POST are supported here.');
  }
  // Each guess needs a new connection, so that a flood of guesses over open connections cannot hold up honest requests.
  response.shouldKeepAlive = false;
  // A form of another page cannot send this type, and a script of another page has another Origin.
  const isOwnPage = request.headers.origin === parts.origin;
  const isJson = request.headers['content-type']?.split(';')[0]?.trim() === 'application/json';
  if (!isOwnPage || !isJson)
    return sendError(response, 403, 'access_denied', 'A ticket is accepted only from a Rainbell page, as JSON.');
  const body = ticketSchema.safeParse(await readJson(request));
  if (!body.success) return sendError(response, 400, 'invalid_request', 'The body must be {"ticket": "…"}.');
  const session = parts.sessions.redeem(body.data.ticket);
  if (session === undefined) {
    return sendError(
      response,
      403,
      'access_denied',
      `This URL has already been used or is older than 2 minutes. ${newTicketSentence}`,
    );
  }
  response.setHeader('set-cookie', parts.sessions.setCookie(session));
  sendEmpty(response);
}

const openSchema = z.object({
  hash: z
    .string()
    .max(maxDeepLinkLength)
    .regex(/^#\/[!-~]*$/)
    .nullable(),
});

/** Gives a second start on the same data folder an address to open. */
async function respondOpen(
  parts: ScreenServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.shouldKeepAlive = false;
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return sendError(response, 405, 'method_not_allowed', 'Only POST is supported here.');
  }
  // Browsers send an Origin with each POST; the secret is for programs of the user only.
  const isProgram = request.headers.origin === undefined && request.headers['sec-fetch-site'] === undefined;
  if (!isProgram || !hasSecret(request.headers.authorization, parts.secret)) {
    return sendError(response, 403, 'access_denied', 'Only another instance of Rainbell can request a URL here.');
  }
  const body = openSchema.safeParse(await readJson(request));
  if (!body.success) return sendError(response, 400, 'invalid_request', 'The body must be {"hash": "#/…"}.');
  const text = JSON.stringify({ url: parts.newAddress(body.data.hash ?? undefined) });
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(text);
}

function hasSecret(authorization: string | undefined, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  const [sent, wanted] = [authorization ?? '', `Bearer ${secret}`].map((text) => createHash('sha256').update(text));
  return sent !== undefined && wanted !== undefined && timingSafeEqual(sent.digest(), wanted.digest());
}

const newTicketSentence = 'Press Enter in the terminal where Rainbell is running to get a new URL, or start it again.';

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function isOwnHost(parts: ScreenServerContext, request: IncomingMessage): boolean {
  return request.headers.host === new URL(parts.origin).host;
}

function ownHostSentence(parts: ScreenServerContext): string {
  return `Rainbell responds only at ${parts.origin}. Open that URL.`;
}

function refuseUpgrade(
  parts: ScreenServerContext,
  request: IncomingMessage,
): { status: string; sentence: string } | undefined {
  if (!isOwnHost(parts, request)) return { status: '421 Misdirected Request', sentence: ownHostSentence(parts) };
  if (request.url !== '/rpc') return { status: '404 Not Found', sentence: 'The procedures are at /rpc.' };
  if (request.headers.origin !== parts.origin)
    return { status: '403 Forbidden', sentence: "Only Rainbell's own pages may connect." };
  if (!parts.sessions.holdsSession(request.headers.cookie))
    return { status: '403 Forbidden', sentence: newTicketSentence };
  return undefined;
}

function refuse(socket: Duplex, { status, sentence }: { status: string; sentence: string }): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(sentence)}\r\n\r\n${sentence}`,
  );
}

function sendEmpty(response: ServerResponse): void {
  response.writeHead(204);
  response.end();
}

function sendError(response: ServerResponse, status: number, error: string, description: string): void {
  const body = JSON.stringify({ error, error_description: description });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
