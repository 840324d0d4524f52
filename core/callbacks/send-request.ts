// Sends one request made from a callback and keeps its answer: no redirects, no decoding, bounded in time and size, and only
// to addresses that the guard allows. The body's bytes go out as they are; hop-by-hop headers and those that follow from URL and body do not.
import type { Dispatcher } from 'undici';
import { maxResponseHeaderBytes, targetOf } from '@rainbell/shared';
import type { HeaderList, SendOutcome } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { trusting } from '../http/transport.ts';
import { canceledFailure } from '../http/network-failure.ts';
import { headerOf, pairsOf } from '../http/http-headers.ts';
import { describeSendError, type Route, routeOf, type Sending } from './send-route.ts';

export type OutgoingRequest = { method: string; url: string; headers: HeaderList; body: Buffer };

export type FinishedSend = {
  startedAt: number;
  tookMs: number;
  /** As sent. */
  headers: HeaderList;
  outcome: SendOutcome;
};

export type RequestSender = ReturnType<typeof createRequestSender>;

const connectMs = 5000;
const totalMs = 20_000;
const shared = { connections: 8, maxHeaderSize: maxResponseHeaderBytes };

type Undici = typeof import('undici');

export function createRequestSender(sending: Sending) {
  const { clock, guard } = sending;
  const agents = new Map<string, Dispatcher>();

  function agentFor(url: URL, { pems, proxyUrl, lookup }: Route, undici: Undici): Dispatcher {
    const key = JSON.stringify([targetOf(url).port, proxyUrl, pems]);
    const known = agents.get(key);
    if (known) return known;
    const secured = { timeout: connectMs, ...trusting(pems) };
    const agent =
      proxyUrl === null
        ? new undici.Agent({ ...shared, connect: { ...secured, lookup } })
        : new undici.ProxyAgent({ ...shared, uri: proxyUrl, requestTls: secured, proxyTls: secured });
    agents.set(key, agent);
    return agent;
  }

  async function sendRequest(
    undici: Undici,
    url: URL,
    request: OutgoingRequest,
    headers: HeaderList,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<SendOutcome> {
    const route = await routeOf(url, sending);
    const timeLimit = new AbortController();
    const elapsedAtStart = clock.elapsed();
    const cancelTimer = clock.after(totalMs, () => timeLimit.abort());
    try {
      const response = await undici.request(url, {
        method: request.method,
        headers: headers.flat(),
        body: request.body.length === 0 ? null : request.body,
        responseHeaders: 'raw',
        signal: signal ? AbortSignal.any([timeLimit.signal, signal]) : timeLimit.signal,
        dispatcher: agentFor(url, route, undici),
      });
      const firstByteMs = clock.elapsed() - elapsedAtStart;
      const { body, truncated } = await readUpTo(response.body, limit);
      const bodyBase64 = body.toString('base64');
      return {
        kind: 'answered',
        status: response.statusCode,
        // An array, although undici's types declare an object.
        headers: pairsOf(response.headers as unknown as string[]),
        bodyBase64,
        truncated,
        firstByteMs,
      };
    } catch (error) {
      if (error instanceof undici.errors.InvalidArgumentError) {
        throw new AppFailure('INVALID_INPUT', `This request cannot be sent: ${error.message}.`, { field: 'headers' });
      }
      if (signal?.aborted) return { kind: 'failed', message: canceledFailure(error).message };
      const limitMs = timeLimit.signal.aborted ? totalMs : undefined;
      return { kind: 'failed', message: describeSendError(error, request.url, limitMs, route.proxyUrl) };
    } finally {
      cancelTimer();
    }
  }

  return {
    requireAllowed: guard.requireAllowed,
    /** Throws AppFailure INVALID_INPUT for what cannot or must not be sent; everything else is an outcome. */
    async send(request: OutgoingRequest, responseLimitBytes: number, signal?: AbortSignal): Promise<FinishedSend> {
      const url = guard.requireAllowed(request.url);
      const headers = sendableHeaders(request.headers);
      // Not needed at the app's start, and some tens of milliseconds of it.
      const undici = await import('undici');
      const startedAt = clock.now();
      const elapsedAtStart = clock.elapsed();
      const outcome = await sendRequest(undici, url, request, headers, responseLimitBytes, signal);
      return { startedAt, tookMs: clock.elapsed() - elapsedAtStart, headers, outcome };
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** RFC 9110 §7.6.1, and what follows from the URL and the body. */
const ownHeaders = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
]);

export function sendableHeaders(headers: HeaderList): HeaderList {
  const named = (headerOf(headers, 'connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}

async function readUpTo(response: AsyncIterable<Buffer>, limit: number): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > limit) return { body: Buffer.concat(chunks).subarray(0, limit), truncated: true };
  }
  return { body: Buffer.concat(chunks, length), truncated: false };
}
