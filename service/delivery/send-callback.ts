// One POST of one event (docs/delivery.md S4 to S6): no redirects, a limit on everything together, the answer read no
// further than needed.
import { type CallbackGuard, forbiddenCode } from '#shared/network/callback-guard.ts';
import { productVersion, projectPage } from '#shared/project.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { CallbackRoutes, CallbackTransport } from './callback-route.ts';
import { exchange } from './exchange.ts';
import type { WebhookHeaders } from './standard-webhooks.ts';

export type SendResult = {
  status: number | null;
  /** A word for what went wrong: `timeout`, `forbidden`, `refused`, `reset`, `unknown-host`, `tls`, `http 500` …; null after a 2xx.
   * `host-silent`: not tried, because the host gave others no answer (host-breaker.ts). */
  error: string | null;
  latencyMs: number;
  /** The first 2 KB of the answer. */
  answer: string;
  retryAfterSeconds: number | undefined;
};

export type CallbackSender = {
  send(callbackUri: string, body: string, headers: WebhookHeaders): Promise<SendResult>;
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

/** `elapsedMs`: a clock that only counts, for latencies. */
export function createCallbackSender(needs: Dependencies): CallbackSender {
  const { guard, timeoutMs, connectionsPerHost, elapsedMs, transport = {} } = needs;
  let routes: CallbackRoutes | undefined;
  let opening: Promise<CallbackRoutes> | undefined;

  /** Loaded for the first callback: undici takes a fifth of the time that a start takes. */
  async function openRoutes(): Promise<CallbackRoutes> {
    const { createCallbackRoutes } = await import('./callback-route.ts');
    routes = createCallbackRoutes({ guard, connectionsPerHost, connectTimeoutMs, transport });
    return routes;
  }

  return {
    async send(callbackUri, body, headers) {
      const started = elapsedMs();
      const latencyMs = () => Math.round(elapsedMs() - started);
      try {
        const url = new URL(callbackUri);
        if (guard.literalProblem(url) !== undefined) return failure('forbidden', latencyMs());
        const { dispatcher, isChecked } = (routes ?? (await (opening ??= openRoutes()))).routeTo(url);
        if (!isChecked && (await guard.problem(callbackUri)) !== undefined) return failure('forbidden', latencyMs());
        const { status, text, retryAfter } = await exchange({
          dispatcher,
          url,
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': userAgent },
          body,
          timeoutMs,
        });
        const error = status >= 200 && status < 300 ? null : `http ${status}`;
        return {
          status,
          error,
          latencyMs: latencyMs(),
          answer: text,
          retryAfterSeconds: retryAfterSeconds(retryAfter),
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

function failure(error: string, latencyMs: number): SendResult {
  return { status: null, error, latencyMs, answer: '', retryAfterSeconds: undefined };
}

/** RFC 9110 §10.2.3, the form in seconds; a date is ignored, since clocks differ. */
function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
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
  // undici's parser gives its errors a name, and not always a code.
  const isNotHttp = error instanceof Error && error.name === 'HTTPParserError';
  if (isNotHttp || code.startsWith('HPE_')) return 'bad-answer';
  return 'failed';
}
