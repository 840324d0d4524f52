// The callback receiver: bare node:http, which keeps each request's raw bytes, header order and duplicates
// (docs/interface.md §6), and answers only after the request is on disk. It has no cookies, no CORS and no way into the
// app.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import { type Clock, isLoopback, systemCode } from '@rainbell/shared';
import { closeServer, connectionLimits, countHosts, limitConnections, listenAt } from '@rainbell/shared/node';
import { pairsOf } from '../../http/http-headers.ts';
import { bufferOf, type ReceivedCallback } from '../requests/received-callback.ts';
import type { GroupCommit } from './group-commit.ts';
import { createHeadCapture } from '../requests/head-capture.ts';
import { defaultHeaderBytes, type ListenAccess, type ReceiverLimits } from '../access/receiver-limits.ts';
import { endpointSenderOf, type EndpointWithSecrets, toSenderRequest } from '../../senders/endpoint-sender.ts';
import { answerHandshake, refusalFor } from '../../senders/handshakes.ts';
import { readSenderRequest } from '../../senders/sender-request.ts';
import { senderRows } from '../../senders/sender-rows.ts';
import { recognizeSender } from '../../senders/verify-sender.ts';
import { type Refusal, refusalOf, watchRefusals } from '../refusals/refused-requests.ts';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
  textHeaders,
} from '../responses/response-outcome.ts';
import type { ResponsePlan } from '../rules/response-plan.ts';
import { createResponseRecorder, type ResponseRecorder } from '../responses/response-recorder.ts';

export type ReceiverServer = ReturnType<typeof createReceiverServer>;

type ReceiverServerDependencies = {
  clock: Clock;
  limits: () => ReceiverLimits;
  commit: GroupCommit;
  plan: () => ResponsePlan;
  endpoints: () => readonly EndpointWithSecrets[];
  isDamaged: () => boolean;
  access: ListenAccess;
  record: (outcome: RecordedOutcome) => void;
  refuse: (refusal: Refusal) => void;
  onHeld: () => void;
};

export function createReceiverServer(dependencies: ReceiverServerDependencies) {
  const limits = dependencies.limits();
  const { tls, lanToken } = dependencies.access;
  const options = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.checkingInterval,
    maxHeaderSize: limits.headerBytes,
    // node:http would refuse these without a word to the receiver.
    requireHostHeader: false,
    noDelay: true,
  };
  let isClosing = false;
  /** Connections of senders that exceeded the limit. */
  const flooding = new WeakSet<Socket>();
  const responses = createResponseRecorder({
    clock: dependencies.clock,
    record: dependencies.record,
    isDropped: (socket) => isClosing || flooding.has(socket),
    onHeld: dependencies.onHeld,
  });
  const breakOffs: BreakOffs = new Set();
  /** Connections that sent a request which was refused and noted. */
  const refused = new WeakSet<Socket>();
  const heads = createHeadCapture();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const head = heads.take(request);
    if (request.socket.destroyed) {
      flooding.add(request.socket);
      return dependencies.refuse(refusalOf('pipelining', 0, request));
    }
    const hosts = countHosts(request.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
      dependencies.refuse(refusalOf('malformed', 400, request));
      return sendSentence(response, 400, 'Send exactly one Host header.\n', { connection: 'close' });
    }
    if (!mayEnter(request, lanToken)) {
      dependencies.refuse(refusalOf('no-token', 404, request));
      // The response reveals nothing, and only a row of refused requests is stored.
      return sendSentence(response, 404, 'Not found.\n', { connection: 'close' });
    }
    receive(dependencies, { request, response, head, responses, refused, breakOffs });
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeout })
    : createServer(options);
  const unfinishedRequests = Math.min(limits.connections, Math.floor(unfinishedHeadBytes / limits.headerBytes));
  limitConnections(
    server,
    { ...connectionLimits, unfinishedRequests, reportedRequests },
    () => dependencies.clock.elapsed(),
    tls ? 'secureConnection' : 'connection',
  );
  server.on('connection', dependencies.commit.expectMore);
  server.on(tls ? 'secureConnection' : 'connection', heads.watch);
  server.on('request', onRequest);
  watchRefusals(server, refused, dependencies.refuse);
  server.maxHeadersCount = 0;
  // A sender may end its side behind its request and still read the response; Node would end the other side, too.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Connections that wait for a delayed answer are not unfinished, so a bound of their own ends their number.
  server.maxConnections = limits.connections * 4;
  return {
    /** Listens on the port, or on the next free one, and returns it. */
    listen: (port: number): Promise<number> => listenFrom(server, port, lanToken === null ? '127.0.0.1' : '0.0.0.0'),
    respondToHeld: responses.respondToHeld,
    held: responses.held,
    async close() {
      isClosing = true;
      await closeServer(server);
      // Node reports a closed server before its closed connections, and by then the store may be closed.
      for (const breakOff of breakOffs) breakOff();
      responses.endAll();
    },
  };
}

/** All unfinished requests together may have heads of so many bytes, for the time of a burst four times as many. */
const unfinishedHeadBytes = 32 * 1024 * 1024;

/** Of each connection that sends too many at once, so many refused requests are counted. */
const reportedRequests = 32;

/** Reports each request that is not complete as unfinished. */
type BreakOffs = Set<() => void>;

type IncomingRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  head: Buffer | undefined;
  responses: ResponseRecorder;
  refused: WeakSet<Socket>;
  breakOffs: BreakOffs;
};

function receive(dependencies: ReceiverServerDependencies, incoming: IncomingRequest): void {
  const { request, response, head, responses, refused, breakOffs } = incoming;
  const { commit, clock, plan } = dependencies;
  const limits = dependencies.limits();
  const receivedAt = clock.now();
  const chunks: Buffer[] = [];
  let storedBytes = 0;
  let discardedBytes = 0;
  let isHandled = false;

  function complete(): void {
    if (isHandled) return;
    isHandled = true;
    breakOffs.delete(breakOff);
    if (isTurnedAway(dependencies, request, response)) return;
    const truncated = discardedBytes > 0;
    const body = Buffer.concat(chunks, storedBytes);
    // The request is kept until its response has ended.
    chunks.length = 0;
    const callback = toCallback(
      request,
      { receivedAt, body, truncated, answeredStatus: 0, ...(head ? { head } : {}) },
      limits,
    );
    const planned = truncated
      ? tooLongResponse(limits.bodyBytes)
      : (plan().take(callback) ?? senderResponse(callback, dependencies.endpoints()) ?? receivedResponse);
    callback.answeredStatus = planned.status ?? 0;
    commit.add({
      callback,
      settled(error, callbackId) {
        if (error)
          sendSentence(response, 503, 'The callback could not be stored. Try again later.\n', {
            'retry-after': '10',
          });
        else responses.respond({ request, response, callbackId, receivedAt }, planned, truncated);
      },
    });
  }

  function breakOff(): void {
    breakOffs.delete(breakOff);
    if (isHandled) return;
    isHandled = true;
    if (!refused.has(request.socket)) dependencies.refuse(refusalOf('unfinished', 0, request, chunks));
  }

  breakOffs.add(breakOff);
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

function toCallback(
  request: IncomingMessage,
  { head, ...facts }: Pick<ReceivedCallback, 'receivedAt' | 'body' | 'truncated' | 'answeredStatus' | 'head'>,
  limits: ReceiverLimits,
): ReceivedCallback {
  const { rawHeaders, rawTrailers } = request;
  const headers = withoutOwnCookies(rawHeaders);
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    httpVersion: request.httpVersion,
    remoteAddress: request.socket.remoteAddress ?? '',
    rawHeaders: headers,
    rawTrailers,
    // Usual heads are too short to count.
    ...(limits.headerBytes > defaultHeaderBytes ? { headBytes: rawHeaders.join('').length } : {}),
    ...facts,
    ...(head && headers === rawHeaders ? { head } : {}),
  };
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

/** Every request is compared with them while its sender waits. */
const rowsWithHandshakes = senderRows.filter(({ handshakes }) => handshakes !== undefined);
/** Handshakes are short; a longer body is not read while its sender waits. */
const maxSenderBytes = 64 * 1024;

/** The response that a sender requires: to the request with which it checks the receiver, or to a wrong signature. */
function senderResponse(
  { method, target, rawHeaders, body, receivedAt }: ReceivedCallback,
  endpoints: readonly EndpointWithSecrets[],
): ResponsePlanned | undefined {
  if (body.length > maxSenderBytes) return undefined;
  const endpoint = endpointSenderOf(endpoints, target);
  const request = toSenderRequest(
    { method, target, headers: pairsOf(rawHeaders), body: bufferOf(body) },
    endpoint.publicUrl,
  );
  const answer =
    answerHandshake(rowsWithHandshakes, request, { ...endpoint, receivedAt }) ??
    (endpoint.secrets.length > 0
      ? refusalFor(endpoint.sender ?? recognizeSender(senderRows, readSenderRequest(request)), request, {
          secrets: endpoint.secrets,
          receivedAt,
        })
      : undefined);
  return answer && { action: 'answer', ...answer, delayMs: 0, rule: null, step: null };
}

function sendSentence(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(sentence)),
    ...headers,
  });
  response.end(sentence);
}

function tooLongResponse(limitBytes: number): ResponsePlanned {
  const body = `The body is longer than ${limitBytes} bytes; only that much was stored.\n`;
  return { ...receivedResponse, status: 413, headers: textHeaders, body };
}

/** Responds to requests that are not stored: while paused, or while too many wait for the disk. */
function isTurnedAway(
  { commit, limits, plan, isDamaged, refuse }: ReceiverServerDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (plan().pause === 'refuse') {
    sendSentence(response, 503, 'The receiver is paused. Try again later.\n', { 'retry-after': '60' });
  } else if (isDamaged()) {
    sendSentence(response, 503, "The receiver can't store callbacks until Rainbell is restarted. Try again later.\n", {
      'retry-after': '60',
    });
  } else if (commit.waitingBytes > limits().waitingBytes) {
    refuse(refusalOf('too-many', 503, request));
    sendSentence(response, 503, 'Too many callbacks are waiting to be stored. Try again in 1 s.\n', {
      'retry-after': '1',
    });
  } else {
    return false;
  }
  return true;
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
