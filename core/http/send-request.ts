// Sends one request of the app, made from a callback or for a check, and keeps its answer: no redirects, no decoding, bounded in time and
// size, and only to addresses that the guard allows. The body's bytes go out as they are; hop-by-hop headers and those that follow from URL
// and body do not. A check sends bodies in ways that usual clients hide: in slow pieces, broken off, or after `100 Continue`.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Clock, isConnectionHeader, isLoopback, systemCode } from '@rainbell/shared';
import { forbiddenCode, systemProxyFor, targetOf, trustSystemCertificates } from '@rainbell/shared/node';
import type { HeaderList, SendOutcome } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { canceledFailure, networkFailure } from './network-failure.ts';
import { certificatesIn, type Transport } from './transport.ts';
import type { SendGuard } from './send-guard.ts';
import { headerOf, pairsOf } from './http-headers.ts';
import { createRequestOpener, responseTo } from './request-opener.ts';

export type Sending = {
  clock: Clock;
  guard: SendGuard;
  /** A certificate authority to trust in addition to the system's: the receiver's own. */
  authority: () => string | undefined;
  /** Of the connection in use. Its proxy, or the system's, serves every target but this machine. */
  transport: () => Transport;
};

/** How the body is sent: whole, in pieces, only its first half, or after the receiver requests it. */
export type SendPace = 'whole' | 'slow' | 'broken-off' | 'expect-continue';

export type OutgoingRequest = { method: string; url: string; headers: HeaderList; body: Buffer; pace?: SendPace };

export type FinishedSend = {
  startedAt: number;
  tookMs: number;
  /** As sent. */
  headers: HeaderList;
  /** `skipped`: it was broken off on purpose. */
  outcome: SendOutcome;
};

/** What only a check shows. */
export type SendDetails = {
  /** Statuses before the final one, such as 100 and 103. */
  interim: readonly number[];
  /** Whether the response came before the body was sent. */
  isEarly: boolean;
  /** Whether the time limit ended it. */
  isLate: boolean;
};

type Sender = ReturnType<typeof createRequestSender>;
export type RequestSender = Omit<Sender, 'send'> & {
  send: (...request: Parameters<Sender['send']>) => Promise<FinishedSend>;
};

/** In milliseconds. */
export type SendTiming = {
  /** Time limit for the whole response, after a body that is sent at once. */
  responseMs: number;
  slowBodyMs: number;
  /** How long to wait for `100 Continue` before the body is sent without it (RFC 9110 section 10.1.1). */
  continueMs: number;
  /** Until a request breaks off, so that the receiver has seen its first half. */
  brokenOffMs: number;
};

export const sendTiming: SendTiming = { responseMs: 20_000, slowBodyMs: 3000, continueMs: 1000, brokenOffMs: 250 };

const connectMs = 5000;
const slowPieces = 6;
const maxInterim = 20;

/** What happens later, unless the request ends before. */
type Later = (delayMs: number, run: () => void) => void;

/** `keepsAlive`: false for a connection per request, so that a broken one does not disturb the next. */
type SenderOptions = Sending & { timing?: SendTiming; keepsAlive?: boolean };

export function createRequestSender({ timing = sendTiming, keepsAlive = true, ...sending }: SenderOptions) {
  const { clock, guard } = sending;
  const opener = createRequestOpener({ keepsAlive });

  async function exchange(
    url: URL,
    outgoing: OutgoingRequest,
    headers: HeaderList,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<Pick<FinishedSend, 'outcome'> & SendDetails> {
    const route = await routeOf(url, sending);
    const waits = { whole: 0, slow: timing.slowBodyMs, 'broken-off': 0, 'expect-continue': timing.continueMs };
    const limitMs = timing.responseMs + waits[outgoing.pace ?? 'whole'];
    const timeLimit = new AbortController();
    const elapsedAtStart = clock.elapsed();
    const cancels: (() => void)[] = [];
    const later: Later = (delayMs, run) => void cancels.push(clock.after(delayMs, run));
    const facts = { interim: [] as number[], isEarly: false, isLate: false };
    let request: ClientRequest | undefined;
    let response: IncomingMessage | null = null;
    later(limitMs, () => timeLimit.abort());
    try {
      const ending = signal ? AbortSignal.any([timeLimit.signal, signal]) : timeLimit.signal;
      const { method, body, pace } = outgoing;
      const asked: HeaderList = pace === 'expect-continue' ? [['expect', '100-continue']] : [];
      const opening = { ...route, method, headers: [...headers, ...asked], bodyBytes: body.length, signal: ending };
      request = await opener.open(url, opening);
      response = await sendBody(request, outgoing, { clock, timing, later, interim: facts.interim, signal: ending });
      if (!response) return { ...facts, outcome: { kind: 'skipped', message: 'Broken off on purpose.' } };
      facts.isEarly = !request.writableFinished;
      const firstByteMs = clock.elapsed() - elapsedAtStart;
      const read = await readUpTo(response, limit);
      const bodyBase64 = read.body.toString('base64');
      const { statusCode: status = 0, rawHeaders } = response;
      const answer = { status, headers: pairsOf(rawHeaders), bodyBase64, truncated: read.truncated, firstByteMs };
      return { ...facts, outcome: { kind: 'answered', ...answer } };
    } catch (error) {
      if (error instanceof Error && !request && systemCode(error)?.startsWith('ERR_'))
        throw new AppFailure('INVALID_INPUT', `This request cannot be sent: ${error.message}.`, { field: 'headers' });
      if (signal?.aborted) return { ...facts, outcome: { kind: 'failed', message: canceledFailure(error).message } };
      facts.isLate = timeLimit.signal.aborted;
      const message = describeSendError(error, url.href, facts.isLate ? limitMs : undefined, route.proxyUrl);
      return { ...facts, outcome: { kind: 'failed', message } };
    } finally {
      for (const cancel of cancels) cancel();
      if (!response?.complete || !request?.writableFinished) request?.destroy();
    }
  }

  return {
    requireAllowed: guard.requireAllowed,
    /** Throws AppFailure INVALID_INPUT for what cannot or must not be sent; everything else is an outcome. */
    async send(
      request: OutgoingRequest,
      responseLimitBytes: number,
      signal?: AbortSignal,
    ): Promise<FinishedSend & SendDetails> {
      const url = guard.requireAllowed(request.url);
      const headers = sendableHeaders(request.headers);
      const startedAt = clock.now();
      const elapsedAtStart = clock.elapsed();
      const finished = await exchange(url, request, headers, responseLimitBytes, signal);
      return { startedAt, tookMs: clock.elapsed() - elapsedAtStart, headers, ...finished };
    },
    close() {
      opener.close();
    },
  };
}

type BodyOptions = { clock: Clock; timing: SendTiming; later: Later; interim: number[]; signal: AbortSignal };

/** Resolves with the final response, or null if the request was broken off on purpose. */
function sendBody(
  request: ClientRequest,
  { body, pace = 'whole' }: OutgoingRequest,
  { clock, timing, later, interim, signal }: BodyOptions,
): Promise<IncomingMessage | null> {
  request.on('information', ({ statusCode }: { statusCode: number }) => {
    if (interim.length < maxInterim) interim.push(statusCode);
  });
  const response = responseTo(request, { clock, connectMs, signal });
  if (pace === 'whole') request.end(body);
  if (pace === 'slow') sendSlowly(request, body, timing.slowBodyMs, later);
  if (pace === 'expect-continue') {
    const end = () => {
      if (!request.writableEnded) request.end(body);
    };
    request.on('continue', end);
    request.flushHeaders();
    later(timing.continueMs, end);
  }
  if (pace !== 'broken-off') return response;
  const brokenOff = new Promise<null>((resolve) => {
    request.write(body.subarray(0, body.length >> 1), () => later(timing.brokenOffMs, () => resolve(null)));
  });
  return Promise.race([response, brokenOff]);
}

function sendSlowly(request: ClientRequest, body: Buffer, overMs: number, later: Later): void {
  const size = Math.ceil(body.length / slowPieces);
  // One timer at a time: if the process is busy, Node.js can run timers with different delays out of order.
  const sendNext = (rest: Buffer) =>
    later(overMs / slowPieces, () => {
      if (request.destroyed) return;
      request.write(rest.subarray(0, size));
      if (rest.length <= size) request.end();
      else sendNext(rest.subarray(size));
    });
  request.flushHeaders();
  sendNext(body);
}

export function sendableHeaders(headers: HeaderList): HeaderList {
  const named = (headerOf(headers, 'connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return headers.filter(([name]) => !isConnectionHeader(name) && !named.includes(name.toLowerCase()));
}

async function readUpTo(response: AsyncIterable<Buffer>, limit: number): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  if (limit === 0) return { body: Buffer.alloc(0), truncated: true };
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > limit) return { body: Buffer.concat(chunks).subarray(0, limit), truncated: true };
  }
  return { body: Buffer.concat(chunks, length), truncated: false };
}

/** `pems`: the certificates to trust in addition. `lookup`: without a proxy, which looks names up itself. */
async function routeOf(url: URL, { guard, authority, transport }: Omit<Sending, 'clock'>) {
  const isTls = url.protocol === 'https:';
  if (isTls) trustSystemCertificates();
  const { caPem, proxyUrl } = transport();
  const own = [authority(), ...certificatesIn(caPem ?? '')].filter((pem) => pem !== undefined);
  return {
    pems: isTls ? own : [],
    proxyUrl: isLoopback(url.hostname) ? null : (proxyUrl ?? (await systemProxyFor(url))),
    lookup: guard.lookupFor(targetOf(url).port),
  };
}

function describeSendError(error: unknown, url: string, limitMs: number | undefined, proxyUrl: string | null) {
  if (error instanceof Error && 'code' in error && error.code === forbiddenCode)
    return `${URL.parse(url)?.host ?? url} ${error.message}, so nothing was sent there.`;
  return networkFailure(error, url, limitMs, proxyUrl).message;
}
