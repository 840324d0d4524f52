// One POST of one event (docs/delivery.md S4 to S6): no redirects, a total time limit, and no more of the response read than
// needed.
import { type CallbackGuard, forbiddenCode, productVersion, projectPage, systemCode } from '@rainbell/shared';
import type { CallbackRoutes, CallbackTransport } from './callback-route.ts';
import { withoutCredentials } from './callback-credentials.ts';
import { sendPost } from './exchange.ts';
import type { WebhookHeaders } from '../signing/standard-webhooks.ts';

export type SendResult = {
  status: number | null;
  /**
   * Error code: `timeout`, `forbidden`, `refused`, `reset`, `unknown-host`, `tls`, `http 500` …; null after a 2xx. `host-silent`:
   * not tried, because the host did not respond to others (host-breaker.ts).
   */
  error: string | null;
  latencyMs: number;
  /** The first 2 KB of the response. */
  answer: string;
  retryAfterSeconds: number | undefined;
};

export type CallbackSender = {
  /** `authorization`: of a callback with credentials; never part of a result. */
  send(callbackUri: string, body: string, headers: WebhookHeaders, authorization?: string): Promise<SendResult>;
  close(): Promise<void>;
};

type Dependencies = {
  guard: CallbackGuard;
  timeoutMs: number;
  connectionsPerHost: number;
  elapsedMs: () => number;
  transport?: CallbackTransport;
};

const userAgent = `Rainbell/${productVersion} (+${projectPage})`;
const connectTimeoutMs = 5_000;

/** `elapsedMs`: a monotonic clock, for latencies. */
export function createCallbackSender(needs: Dependencies): CallbackSender {
  const { guard, timeoutMs, connectionsPerHost, elapsedMs, transport = {} } = needs;
  let routes: CallbackRoutes | undefined;
  let opening: Promise<CallbackRoutes> | undefined;

  /** Loaded with the first callback: undici takes a fifth of the startup time. */
  async function openRoutes(): Promise<CallbackRoutes> {
    const { createCallbackRoutes } = await import('./callback-route.ts');
    routes = createCallbackRoutes({ guard, connectionsPerHost, connectTimeoutMs, transport });
    return routes;
  }

  return {
    async send(callbackUri, body, headers, authorization) {
      const started = elapsedMs();
      const latencyMs = () => Math.round(elapsedMs() - started);
      try {
        const url = new URL(callbackUri);
        if (guard.literalProblem(url) !== undefined) return failure('forbidden', latencyMs());
        const { dispatcher, isChecked } = (routes ?? (await (opening ??= openRoutes()))).routeTo(url);
        if (!isChecked && (await guard.problem(callbackUri)) !== undefined) return failure('forbidden', latencyMs());
        const { status, text, retryAfterSeconds } = await sendPost({
          dispatcher,
          url,
          headers: {
            ...callbackHeaders(headers),
            ...(authorization === undefined ? {} : { authorization }),
          },
          body,
          timeoutMs,
        });
        const error = status >= 200 && status < 300 ? null : `http ${status}`;
        return {
          status,
          error,
          latencyMs: latencyMs(),
          answer: authorization === undefined ? text : withoutCredentials(text, authorization),
          retryAfterSeconds,
        };
      } catch (error) {
        return failure(errorWord(error), latencyMs());
      }
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Returns the headers of every callback, except credentials and those of HTTP itself. */
export function callbackHeaders(headers: WebhookHeaders): Record<string, string> {
  return { ...headers, 'content-type': 'application/json', 'user-agent': userAgent };
}

function failure(error: string, latencyMs: number): SendResult {
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

function errorWord(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = systemCode(inner) ?? systemCode(error) ?? '';
  const word = words[code];
  if (word) return word;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls';
  // undici's parser errors have a name, but not always a code.
  const isNotHttp = error instanceof Error && error.name === 'HTTPParserError';
  if (isNotHttp || /^HPE_|^UND_ERR_(RES_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW)$/.test(code)) return 'bad-answer';
  return 'failed';
}
