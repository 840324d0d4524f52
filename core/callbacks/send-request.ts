// Sends one request made from a callback and keeps its answer: no redirects, no decoding, bounded in time and size, and only
// to addresses that the guard allows. The body's bytes go out as they are; hop-by-hop headers and those that follow from URL and body do not.
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { type Clock, forbiddenCode, isLoopback, maxResponseHeaderBytes, targetOf } from '@rainbell/shared';
import type { HeaderList, SendOutcome } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { systemProxyFor, trustSystemCertificates } from '@rainbell/shared/node';
import { certificatesIn, type Transport } from '../http/transport.ts';
import { canceledFailure, networkFailure } from '../http/network-failure.ts';
import { headerOf } from '../http/http-headers.ts';
import type { SendGuard } from './send-guard.ts';

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

type RequestSenderOptions = {
  clock: Clock;
  guard: SendGuard;
  /** A certificate authority to trust in addition to the system's: the receiver's own. */
  authority: () => string | undefined;
  /** Of the connection in use. Its proxy, or the system's, serves every target but this machine. */
  transport: () => Transport;
};

export function createRequestSender({ clock, guard, authority, transport }: RequestSenderOptions) {
  const agents = new Map<string, Dispatcher>();

  async function proxyFor(url: URL): Promise<string | null> {
    return isLoopback(url.hostname) ? null : (transport().proxyUrl ?? systemProxyFor(url));
  }

  function agentFor(url: URL, proxyUrl: string | null, undici: Undici): Dispatcher {
    if (url.protocol === 'https:') trustSystemCertificates();
    const { port } = targetOf(url);
    const { caPem } = transport();
    const own = [authority(), ...certificatesIn(caPem ?? '')].filter((pem) => pem !== undefined);
    const pems = url.protocol === 'https:' ? own : [];
    const key = JSON.stringify([port, proxyUrl, pems]);
    const known = agents.get(key);
    if (known) return known;
    const trusted = pems.length === 0 ? {} : { ca: [...getCACertificates('default'), ...pems] };
    const secured = { timeout: connectMs, ...trusted };
    // Through a proxy, the proxy looks names up.
    const agent =
      proxyUrl === null
        ? new undici.Agent({ ...shared, connect: { ...secured, lookup: guard.lookupFor(port) } })
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
    const proxyUrl = await proxyFor(url);
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
        dispatcher: agentFor(url, proxyUrl, undici),
      });
      const firstByteMs = clock.elapsed() - elapsedAtStart;
      const { body, truncated } = await readUpTo(response.body, limit);
      const bodyBase64 = body.toString('base64');
      return {
        kind: 'answered',
        status: response.statusCode,
        headers: listOf(response.headers),
        bodyBase64,
        truncated,
        firstByteMs,
      };
    } catch (error) {
      if (error instanceof undici.errors.InvalidArgumentError) {
        throw new AppFailure('INVALID_INPUT', `This request cannot be sent: ${error.message}.`, { field: 'headers' });
      }
      if (signal?.aborted) return { kind: 'failed', message: canceledFailure(error).message };
      return { kind: 'failed', message: describeError(error, request.url, timeLimit.signal.aborted, proxyUrl) };
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

/** undici's `responseHeaders: 'raw'` returns names and values alternately, although its types declare an object. */
function listOf(raw: unknown): HeaderList {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  return Array.from({ length: flat.length >> 1 }, (_, index) => [flat[index * 2] ?? '', flat[index * 2 + 1] ?? '']);
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

function describeError(error: unknown, url: string, isLate: boolean, proxyUrl: string | null): string {
  if (error instanceof Error && 'code' in error && error.code === forbiddenCode) {
    return `${URL.parse(url)?.host ?? url} ${error.message}, so nothing was sent there.`;
  }
  return networkFailure(error, url, isLate ? totalMs : undefined, proxyUrl).message;
}
