// One POST of one event (S4 to S6): no redirects, a limit on everything together, the answer read no further than needed.
import { Agent, errors, request } from 'undici';
import { systemCode } from '../start-error.ts';
import { type CallbackGuard, forbiddenCode, portOf } from './callback-guard.ts';
import type { WebhookHeaders } from './standard-webhooks.ts';

export type SendResult = {
  status: number | null;
  /** A word for what went wrong: `timeout`, `forbidden`, `refused`, `reset`, `unknown-host`, `tls`, `http 500` …; null after a 2xx. */
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

type Needs = { guard: CallbackGuard; timeoutMs: number; connectionsPerHost: number; elapsedMs: () => number };

const connectTimeoutMs = 5_000;
const answerLimitBytes = 64 * 1024;
const keptAnswerBytes = 2 * 1024;

/** `elapsedMs`: a clock that only counts, for latencies. */
export function createCallbackSender({ guard, timeoutMs, connectionsPerHost, elapsedMs }: Needs): CallbackSender {
  const agents = new Map<number, Agent>();
  // One agent per port, because the guard must know the port and `lookup` is not told.
  function agentFor(port: number): Agent {
    const known = agents.get(port);
    if (known) return known;
    const agent = new Agent({
      connections: connectionsPerHost,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs, lookup: guard.lookupFor(port) },
    });
    agents.set(port, agent);
    return agent;
  }

  async function post(url: URL, body: string, headers: WebhookHeaders): Promise<Omit<SendResult, 'latencyMs'>> {
    const {
      statusCode,
      headers: answerHeaders,
      body: answer,
    } = await request(url, {
      method: 'POST',
      dispatcher: agentFor(portOf(url)),
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Rainbell' },
      body,
    });
    const isSuccess = statusCode >= 200 && statusCode < 300;
    return {
      status: statusCode,
      error: isSuccess ? null : `http ${statusCode}`,
      answer: await firstBytes(answer),
      retryAfterSeconds: retryAfter(answerHeaders['retry-after']),
    };
  }

  return {
    async send(callbackUri, body, headers) {
      const started = elapsedMs();
      const result = await attempt(callbackUri, body, headers).catch((error: unknown) => failure(errorWord(error)));
      return { ...result, latencyMs: Math.round(elapsedMs() - started) };
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };

  async function attempt(callbackUri: string, body: string, headers: WebhookHeaders) {
    const url = new URL(callbackUri);
    return guard.literalProblem(url) === undefined ? post(url, body, headers) : failure('forbidden');
  }
}

function failure(error: string): Omit<SendResult, 'latencyMs'> {
  return { status: null, error, answer: '', retryAfterSeconds: undefined };
}

/** Reads the answer so that the connection can be used again, but gives up on one that is longer than it is worth. */
async function firstBytes(answer: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  for await (const chunk of answer) {
    readBytes += chunk.length;
    if (keptBytes < keptAnswerBytes) {
      const part = chunk.subarray(0, keptAnswerBytes - keptBytes);
      kept.push(part);
      keptBytes += part.length;
    }
    if (readBytes > answerLimitBytes) break;
  }
  // PostgreSQL text cannot hold NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** RFC 9110 §10.2.3, the form in seconds; a date is ignored, since clocks differ. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
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
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'bad-answer';
  return 'failed';
}
