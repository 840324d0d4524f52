// The callback receiver: bare node:http, which keeps each request's raw bytes, header order and duplicates
// (docs/interface.md §6), and answers only after the request is on disk. It has no cookies, no CORS and no way into the
// app.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#shared/time/clock.ts';
import { connectionLimits, limitConnections } from '#shared/network/connection-limits.ts';
import { closeServer } from '#shared/network/close-server.ts';
import { isLoopback } from '#shared/network/loopback.ts';
import { longestInlineBytes } from './body-segments.ts';
import type { ChunkedBody, ReceivedCallback } from './received-callback.ts';
import type { GroupCommit } from './group-commit.ts';
import { answerByStep, answerReceived, answerSentence, statusOf } from './receiver-answers.ts';
import type { ListenAccess } from './listen-access.ts';
import type { ReceiverLimits } from './receiver-limits.ts';
import type { ResponsePlan } from './response-plan.ts';

export type ReceiverServer = {
  /** Listens on the port, or on the next free one; answers which. */
  listen: (port: number) => Promise<number>;
  close: () => Promise<void>;
};

type ReceiverServerDependencies = {
  clock: Clock;
  limits: () => ReceiverLimits;
  commit: GroupCommit;
  plan: () => ResponsePlan;
  isDamaged: () => boolean;
  access: ListenAccess;
};

export function createReceiverServer(dependencies: ReceiverServerDependencies): ReceiverServer {
  const limits = dependencies.limits();
  const { tls, lanToken } = dependencies.access;
  const options = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.checkingInterval,
    maxHeaderSize: limits.headerBytes,
    noDelay: true,
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    if (!mayEnter(request, lanToken)) return refuseStranger(response);
    receive(dependencies, request, response);
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeout })
    : createServer(options);
  limitConnections(
    server,
    { ...connectionLimits, unfinishedRequests: limits.connections },
    () => performance.now(),
    tls ? 'secureConnection' : 'connection',
  );
  server.on('connection', dependencies.commit.expectMore);
  server.on('request', onRequest);
  server.maxHeadersCount = 0;
  // Connections that wait for a delayed answer are not unfinished, so a bound of their own ends their number.
  server.maxConnections = limits.connections * 4;
  return {
    listen: (port) => listenFrom(server, port, lanToken === null ? '127.0.0.1' : '0.0.0.0'),
    close: () => closeServer(server),
  };
}

function receive(dependencies: ReceiverServerDependencies, request: IncomingMessage, response: ServerResponse): void {
  const { commit, clock, plan } = dependencies;
  const limits = dependencies.limits();
  const receivedAt = clock.now();
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let discardedBytes = 0;
  let isAnswered = false;

  function complete(): void {
    if (isAnswered) return;
    isAnswered = true;
    if (isTurnedAway(dependencies, response)) return;
    const truncated = discardedBytes > 0;
    const body = bodyOf(chunks, keptBytes);
    const step = truncated ? undefined : plan().take(request.method ?? '', request.url ?? '');
    const answeredStatus = truncated ? 413 : statusOf(step);
    const callback = toCallback(request, { receivedAt, body, truncated, answeredStatus });
    commit.add({
      callback,
      settled(error) {
        if (error)
          answerSentence(response, 503, 'The callback could not be stored. Send it again later.\n', {
            'retry-after': '10',
          });
        else if (truncated) answerTooLong(response, limits.bodyBytes);
        else if (step) answerByStep(response, step, clock);
        else answerReceived(response);
      },
    });
  }

  request.on('data', (chunk: Buffer) => {
    const room = limits.bodyBytes - keptBytes;
    if (chunk.length <= room) {
      chunks.push(chunk);
      keptBytes += chunk.length;
      return;
    }
    if (room > 0) chunks.push(chunk.subarray(0, room));
    keptBytes = limits.bodyBytes;
    discardedBytes += chunk.length - Math.max(room, 0);
    if (discardedBytes > limits.discardedBytes) complete();
  });
  request.on('end', complete);
  // A sender that went away before its last byte has no answer to rely on, so nothing is stored for it.
  request.on('error', () => {});
}

/** Short ones are parsed and stored as one piece. */
function bodyOf(chunks: readonly Buffer[], length: number): Buffer | ChunkedBody {
  if (length > longestInlineBytes) return { chunks, length };
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

function toCallback(
  request: IncomingMessage,
  facts: Pick<ReceivedCallback, 'receivedAt' | 'body' | 'truncated' | 'answeredStatus'>,
): ReceivedCallback {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    httpVersion: request.httpVersion,
    remoteAddress: request.socket.remoteAddress ?? '',
    rawHeaders: request.rawHeaders,
    ...facts,
  };
}

/** Answers what is not stored: while paused, or while too much waits for the disk. */
function isTurnedAway(
  { commit, limits, plan, isDamaged }: ReceiverServerDependencies,
  response: ServerResponse,
): boolean {
  const { pause } = plan();
  if (pause === 'drop') {
    answerReceived(response);
  } else if (pause === 'refuse') {
    answerSentence(response, 503, 'The receiver is paused. Send it again later.\n', { 'retry-after': '60' });
  } else if (isDamaged()) {
    answerSentence(response, 503, "The receiver's store is damaged until Rainbell restarts. Send it again later.\n", {
      'retry-after': '60',
    });
  } else if (commit.waitingBytes > limits().waitingBytes) {
    answerSentence(response, 503, 'Too many callbacks wait for the disk. Send it again in a second.\n', {
      'retry-after': '1',
    });
  } else {
    return false;
  }
  return true;
}

function answerTooLong(response: ServerResponse, limitBytes: number): void {
  const sentence = `The body is longer than ${limitBytes} bytes; the part up to there was stored.\n`;
  answerSentence(response, 413, sentence, { connection: 'close' });
}

/** This machine may always; others only with the token as the first segment of the path. */
function mayEnter({ socket, url = '' }: IncomingMessage, lanToken: string | null): boolean {
  if (lanToken === null || isLoopback(socket.remoteAddress ?? '')) return true;
  const given = Buffer.from(url.split(/[/?]/, 2)[1] ?? '');
  const wanted = Buffer.from(lanToken);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** It learns nothing of what is here, and nothing of it is stored. */
function refuseStranger(response: ServerResponse): void {
  answerSentence(response, 404, 'Not found.\n', { connection: 'close' });
}

const portsTried = 50;

async function listenFrom(server: Server, port: number, host: string): Promise<number> {
  for (let candidate = port; candidate < port + portsTried && candidate <= 65_535; candidate += 1) {
    try {
      return await listenOn(server, candidate, host);
    } catch (error) {
      const isTaken =
        error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
      if (!isTaken) throw error;
    }
  }
  return listenOn(server, 0, host);
}

function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
