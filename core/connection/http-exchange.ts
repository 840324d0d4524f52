// One HTTP request and its answer, with the facts that the screens show: headers in order, bytes, time. Every request
// of the app goes through here, so its limits (connect, total time, size) hold for all of them. Redirects are not
// followed: the interface has none, and following one would carry the token elsewhere.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Clock } from '#contract/clock.ts';
import type { HeaderList } from '#contract/procedures/base.ts';
import { AppFailure } from '../app-failure.ts';
import { type ConnectSteps, createConnectTrace, noConnectSteps } from './connect-steps.ts';
import { networkFailure } from './network-failure.ts';
import { openDispatcher, plainTransport, type Transport } from './transport.ts';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: HeaderList;
  body?: string;
  /** A token request holds secrets in its body, and so does its answer. */
  kind?: 'api' | 'token';
};

export type HttpExchange = {
  request: HttpRequest;
  status: number;
  headers: HeaderList;
  /** The body after decoding. */
  body: Buffer;
  /** Until the answer's headers were there. */
  firstByteMs: number;
  tookMs: number;
};

/** How a request ended, for the traffic log. It holds secrets; whoever keeps it masks them first. */
export type ObservedExchange = { request: HttpRequest; startedAt: number; tookMs: number; steps: ConnectSteps } & (
  | { exchange: HttpExchange }
  | { failure: AppFailure }
);

export type HttpLimits = { connectMs: number; totalMs: number; bodyBytes: number };
export const httpLimits: HttpLimits = { connectMs: 5000, totalMs: 20_000, bodyBytes: 16 * 1024 * 1024 };

export type HttpSender = {
  /** Any status resolves; throws AppFailure NETWORK or PROTOCOL where there was no whole answer. */
  send: (request: HttpRequest) => Promise<HttpExchange>;
  /** Lets what is under way end; takes nothing new. */
  retire: () => Promise<void>;
  /** Breaks off what is under way. */
  close: () => Promise<void>;
};

type SenderOptions = {
  clock: Clock;
  limits: HttpLimits;
  transport?: Transport;
  observe?: (observed: ObservedExchange) => void;
};

export function createHttpSender({ clock, limits, transport = plainTransport, observe }: SenderOptions): HttpSender {
  const trace = createConnectTrace(clock);
  let opened: Promise<Dispatcher> | undefined;
  let isOver = false;

  async function send(request: HttpRequest): Promise<HttpExchange> {
    if (isOver) throw new AppFailure('NETWORK', `The connection to ${hostOf(request.url)} is closed. Try again.`);
    const dispatcher = await (opened ??= openDispatcher(transport, limits.connectMs, trace));
    const startedAt = clock.now();
    const steps = noConnectSteps();
    try {
      const exchange = await trace.follow({ steps, startedAt }, () => exchangeOnce(request, startedAt, dispatcher));
      observe?.({ request, startedAt, tookMs: exchange.tookMs, steps, exchange });
      return exchange;
    } catch (error) {
      if (error instanceof AppFailure)
        observe?.({ request, startedAt, tookMs: clock.now() - startedAt, steps, failure: error });
      throw error;
    }
  }

  async function exchangeOnce(request: HttpRequest, startedAt: number, dispatcher: Dispatcher): Promise<HttpExchange> {
    const timeLimit = new AbortController();
    const cancelTimer = clock.after(limits.totalMs, () => timeLimit.abort());
    try {
      const { origin, pathname, search } = new URL(request.url);
      const answer = await dispatcher.request({
        origin,
        path: pathname + search,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: timeLimit.signal,
      });
      const firstByteMs = clock.now() - startedAt;
      const headers = toHeaderList(answer.headers);
      const sent = await readLimited(answer.body, limits.bodyBytes, request.url);
      const body = await decode(sent, headerOf(headers, 'content-encoding'), limits.bodyBytes, request.url);
      return { request, status: answer.statusCode, headers, body, firstByteMs, tookMs: clock.now() - startedAt };
    } catch (error) {
      if (error instanceof AppFailure) throw error;
      throw networkFailure(error, request.url, timeLimit.signal.aborted ? limits.totalMs : undefined);
    } finally {
      cancelTimer();
    }
  }

  return {
    send,
    async retire() {
      isOver = true;
      await (await opened)?.close();
    },
    async close() {
      isOver = true;
      await (await opened)?.destroy();
    },
  };
}

/** The first value of a header; names are compared without case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** undici's `responseHeaders: 'raw'` gives names and values in turn, though its types speak of an object. */
function toHeaderList(raw: unknown): HeaderList {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  const list: HeaderList = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}

async function readLimited(body: AsyncIterable<Buffer>, limitBytes: number, url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(url, limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

async function decode(body: Buffer, coding: string | undefined, limitBytes: number, url: string): Promise<Buffer> {
  const name = coding?.trim().toLowerCase() ?? '';
  if (body.length === 0 || name === '' || name === 'identity') return body;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decoder) {
    throw new AppFailure('PROTOCOL', `${hostOf(url)} answered in the encoding “${name}”, which was not asked for.`);
  }
  try {
    return await decoder(body, { maxOutputLength: limitBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url, limitBytes);
    throw new AppFailure(
      'PROTOCOL',
      `${hostOf(url)} says that its answer is ${name}, but it cannot be decoded as such.`,
      {},
      { cause: error },
    );
  }
}

function tooLarge(url: string, limitBytes: number): AppFailure {
  return new AppFailure('PROTOCOL', `${hostOf(url)} answered more than ${limitBytes} bytes, so reading was stopped.`);
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
