// The headless host's HTTP server: the screens, and the WebSocket of the procedures, whose first message must be a ticket or a session
// (session.ts). It listens on 127.0.0.1 only and answers only to its own name, so neither another machine nor a
// web page, whatever name it resolves to this address, gets in.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import { closeServer, connectionLimits, countHosts, limitConnections, listenAt } from '@rainbell/shared/node';
import { createScreenFiles, protectiveHeaders, type ScreenFiles } from '@rainbell/core';
import { isOwnUser } from './own-user.ts';
import { createSessions, refusedCodes, type Sessions } from './session.ts';

export type ScreenServer = Awaited<ReturnType<typeof startScreenServer>>;

type Options = {
  /** 0 takes any free one. */
  port: number;
  folder: string;
  clock: Clock;
  serveScreen: (socket: WebSocket) => void;
};

type ScreenServerContext = {
  origin: string;
  files: ScreenFiles;
  headers: Record<string, string>;
};

const maxMessageBytes = 1024 * 1024;
const maxGuests = 100;
const guestMs = 5000;

export async function startScreenServer({ port, folder, clock, serveScreen }: Options) {
  const server = createServer({
    requestTimeout: 10_000,
    headersTimeout: 5000,
    keepAliveTimeout: 5000,
    connectionsCheckingInterval: 1_000,
    // Browsers send the cookies of all ports of 127.0.0.1.
    maxHeaderSize: 64 * 1024,
  });
  limitConnections(server, connectionLimits, () => performance.now());
  // Rejects with the server's error.
  const listening = once(server, 'listening');
  listenAt(server, '127.0.0.1', port);
  await listening;
  const actualPort = (server.address() as AddressInfo).port;
  const origin = `http://127.0.0.1:${actualPort}`;
  const sessions = createSessions(clock);
  const connections = `'self' ${origin.replace(/^http/, 'ws')}`;
  const files = createScreenFiles(folder, connections);
  /** Returns a URL to open once, with a fresh ticket, that leads to a hash such as `#/callbacks`. */
  const newAddress = (hash?: string) =>
    `${origin}/#ticket=${sessions.issueTicket()}${hash === undefined ? '' : `&${hash.slice(1)}`}`;
  const parts = { origin, files, headers: protectiveHeaders(connections) };
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  /** Sockets without a session yet, oldest first. */
  const guests = new Set<WebSocket>();

  server.on('request', (request, response) => {
    if (!request.socket.destroyed) void respond(parts, request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuseUpgrade(parts, request);
    if (refusal) return refuse(socket, refusal);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      guests.add(webSocket);
      if (guests.size > maxGuests) for (const oldest of [...guests].slice(0, 1)) oldest.terminate();
      const cancel = clock.after(guestMs, () => webSocket.terminate());
      const leave = () => {
        cancel();
        guests.delete(webSocket);
      };
      webSocket.once('close', leave);
      webSocket.once('message', (message) => {
        leave();
        if (admit(sessions, webSocket, request.socket, message)) serveScreen(webSocket);
      });
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
  if (countHosts(request.rawHeaders) > 1) return sendError(response, 400, 'invalid_request', hostsSentence);
  if (!isOwnHost(parts, request)) return sendError(response, 421, 'misdirected_request', ownHostSentence(parts));
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendError(response, 405, 'method_not_allowed', 'Only GET and HEAD are supported here.');
  }
  const file = await parts.files.read(path);
  if (!file) return sendError(response, 404, 'not_found', 'File not found.');
  response.writeHead(200, { ...file.headers, 'content-length': file.body.length });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

const helloSchema = z.union([z.object({ ticket: z.string().max(200) }), z.object({ session: z.string().max(200) })]);

/** Answers the first message. Whether the page may use the procedures. */
function admit(sessions: Sessions, webSocket: WebSocket, socket: Socket, message: RawData): boolean {
  const hello = helloSchema.safeParse(parsed(message)).data;
  // Before the ticket is redeemed, so that another user can't use it up.
  if (!isOwnUser(socket)) {
    webSocket.close(refusedCodes.otherUser);
    return false;
  }
  const session = hello && ('ticket' in hello ? sessions.redeem(hello.ticket) : hello.session);
  if (session === undefined || !sessions.isSession(session)) {
    webSocket.close(refusedCodes.unknown);
    return false;
  }
  webSocket.send(JSON.stringify({ session }));
  return true;
}

function parsed(message: RawData): unknown {
  try {
    return JSON.parse((message as Buffer).toString());
  } catch {
    return undefined;
  }
}

const hostsSentence = 'The request must have exactly one Host header.';

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
  if (countHosts(request.rawHeaders) > 1) return { status: '400 Bad Request', sentence: hostsSentence };
  if (!isOwnHost(parts, request)) return { status: '421 Misdirected Request', sentence: ownHostSentence(parts) };
  if (request.url !== '/rpc') return { status: '404 Not Found', sentence: 'The procedures are at /rpc.' };
  if (request.headers.origin !== parts.origin)
    return { status: '403 Forbidden', sentence: "Only Rainbell's own pages may connect." };
  return undefined;
}

function refuse(socket: Duplex, { status, sentence }: { status: string; sentence: string }): void {
  socket.on('error', () => socket.destroy());
  // Node no longer reads it, so it would stay open until the client closes both of its sides.
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(sentence)}\r\n\r\n${sentence}`,
  );
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
