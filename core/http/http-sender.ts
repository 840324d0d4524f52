// One HTTP request and its answer, with the facts that the screens show: headers in order, bytes, time. Every request
// of the app goes through here, so its limits (connect, total time, size) hold for all of them. Redirects are not
// followed: the interface has none, and following one would carry the token elsewhere.
import type { Dispatcher } from 'undici';
import { systemProxyFor, trustSystemCertificates } from '@rainbell/shared/node';
import type { Clock } from '@rainbell/shared';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { JsonReader } from './json-reader.ts';
import { type ConnectSteps, createConnectTrace, noConnectSteps } from './connect-steps.ts';
import { hostOf, pairsOf } from './http-headers.ts';
import { readResponseBody } from './response-body.ts';
import { jsonFailure } from './response-failure.ts';
import { responseLimits, type ResponseLimit } from './response-limits.ts';
import { jsonBounds, type JsonReading } from './read-json.ts';
import { canceledFailure, networkFailure } from './network-failure.ts';
import { openDispatcher, plainTransport, type Transport } from './transport.ts';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: HeaderList;
  body?: string;
  /** A token request holds secrets in its body, and so does its answer. */
  kind?: 'api' | 'token';
  /** What the traffic log keeps. Icons are kept only if they fail: many would push API requests out of the log. */
  logged?: 'always' | 'on failure';
  /** Breaks the request off. */
  signal?: AbortSignal | undefined;
  /**
   * Not requested by the user: the app reads the state of its own sandbox or of deliveries. The traffic log shows these separately.
   */
  isBackground?: boolean;
  /** How long the service was requested to wait before it responds; added to the time limit. */
  waitMs?: number;
  /** How large the response may be; without it, what is enough for a single object. */
  limit?: ResponseLimit;
};

export type HttpResponse = {
  request: HttpRequest;
  status: number;
  headers: HeaderList;
  /** The body after decoding; of an error (status 400 or more) at most its first 64 KB. */
  body: Buffer;
  /** The body as JSON. Throws AppFailure PROTOCOL, which names the service, if it is not JSON or exceeds the limit. */
  json: () => Promise<JsonReading>;
  /** Its ID in the traffic log. */
  trafficId?: number | undefined;
  /** Until the response headers were received. */
  firstByteMs: number;
  tookMs: number;
};

/** How a request ended, for the traffic log. It contains secrets; mask them before storing it. */
export type ObservedRequest = { request: HttpRequest; startedAt: number; tookMs: number; steps: ConnectSteps } & (
  | { response: PartialResponse; failure?: AppFailure }
  | { response?: PartialResponse; failure: AppFailure }
);

/** The received part of a response; `body` may be only its start. */
type PartialResponse = Pick<HttpResponse, 'status' | 'headers' | 'body' | 'firstByteMs'>;

export type HttpLimits = { connectMs: number; totalMs: number };
export const httpLimits: HttpLimits = { connectMs: 5000, totalMs: 20_000 };

export type HttpSender = ReturnType<typeof createHttpSender>;

type SenderOptions = {
  clock: Clock;
  limits: HttpLimits;
  json: JsonReader;
  transport?: Transport;
  observe?: (observed: ObservedRequest) => number | undefined;
};

export function createHttpSender(options: SenderOptions) {
  const { clock, limits, json, transport = plainTransport, observe } = options;
  const trace = createConnectTrace(clock);
  /** By the URL of their proxy. */
  const opened = new Map<string | null, Promise<Dispatcher>>();
  let isOver = false;

  function dispatcherThrough(proxyUrl: string | null): Promise<Dispatcher> {
    const known = opened.get(proxyUrl) ?? openDispatcher({ ...transport, proxyUrl }, limits.connectMs, trace);
    opened.set(proxyUrl, known);
    return known;
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    if (isOver) throw new AppFailure('NETWORK', `The connection to ${hostOf(request.url)} is closed. Try again.`);
    const url = URL.parse(request.url);
    if (url?.protocol === 'https:') trustSystemCertificates();
    const proxyUrl = transport.proxyUrl ?? (url && (await systemProxyFor(url)));
    const dispatcher = await dispatcherThrough(proxyUrl);
    const startedAt = clock.now();
    const elapsedAtStart = clock.elapsed();
    const steps = noConnectSteps();
    const { response, failure } = await trace.follow({ steps, startedAt: elapsedAtStart }, () =>
      requestOnce(request, elapsedAtStart, { dispatcher, proxyUrl }),
    );
    const observed = { request, startedAt, tookMs: clock.elapsed() - elapsedAtStart, steps };
    if (failure) {
      const trafficId = observe?.({ ...observed, ...(response ? { response } : {}), failure });
      throw failure.with({ trafficId });
    }
    response.trafficId = observe?.({ ...observed, tookMs: response.tookMs, response });
    return response;
  }

  type Outcome =
    | { response: HttpResponse; failure?: undefined }
    | { response: PartialResponse | undefined; failure: AppFailure };

  async function requestOnce(
    request: HttpRequest,
    elapsedAtStart: number,
    { dispatcher, proxyUrl }: { dispatcher: Dispatcher; proxyUrl: string | null },
  ): Promise<Outcome> {
    const timeLimit = new AbortController();
    const totalMs = limits.totalMs + (request.waitMs ?? 0);
    const cancelTimer = clock.after(totalMs, () => timeLimit.abort());
    const limit = request.limit ?? responseLimits.other;
    let arrived: PartialResponse | undefined;
    try {
      const { origin, pathname, search } = new URL(request.url);
      const response = await dispatcher.request({
        origin,
        path: pathname + search,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: request.signal ? AbortSignal.any([timeLimit.signal, request.signal]) : timeLimit.signal,
      });
      const firstByteMs = clock.elapsed() - elapsedAtStart;
      const { statusCode: status } = response;
      // With `responseHeaders: 'raw'`, it is an array, although undici's types declare an object.
      const headers = pairsOf(response.headers as unknown as string[]);
      arrived = { status, headers, body: Buffer.alloc(0), firstByteMs };
      const read = await readResponseBody({ stream: response.body, status, headers, limit, url: request.url });
      const { body, problem } = read;
      arrived = { ...arrived, body };
      if (problem instanceof AppFailure) return { response: arrived, failure: problem };
      if (problem !== undefined) throw problem;
      let reading: Promise<JsonReading> | undefined;
      const exchange: HttpResponse = {
        ...arrived,
        request,
        json: () => (reading ??= readJson(body)),
        tookMs: clock.elapsed() - elapsedAtStart,
      };
      return { response: exchange };

      async function readJson(text: Buffer): Promise<JsonReading> {
        const outcome = await json.read(text, jsonBounds(limit.items));
        if (outcome.ok) return outcome;
        const failure = jsonFailure(outcome, { url: request.url, status, headers, limit });
        throw failure.with({ trafficId: exchange.trafficId });
      }
    } catch (error) {
      if (error instanceof AppFailure) return { response: arrived, failure: error };
      if (request.signal?.aborted) return { response: arrived, failure: canceledFailure(error) };
      const spentMs = timeLimit.signal.aborted ? totalMs : undefined;
      return { response: arrived, failure: networkFailure(error, request.url, spentMs, proxyUrl) };
    } finally {
      cancelTimer();
    }
  }

  return {
    /** Any status resolves; throws AppFailure NETWORK or PROTOCOL where there was no whole answer. */
    send,
    /** Lets requests in progress end; accepts no new ones. */
    async retire() {
      isOver = true;
      await Promise.all([...opened.values()].map(async (dispatcher) => (await dispatcher).close()));
    },
    /** Aborts requests in progress. */
    async close() {
      isOver = true;
      await Promise.all([...opened.values()].map(async (dispatcher) => (await dispatcher).destroy()));
    },
  };
}
