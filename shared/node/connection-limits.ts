// Keeps our HTTP servers available if some clients are slow (docs/attack.md). With only a connection limit, one client could take
// all connections; with only time limits, slow clients would block others for seconds. Service and app share the rule.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The longest headers that are read of a response, as in browsers; Node reads 16 KB. */
export const maxResponseHeaderBytes = 256 * 1024;

export type ConnectionLimits = {
  /** Maximum connections with incomplete headers or body; beyond that, the oldest one is closed. */
  unfinishedRequests: number;
  /** Closes a connection with more unanswered requests than this; browsers and libraries send one at a time. */
  pipelinedRequests: number;
  /** How many requests beyond that are still parsed, for servers that report what they reject. */
  reportedRequests: number;
  /** Closes a client that reads none of its response for this long; idle ones close after the server's keepAliveTimeout. */
  stalledMs: number;
};

export const connectionLimits: ConnectionLimits = {
  unfinishedRequests: 1_000,
  pipelinedRequests: 4,
  reportedRequests: 1,
  stalledMs: 8_000,
};

/** Grace period: never evict a younger connection, up to 4× the limit. */
const graceMs = 500;
const burstFactor = 4;

/**
 * Call it before adding a listener for requests. When a connection is closed here, up to `reportedRequests` that arrived in
 * the same read still come; ignore those (`request.socket.destroyed`). `now` is in milliseconds.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  now: () => number,
  connectionEvent: 'connection' | 'secureConnection' = 'connection',
): void {
  /** Start of each unfinished request, oldest first. */
  const unfinished = new Map<Socket, number>();
  const unanswered = new Map<Socket, number>();
  /** How many requests of each flooding connection were reported. */
  const refused = new WeakMap<Socket, number>();

  function began(socket: Socket): void {
    unfinished.delete(socket);
    unfinished.set(socket, now());
    for (const [oldest, since] of unfinished) {
      const isOverLimit = unfinished.size > limits.unfinishedRequests && now() - since > graceMs;
      if (!isOverLimit && unfinished.size <= limits.unfinishedRequests * burstFactor) return;
      unfinished.delete(oldest);
      oldest.destroy();
    }
  }

  function count(socket: Socket, change: 1 | -1): void {
    const next = (unanswered.get(socket) ?? 0) + change;
    if (next > 0) unanswered.set(socket, next);
    else unanswered.delete(socket);
    if (next <= limits.pipelinedRequests) return;
    socket.destroy();
    refused.set(socket, 0);
    report(socket);
  }

  function report(socket: Socket): void {
    const reported = (refused.get(socket) ?? 0) + 1;
    refused.set(socket, reported);
    if (reported >= limits.reportedRequests) stopParsing(socket);
  }

  server.on(connectionEvent, (socket: Socket) => {
    began(socket);
    socket.once('close', () => {
      unfinished.delete(socket);
      unanswered.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return refused.has(socket) ? report(socket) : undefined;
    count(socket, 1);
    response.on('close', () => count(socket, -1));
    unfinished.delete(socket);
    if (!hasBody(request)) return;
    // A proxy before us may have read another end of the request (RFC 9112 section 6.1).
    if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
      response.shouldKeepAlive = false;
    began(socket);
    const finished = () => unfinished.delete(socket);
    request.on('end', finished);
    // A refusal may come before the body was read.
    request.on('close', finished);
  });
  server.setTimeout(limits.stalledMs, (socket) => {
    // The request is complete and no output is pending: the server is working on it, perhaps delayed on purpose.
    const waitsForUs = unanswered.has(socket) && socket.writableLength === 0;
    if (!waitsForUs) socket.destroy();
  });
}

/**
 * Node parses everything from one read (64 KB, or 1,500 short requests), even after the connection is closed, and `parser.pause()`
 * does not stop it. Returning 2 to the parser does, as Node itself does for an upgrade (llhttp's `on_headers_complete`). Node sets
 * `onIncoming` per connection, so reused parsers are unaffected; without it, a later Node would only parse more.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/** The headers are complete; only a body can still be missing. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
