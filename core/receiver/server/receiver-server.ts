// The callback receiver: bare node:http, which keeps each request's raw bytes, header order and duplicates
// (docs/interface.md §6), and answers only after the request is on disk. It has no cookies, no CORS and no way into the
// app.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import type { HeldRequest, HeldResponse } from '@rainbell/contract/app-rpc';
import { type Clock, isLoopback, systemCode } from '@rainbell/shared';
import { closeServer, connectionLimits, countHosts, limitConnections, listenAt } from '@rainbell/shared/node';
import { pairsOf } from '../../http/http-headers.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';
import type { GroupCommit } from './group-commit.ts';
import { createHeadCapture } from '../requests/head-capture.ts';
import { defaultHeaderBytes, type ListenAccess, type ReceiverLimits } from '../access/receiver-limits.ts';
import { type EndpointWithSecrets, requiredAnswer } from '../../senders/endpoint-sender.ts';
import { type Refusal, refusalOf, watchRefusals } from '../refusals/refused-requests.ts';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
  sentenceResponse,
} from '../responses/response-outcome.ts';
import type { ResponsePlan } from '../rules/response-plan.ts';
import { createResponseRecorder, type ResponseRecorder } from '../responses/response-recorder.ts';

type ReceiverServerOptions = {
  clock: Clock;
  /** Read for each request, because the app changes them. */
  current: {
    limits: ReceiverLimits;
    plan: ResponsePlan;
    endpoints: readonly EndpointWithSecrets[];
    isDamaged: boolean;
  };
  access: ListenAccess;
  commit: GroupCommit;
  record: (outcome: RecordedOutcome) => void;
  refuse: (refusal: Refusal) => void;
  onHeld: (held: readonly HeldRequest[]) => void;
};

/** All unfinished requests together may have heads of so many bytes, for the time of a burst four times as many. */
const unfinishedHeadBytes = 32 * 1024 * 1024;

/** Of each connection that sends too many at once, so many refused requests are counted. */
const reportedRequests = 32;

export class ReceiverServer {
  readonly #options: ReceiverServerOptions;
  readonly #server: Server;
  /** Ends and reports each request and each response that is not complete. */
  readonly #unfinished = new Set<() => void>();
  readonly #responses: ResponseRecorder;
  readonly #heads = createHeadCapture();
  /** Connections that sent a request which was refused and noted. */
  readonly #refused: WeakSet<Socket>;

  constructor(options: ReceiverServerOptions) {
    const { clock, current, access, commit } = options;
    const { limits } = current;
    const httpOptions = {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.checkingInterval,
      maxHeaderSize: limits.headerBytes,
      // node:http would refuse these without a word to the receiver.
      requireHostHeader: false,
      noDelay: true,
    };
    const server = access.tls
      ? createTlsServer({ ...httpOptions, ...access.tls, handshakeTimeout: limits.headersTimeout })
      : createServer(httpOptions);
    const connectionEvent = access.tls ? 'secureConnection' : 'connection';
    const unfinishedRequests = Math.min(limits.connections, Math.floor(unfinishedHeadBytes / limits.headerBytes));
    const bounds = { ...connectionLimits, unfinishedRequests, reportedRequests };
    limitConnections(server, bounds, () => clock.elapsed(), connectionEvent);
    server.on('connection', commit.expectMore);
    server.on(connectionEvent, this.#heads.watch);
    server.on('request', (request, response) => this.#onRequest(request, response));
    server.maxHeadersCount = 0;
    // A sender may end its side behind its request and still read the response; Node would end the other side, too.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Connections that wait for a delayed answer are not unfinished, so a bound of their own ends their number.
    server.maxConnections = limits.connections * 4;
    this.#options = options;
    this.#server = server;
    this.#refused = watchRefusals(server, options.refuse);
    const isClosing = () => !server.listening;
    this.#responses = createResponseRecorder({ ...options, unfinished: this.#unfinished, isClosing });
  }

  /** Listens on the port, or on the next free one, and returns it. */
  listen(port: number): Promise<number> {
    return listenFrom(this.#server, port, this.#options.access.lanToken === null ? '127.0.0.1' : '0.0.0.0');
  }

  /** Sends the user's response; false if the request is no longer held. */
  respondToHeld(callbackId: number, response: HeldResponse): boolean {
    return this.#responses.respondToHeld(callbackId, response);
  }

  async close() {
    await closeServer(this.#server);
    // Node reports a closed server before its closed connections, and by then the store may be closed.
    for (const end of this.#unfinished) end();
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { refuse, access } = this.#options;
    const head = this.#heads.take(request);
    // Its sender exceeded the limit.
    if (request.socket.destroyed) return refuse(refusalOf('pipelining', 0, request));
    const hosts = countHosts(request.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
      refuse(refusalOf('malformed', 400, request));
      return sendSentence(response, 400, 'Send exactly one Host header.', ['connection', 'close']);
    }
    if (!mayEnter(request, access.lanToken)) {
      refuse(refusalOf('no-token', 404, request));
      // The response reveals nothing, and only a row of refused requests is stored.
      return sendSentence(response, 404, 'Not found.', ['connection', 'close']);
    }
    this.#receive(request, response, head);
  }

  #receive(request: IncomingMessage, response: ServerResponse, head: ReceivedCallback['head']): void {
    const { clock, current, refuse } = this.#options;
    const { limits } = current;
    const receivedAt = clock.now();
    const chunks: Buffer[] = [];
    let storedBytes = 0;
    let discardedBytes = 0;

    const complete = () => {
      if (!this.#unfinished.delete(breakOff) || this.#isTurnedAway(response)) return;
      const body = Buffer.concat(chunks, storedBytes);
      // The request is kept until its response has ended.
      chunks.length = 0;
      const rawHeaders = withoutOwnCookies(request.rawHeaders);
      const callback: ReceivedCallback = {
        receivedAt,
        method: request.method ?? '',
        target: request.url ?? '',
        httpVersion: request.httpVersion,
        remoteAddress: request.socket.remoteAddress ?? '',
        rawHeaders,
        rawTrailers: request.rawTrailers,
        head: rawHeaders === request.rawHeaders ? head : undefined,
        // Within the default limit, heads are too short to count.
        headBytes: limits.headerBytes > defaultHeaderBytes ? request.rawHeaders.join('').length : 0,
        body,
        truncated: discardedBytes > 0,
        answeredStatus: 0,
      };
      this.#store(callback, response);
    };

    const breakOff = () => {
      if (!this.#unfinished.delete(breakOff) || this.#refused.has(request.socket)) return;
      refuse(refusalOf('unfinished', 0, request, chunks[0]));
    };

    this.#unfinished.add(breakOff);
    request.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, limits.bodyBytes - storedBytes);
      // An empty part would keep its chunk in memory.
      if (kept.length > 0) chunks.push(kept);
      storedBytes += kept.length;
      discardedBytes += chunk.length - kept.length;
      if (discardedBytes > limits.discardedBytes) complete();
    });
    request.on('end', complete);
    // A sender that went away before its last byte has no answer to rely on, so its request does not become a callback.
    request.on('error', breakOff);
  }

  #store(callback: ReceivedCallback, response: ServerResponse): void {
    const { plan, endpoints } = this.#options.current;
    const { receivedAt, body, truncated } = callback;
    const planned = truncated
      ? sentenceResponse(413, `The body is longer than ${body.length} bytes; only that much was stored.`)
      : (plan.take(callback) ?? responseWithoutRule(callback, endpoints));
    callback.answeredStatus = planned.status ?? 0;
    this.#options.commit.add({
      callback,
      settled: (error, callbackId) => {
        if (error) sendRetryLater(response, 'The callback could not be stored. Try again later.', 10);
        else this.#responses.respond(response, { callbackId, receivedAt }, planned, truncated);
      },
    });
  }

  /** Responds to requests that are not stored: while paused, or while too many wait for the disk. */
  #isTurnedAway(response: ServerResponse): boolean {
    const { current, commit, refuse } = this.#options;
    if (current.plan.pause === 'refuse') {
      sendRetryLater(response, 'The receiver is paused. Try again later.', 60);
    } else if (current.isDamaged) {
      sendRetryLater(response, "The receiver can't store callbacks until Rainbell is restarted. Try again later.", 60);
    } else if (commit.waitingBytes > current.limits.waitingBytes) {
      refuse(refusalOf('too-many', 503, response.req));
      sendRetryLater(response, 'Too many callbacks are waiting to be stored. Try again in 1 s.', 1);
    } else {
      return false;
    }
    return true;
  }
}

/**
 * Browsers send our website's cookies to every port of 127.0.0.1. In a callback, forwards, exports, and agents would pass the session on.
 */
function withoutOwnCookies(rawHeaders: readonly string[]): readonly string[] {
  if (!rawHeaders.some((text) => text.includes('rainbell_'))) return rawHeaders;
  return pairsOf(rawHeaders).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'cookie') return [name, value];
    const others = value.split(';').filter((pair) => !/^\s*(__Host-)?rainbell_/.test(pair));
    return others.length === 0 ? [] : [name, others.join(';').trim()];
  });
}

function responseWithoutRule(callback: ReceivedCallback, endpoints: readonly EndpointWithSecrets[]): ResponsePlanned {
  const answer = requiredAnswer(endpoints, callback);
  return answer ? { ...receivedResponse, ...answer } : receivedResponse;
}

/** To a request that is not stored. */
function sendSentence(response: ServerResponse, status: number, sentence: string, ...more: [string, string][]): void {
  const { headers, body } = sentenceResponse(status, sentence);
  response.writeHead(status, [...headers, ['content-length', String(Buffer.byteLength(body))], ...more].flat());
  response.end(body);
}

function sendRetryLater(response: ServerResponse, sentence: string, seconds: number): void {
  sendSentence(response, 503, sentence, ['retry-after', String(seconds)]);
}

/** This machine may always; others only with the token as the first segment of the path. */
function mayEnter({ socket, url = '' }: IncomingMessage, lanToken: string | null): boolean {
  if (lanToken === null || isLoopback(socket.remoteAddress ?? '')) return true;
  const given = Buffer.from(url.split(/[/?]/, 2)[1] ?? '');
  const wanted = Buffer.from(lanToken);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** After these, any free one. */
const portsTried = 50;

async function listenFrom(server: Server, port: number, host: string): Promise<number> {
  const lastTried = Math.min(port + portsTried - 1, 65_535);
  for (let candidate = port; ; candidate += 1) {
    const isFree = candidate > lastTried;
    try {
      listenAt(server, host, isFree ? 0 : candidate, 1024);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (isFree || !['EADDRINUSE', 'EACCES'].includes(systemCode(error) ?? '')) throw error;
    }
  }
}
