// The callback receiver: bare node:http, which keeps each request's raw bytes, header order and duplicates (§6), and
// answers only after the request is on disk. It has no cookies, no CORS and no way into the app.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#contract/clock.ts';
import type { ReceivedCallback } from './callback-writer.ts';
import type { GroupCommit } from './group-commit.ts';
import type { ReceiverLimits } from './receiver-limits.ts';
import { createUnfinishedRequests } from './unfinished-requests.ts';

export type ReceiverServer = {
  /** Listens on the port, or on the next free one; answers which. */
  listen: (port: number) => Promise<number>;
  close: () => Promise<void>;
};

type Parts = { clock: Clock; limits: ReceiverLimits; commit: GroupCommit };

export function createReceiverServer(parts: Parts): ReceiverServer {
  const { limits } = parts;
  const unfinished = createUnfinishedRequests(limits.connections);
  const server = createServer(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.checkingInterval,
      maxHeaderSize: limits.headerBytes,
      noDelay: true,
    },
    (request, response) => {
      unfinished.begin(request.socket);
      receive(parts, request, response, () => unfinished.finish(request.socket));
    },
  );
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => unfinished.begin(socket));
  return {
    listen: (port) => listenFrom(server, port),
    close: () => closeServer(server),
  };
}

function receive(parts: Parts, request: IncomingMessage, response: ServerResponse, finished: () => void): void {
  const { limits, commit, clock } = parts;
  const receivedAt = clock.now();
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let discardedBytes = 0;
  let isAnswered = false;

  function complete(): void {
    if (isAnswered) return;
    isAnswered = true;
    finished();
    if (commit.waitingBytes > limits.waitingBytes) {
      answer(response, 503, 'Too many callbacks wait for the disk. Send it again in a second.\n', {
        'retry-after': '1',
      });
      return;
    }
    const truncated = discardedBytes > 0;
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, keptBytes);
    const answeredStatus = truncated ? 413 : 200;
    const callback = toCallback(request, { receivedAt, body, truncated, answeredStatus });
    commit.add({ callback, settled: (error) => answerSettled(response, error, callback, limits) });
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
  request.on('error', finished);
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

function answerSettled(
  response: ServerResponse,
  error: Error | undefined,
  callback: ReceivedCallback,
  limits: ReceiverLimits,
): void {
  if (error) {
    answer(response, 503, 'The callback could not be stored. Send it again later.\n', { 'retry-after': '10' });
  } else if (callback.truncated) {
    const sentence = `The body is longer than ${limits.bodyBytes} bytes; the part up to there was stored.\n`;
    answer(response, 413, sentence, { connection: 'close' });
  } else {
    response.writeHead(200, noContent);
    response.end();
  }
}

const noContent = { 'content-length': '0' };

function answer(response: ServerResponse, status: number, sentence: string, headers: Record<string, string>): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(sentence)),
    ...headers,
  });
  response.end(sentence);
}

const portsTried = 50;

async function listenFrom(server: Server, port: number): Promise<number> {
  for (let candidate = port; candidate < port + portsTried && candidate <= 65_535; candidate += 1) {
    try {
      return await listenOn(server, candidate);
    } catch (error) {
      const isTaken =
        error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
      if (!isTaken) throw error;
    }
  }
  return listenOn(server, 0);
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
