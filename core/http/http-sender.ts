// One HTTP request and its answer, with the facts that the screens show: headers in order, bytes, time. Every request
// of the app goes through here, so its limits (connect, total time, size) hold for all of them. Redirects are not
// followed: the interface has none, and following one would carry the token elsewhere.
import { systemProxyFor, trustSystemCertificates } from '@rainbell/shared/node';
import type { Clock } from '@rainbell/shared';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { JsonReader } from './json-reader.ts';
import { hostOf, pairsOf } from './http-headers.ts';
import { readResponseBody } from './response-body.ts';
import { jsonFailure } from './response-failure.ts';
import { responseLimits, type ResponseLimit } from './response-limits.ts';
import { jsonBounds, type JsonReading } from './read-json.ts';
import { canceledFailure, networkFailure } from './network-failure.ts';
import { type ConnectSteps, createRequestOpener, noteSteps, responseTo } from './request-opener.ts';
import { certificatesIn, plainTransport, type Transport } from './transport.ts';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: HeaderList;
  body?: string;
  /** A token request holds secrets in its body, and so does its answer. */
  kind?: 'api' | 'token';
  /** What the traffic log keeps. Icons are kept only if they fail: many would push API requests out of the log. */
  logged?: 'always' | 'on failure';
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
/** To one service. */
const maxSockets = 16;

export type HttpSender = ReturnType<typeof createHttpSender>;

type SenderOptions = {
  clock: Clock;
  limits: HttpLimits;
  json: JsonReader;
  transport?: Transport;
  observe?: (observed: ObservedRequest) => number | undefined;
};

type Running = { ending: AbortController; steps: ConnectSteps; since: () => number };

export function createHttpSender(options: SenderOptions) {
  const { clock, limits, json, transport = plainTransport, observe } = options;
  const opener = createRequestOpener({ maxSockets });
  const running = new Map<AbortController, Promise<unknown>>();
  let isOver = false;

  async function send(request: HttpRequest): Promise<HttpResponse> {
    if (isOver) throw new AppFailure('NETWORK', `The connection to ${hostOf(request.url)} is closed. Try again.`);
    if (URL.parse(request.url)?.protocol === 'https:') trustSystemCertificates();
    const startedAt = clock.now();
    const elapsedAtStart = clock.elapsed();
    const steps: ConnectSteps = { lookedUpMs: null, connectedMs: null, securedMs: null };
    const ending = new AbortController();
    const since = () => clock.elapsed() - elapsedAtStart;
    const exchange = requestOnce(request, { ending, steps, since });
    running.set(ending, exchange);
    const { response, failure } = await exchange;
    running.delete(ending);
    const observed = { request, startedAt, tookMs: since(), steps };
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

  /** Never rejects. */
  async function requestOnce(request: HttpRequest, { ending, steps, since }: Running): Promise<Outcome> {
    const totalMs = limits.totalMs + (request.waitMs ?? 0);
    let isLate = false;
    const cancelTimer = clock.after(totalMs, () => {
      isLate = true;
      ending.abort();
    });
    const limit = request.limit ?? responseLimits.other;
    let arrived: PartialResponse | undefined;
    let { proxyUrl } = transport;
    const signal = request.signal ? AbortSignal.any([ending.signal, request.signal]) : ending.signal;
    try {
      const { method, body: text = '' } = request;
      const url = new URL(request.url);
      // While it is looked up, `close()` can end the request.
      proxyUrl ??= await systemProxyFor(url);
      const sent = await opener.open(url, {
        method,
        headers: request.headers,
        bodyBytes: Buffer.byteLength(text),
        pems: certificatesIn(transport.caPem ?? ''),
        proxyUrl,
        signal,
      });
      // A proxy connects on its own.
      if (proxyUrl === null) noteSteps(sent, steps, since);
      sent.end(text);
      const response = await responseTo(sent, { clock, connectMs: limits.connectMs, signal });
      const firstByteMs = since();
      const { statusCode: status = 0 } = response;
      const headers = pairsOf(response.rawHeaders);
      arrived = { status, headers, body: Buffer.alloc(0), firstByteMs };
      const read = await readResponseBody({ stream: response, status, headers, limit, url: request.url });
      const { body, problem } = read;
      arrived = { ...arrived, body };
      if (problem instanceof AppFailure) return { response: arrived, failure: problem };
      if (problem !== undefined) throw problem;
      let reading: Promise<JsonReading> | undefined;
      const exchange: HttpResponse = {
        ...arrived,
        request,
        json: () => (reading ??= readJson(body)),
        tookMs: since(),
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
      if (signal.aborted && !isLate) return { response: arrived, failure: canceledFailure(error) };
      return { response: arrived, failure: networkFailure(error, request.url, isLate ? totalMs : undefined, proxyUrl) };
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
      await Promise.all(running.values());
      opener.close();
    },
    async close() {
      isOver = true;
      for (const ending of running.keys()) ending.abort();
      await Promise.all(running.values());
      opener.close();
    },
  };
}
