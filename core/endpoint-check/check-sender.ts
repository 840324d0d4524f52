// Sends the requests of the endpoint check in ways that usual HTTP clients hide: a body in slow pieces, a request that breaks off, and
// `Expect: 100-continue`. The guard and the proxy are those of all that the app sends (core/callbacks/send-route.ts).
import { type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http';
import type { CheckAttempt, HeaderList } from '@rainbell/contract/app-rpc';
import { describeSendError, type Route, routeOf, type Sending } from '../callbacks/send-route.ts';
import { trusting } from '../http/transport.ts';
import { type Clock, maxResponseHeaderBytes } from '@rainbell/shared';

/** How the body is sent: whole, in pieces, only its first half, or after the receiver requests it. */
export type CheckPace = 'whole' | 'slow' | 'broken-off' | 'expect-continue';

export type CheckRequest = { sent: string; headers: HeaderList; body: Buffer; pace?: CheckPace; method?: string };

export type CheckReply = CheckAttempt & {
  /** Of the response, with names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the response came before the body was sent. */
  isEarly: boolean;
};

/** In milliseconds. */
export type CheckTiming = {
  /** Time limit for the final response after the last byte of the body. The service's own limit is 15 s. */
  responseMs: number;
  /** How long a slow body takes. */
  slowBodyMs: number;
  /** How long to wait for `100 Continue` before the body is sent without it (RFC 9110 section 10.1.1). */
  continueMs: number;
  /** Until a request breaks off, so that the receiver has seen its first half. */
  brokenOffMs: number;
};

export const defaultTiming: CheckTiming = { responseMs: 15_000, slowBodyMs: 3000, continueMs: 1000, brokenOffMs: 250 };

export type CheckSender = ReturnType<typeof createCheckSender>;

type CheckSenderOptions = Sending & { timing: CheckTiming };

const slowPieces = 6;
const maxInterim = 20;
/** More of a response is not read. */
const responseBytes = 64 * 1024;

export function createCheckSender(options: CheckSenderOptions) {
  const { clock, guard, timing } = options;
  const running = new Set<ClientRequest>();

  return {
    /** Throws like the guard’s `requireAllowed`; everything else is in the exchange. */
    async send(
      text: string,
      { sent, headers, body, pace = 'whole', method = 'POST' }: CheckRequest,
    ): Promise<CheckReply> {
      const url = guard.requireAllowed(text);
      const startedAt = clock.elapsed();
      const route = await routeOf(url, options);
      const { request, agent } = await open(url, headers, { length: body.length, pace, method }, route);
      running.add(request);
      const interim: number[] = [];
      try {
        const response = await sendRequest(request, { body, pace, interim, clock, timing });
        const isEarly = response !== null && !request.writableFinished;
        const facts = { headers: response?.headers ?? {}, isEarly, tookMs: clock.elapsed() - startedAt };
        return { sent, status: response?.statusCode ?? null, interim, problem: null, ...facts };
      } catch (error) {
        const problem = describe(error, url, route.proxyUrl);
        const tookMs = clock.elapsed() - startedAt;
        return { sent, status: null, interim, tookMs, problem, headers: {}, isEarly: false };
      } finally {
        running.delete(request);
        request.destroy();
        agent.destroy();
      }
    },
    close() {
      for (const request of running) request.destroy();
    },
  };
}

/** Each request has a connection of its own, so that a broken one does not disturb the next. */
async function open(
  url: URL,
  headers: HeaderList,
  { length, pace, method }: { length: number; pace: CheckPace; method: string },
  { pems, proxyUrl, lookup }: Route,
): Promise<{ request: ClientRequest; agent: HttpAgent }> {
  const isTls = url.protocol === 'https:';
  const { Agent, request } = isTls ? await import('node:https') : await import('node:http');
  const agent = new Agent({
    keepAlive: false,
    ...trusting(pems),
    ...(proxyUrl === null ? { lookup } : { proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl } }),
  });
  const sent = request(url, {
    method,
    agent,
    headers: [
      'host',
      url.host,
      ...headers.flat(),
      'content-length',
      String(length),
      'connection',
      'close',
      ...(pace === 'expect-continue' ? ['expect', '100-continue'] : []),
    ],
    maxHeaderSize: maxResponseHeaderBytes,
  });
  return { request: sent, agent };
}

type SendOptions = { body: Buffer; pace: CheckPace; interim: number[]; clock: Clock; timing: CheckTiming };

/** Resolves with the final response, or null if the request was aborted on purpose. */
function sendRequest(request: ClientRequest, options: SendOptions): Promise<IncomingMessage | null> {
  const { body, pace, interim, clock, timing } = options;
  return new Promise((resolve, reject) => {
    const cancels = new Set<() => void>();
    const later = (delayMs: number, run: () => void) => void cancels.add(clock.after(delayMs, run));
    const settle = (end: () => void) => {
      for (const cancel of cancels) cancel();
      end();
    };
    const allowed = timing.responseMs + (pace === 'slow' ? timing.slowBodyMs : 0);
    later(allowed + timing.continueMs, () => settle(() => reject(new TimedOut(allowed))));
    request.on('information', ({ statusCode }: { statusCode: number }) => {
      if (interim.length < maxInterim) interim.push(statusCode);
    });
    request.on('response', (response) => {
      discard(response);
      settle(() => resolve(response));
    });
    // After the response: the receiver may close before it read all.
    request.on('error', (error) => settle(() => reject(error)));
    if (pace === 'whole') request.end(body);
    if (pace === 'slow') sendSlowly(request, body, timing.slowBodyMs, later);
    if (pace === 'broken-off') {
      request.write(body.subarray(0, body.length >> 1), () => {
        later(timing.brokenOffMs, () => settle(() => resolve(null)));
      });
    }
    if (pace === 'expect-continue') {
      let isSent = false;
      const sendBody = () => {
        if (!isSent) request.end(body);
        isSent = true;
      };
      request.on('continue', () => {
        interim.push(100);
        sendBody();
      });
      request.flushHeaders();
      later(timing.continueMs, sendBody);
    }
  });
}

class TimedOut extends Error {
  readonly allowedMs: number;

  constructor(allowedMs: number) {
    super('timed out');
    this.allowedMs = allowedMs;
  }
}

function sendSlowly(
  request: ClientRequest,
  body: Buffer,
  overMs: number,
  later: (delayMs: number, run: () => void) => void,
): void {
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

function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > responseBytes) response.destroy();
  });
  response.on('error', () => {});
}

function describe(error: unknown, url: URL, proxyUrl: string | null): string {
  if (error instanceof TimedOut) return `no response within ${error.allowedMs / 1000} s`;
  return describeSendError(error, url.href, undefined, proxyUrl).replace(/\.$/, '');
}
