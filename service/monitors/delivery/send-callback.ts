// One POST of one event (docs/delivery.md S4 to S6): no redirects, a total time limit, and no more of the response read than
// needed.
import { productVersion, projectPage, systemCode } from '@rainbell/shared';
import { type CallbackGuard, forbiddenCode } from '@rainbell/shared/node';
import type { Dispatcher } from 'undici';
import { retryAfterSeconds as readRetryAfter } from '@rainbell/contract/service-api';
import type { CallbackRoutes } from './callback-route.ts';
import { type WebhookHeaders, withoutCredentials } from './signing.ts';

export type SendResult = {
  status: number | null;
  /**
   * Error code: `timeout`, `forbidden`, `refused`, `reset`, `unknown-host`, `tls-expired`, `http 500` …; null after a 2xx. `host-silent`:
   * not tried, because the host did not respond to others (hosts.ts).
   */
  error: string | null;
  latencyMs: number;
  /** The first 2 KB of the response. */
  answer: string;
  retryAfterSeconds: number | undefined;
};

export type CallbackSender = ReturnType<typeof createCallbackSender>;

type Dependencies = {
  guard: CallbackGuard;
  timeoutMs: number;
  connectionsPerHost: number;
  /** Monotonic. */
  elapsedMs: () => number;
  /** An authority (PEM) to trust in addition to the system's. */
  extraCaPem?: () => string | undefined;
};

const userAgent = `Rainbell/${productVersion} (+${projectPage})`;
const connectTimeoutMs = 5_000;

export function createCallbackSender(needs: Dependencies) {
  const { guard, timeoutMs, connectionsPerHost, elapsedMs, extraCaPem = () => undefined } = needs;
  let routes: Promise<CallbackRoutes> | undefined;

  /** Loaded with the first callback: undici takes a fifth of the startup time. */
  async function openRoutes(): Promise<CallbackRoutes> {
    const { createCallbackRoutes } = await import('./callback-route.ts');
    return createCallbackRoutes({ guard, connectionsPerHost, connectTimeoutMs, extraCaPem });
  }

  return {
    /** `authorization`: of a callback with credentials; never part of a result. */
    async send(
      callbackUri: string,
      body: string,
      headers: WebhookHeaders,
      authorization?: string,
    ): Promise<SendResult> {
      const started = elapsedMs();
      const latencyMs = () => Math.round(elapsedMs() - started);
      try {
        const url = new URL(callbackUri);
        if (guard.literalProblem(url) !== undefined) return failure('forbidden', latencyMs());
        const dispatcher = (await (routes ??= openRoutes())).routeTo(url);
        const sent = callbackHeaders(headers);
        if (authorization !== undefined) sent.authorization = authorization;
        const response = await sendPost({ dispatcher, url, headers: sent, body, timeoutMs });
        const { status, answer } = response;
        return {
          ...response,
          error: status >= 200 && status < 300 ? null : `http ${status}`,
          latencyMs: latencyMs(),
          answer: authorization === undefined ? answer : withoutCredentials(answer, authorization),
        };
      } catch (error) {
        return failure(errorWord(error), latencyMs());
      }
    },
    async close() {
      await (await routes)?.close();
    },
  };
}

/**
 * Returns the headers of every callback, except credentials and those of HTTP itself. `rainbell-event` says that it is one: unsigned, so it
 * proves nothing.
 */
export function callbackHeaders(headers: WebhookHeaders): Record<string, string> {
  return { ...headers, 'content-type': 'application/json', 'user-agent': userAgent, 'rainbell-event': '1' };
}

export function failure(error: string, latencyMs: number): SendResult {
  return { status: null, error, latencyMs, answer: '', retryAfterSeconds: undefined };
}

const words: Readonly<Record<string, string>> = {
  [forbiddenCode]: 'forbidden',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
};

const tlsWords: readonly (readonly [codes: RegExp, word: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'tls-expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'tls-name'],
  [/SELF_SIGNED|UNABLE_TO|^CERT_(UNTRUSTED|SIGNATURE_FAILURE)$/, 'tls-untrusted'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'not-tls'],
  [/CERT|TLS|SSL/, 'tls'],
];

function errorWord(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = systemCode(inner) ?? systemCode(error) ?? '';
  const word = words[code];
  if (word) return word;
  const tls = tlsWords.find(([codes]) => codes.test(code));
  if (tls) return tls[1];
  // undici's parser errors have a name, but not always a code.
  const isNotHttp = error instanceof Error && error.name === 'HTTPParserError';
  if (isNotHttp || /^HPE_|^UND_ERR_(RES_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW)$/.test(code)) return 'bad-answer';
  return 'failed';
}

// One POST through undici's `dispatch`, without the streams and signals of `request`: reads no more of the response than needed and
// limits the total time, including a slow body (docs/delivery.md S4, S5).

type Post = { dispatcher: Dispatcher; url: URL; headers: Record<string, string>; body: string; timeoutMs: number };

const responseLimitBytes = 64 * 1024;
const maxStoredBytes = 2 * 1024;

/** Fails with a TimeoutError after `timeoutMs`, and with undici's or the system's error if there was no response. */
export function sendPost({ dispatcher, url, headers, body, timeoutMs }: Post) {
  type Answer = Pick<SendResult, 'answer' | 'retryAfterSeconds'> & { status: number };
  return new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => fail(timedOut()), timeoutMs);
    let running: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let status = 0;
    let retryAfterSeconds: number | undefined;
    const stored: Buffer[] = [];
    let storedBytes = 0;
    let readBytes = 0;

    function isFirst(): boolean {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      return true;
    }

    function succeed(): void {
      if (isFirst()) resolve({ status, answer: textOf(stored), retryAfterSeconds });
    }

    /** Whatever still runs is cut off. */
    function fail(error: Error): void {
      if (!isFirst()) return;
      // A 2xx counts once its head arrives: the receiver has the event, even if the body fails.
      if (status >= 200 && status < 300) resolve({ status, answer: textOf(stored), retryAfterSeconds });
      else reject(error);
      running?.abort(error);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        running = controller;
        // It timed out while waiting for a connection: send nothing anymore.
        if (isOver) controller.abort(timedOut());
      },
      onResponseStart(_controller, code, responseHeaders) {
        // The final response comes last, and replaces interim ones (1xx).
        status = code;
        const { 'retry-after': after, date } = responseHeaders;
        retryAfterSeconds = after === undefined ? undefined : readRetryAfter([after].flat()[0], [date].flat()[0]);
      },
      onResponseData(_controller, chunk) {
        readBytes += chunk.length;
        if (storedBytes < maxStoredBytes) {
          // A copy, because undici reuses the chunk's memory.
          const part = Buffer.from(chunk.subarray(0, maxStoredBytes - storedBytes));
          stored.push(part);
          storedBytes += part.length;
        }
        if (readBytes <= responseLimitBytes) return;
        succeed();
        running?.abort(new Error('The response is too long.'));
      },
      onResponseEnd() {
        running = undefined;
        succeed();
      },
      onResponseError(_controller, error) {
        running = undefined;
        fail(error);
      },
    };
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
      handler,
    );
  });
}

function timedOut(): Error {
  return Object.assign(new Error('The callback timed out.'), { name: 'TimeoutError' });
}

function textOf(stored: readonly Buffer[]): string {
  if (stored.length === 0) return '';
  // PostgreSQL text cannot hold NUL.
  return Buffer.concat(stored).toString('utf8').replaceAll('\0', '\uFFFD');
}
