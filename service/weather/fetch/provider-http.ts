// HTTP to providers: JSON with limits on time and size, an identifying User-Agent, conditional requests, and one kind of
// failure. What a provider asks for (Expires, Retry-After) is read here, so that every provider is treated as it wants to be.
import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '#shared/time/clock.ts';
import { lifetimeMs, retryAfterSeconds } from './http-date.ts';
import { readBody } from './provider-body.ts';
import { ProviderFailure, type Validators } from '#service/weather/reading/reading.ts';

/** The parsed body of a 200, undefined for a 204. Throws a ProviderFailure for everything else. */
export type FetchJson = (provider: string, address: URL) => Promise<unknown>;

export type FetchedDocument =
  | { isNew: true; body: unknown; validators: Validators; lifetimeMs: number | undefined }
  | { isNew: false; lifetimeMs: number | undefined };

export type DocumentRequest = {
  userAgent?: string;
  /** Those of the copy that we hold; the answer may then be that it still holds. */
  validators?: Validators | undefined;
};

export type FetchDocument = (provider: string, address: URL, wanted: DocumentRequest) => Promise<FetchedDocument>;

export type ProviderHttp = {
  fetchJson: FetchJson;
  fetchDocument: FetchDocument;
  /** Resolves once requests can leave; at once after the first time. */
  ready(): Promise<unknown>;
  /** Ends all requests: they fail at once, and so do later ones. */
  close(): Promise<void>;
};

const connectMs = 3_000;
const totalMs = 8_000;
const agentOptions = { connect: { timeout: connectMs }, headersTimeout: totalMs, bodyTimeout: totalMs, connections: 8 };
/** No Content and Not Modified: whatever their headers say, there is nothing to unpack. */
const bodiless = [204, 304];

export function createProviderHttp(needs: { userAgent: string; clock: Clock }): ProviderHttp {
  let agent: Agent | undefined;
  let isClosed = false;

  const fetchDocument: FetchDocument = async (provider, address, { userAgent, validators = {} }) => {
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent ?? needs.userAgent,
      ...(validators.lastModified === undefined ? {} : { 'if-modified-since': validators.lastModified }),
      ...(validators.etag === undefined ? {} : { 'if-none-match': validators.etag }),
    };
    try {
      const undici = await loadUndici();
      if (isClosed) throw new ProviderFailure(provider, 'the service is closing', { isOfNetwork: true });
      agent ??= new undici.Agent(agentOptions);
      const signal = AbortSignal.timeout(totalMs);
      const answer = await undici.request(address, { dispatcher: agent, signal, headers });
      const text = bodiless.includes(answer.statusCode)
        ? await answer.body.dump().then(() => '')
        : await readBody(provider, answer.body, headerOf(answer, 'content-encoding'));
      return readAnswer(provider, answer, text, needs.clock.now());
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      throw new ProviderFailure(provider, reason(error), { isOfNetwork: true, cause: error });
    }
  };

  return {
    fetchDocument,
    async fetchJson(provider, address) {
      const document = await fetchDocument(provider, address, {});
      return document.isNew ? document.body : undefined;
    },
    ready: loadUndici,
    async close() {
      isClosed = true;
      await agent?.destroy();
    },
  };
}

/** Loaded for the first request: loading it is a fifth of the time that a start takes. */
const loadUndici = () => import('undici');

function readAnswer(provider: string, answer: Dispatcher.ResponseData, text: string, now: number): FetchedDocument {
  const answeredAt = headerOf(answer, 'date');
  const lifetime = lifetimeMs(headerOf(answer, 'expires'), answeredAt, now);
  if (answer.statusCode === 304) return { isNew: false, lifetimeMs: lifetime };
  // 203 is how MET Norway says that a product is about to end; its body is as good as before.
  if (answer.statusCode !== 200 && answer.statusCode !== 203 && answer.statusCode !== 204) {
    const words = /"reason"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1];
    const seconds = retryAfterSeconds(headerOf(answer, 'retry-after'), answeredAt, now);
    throw new ProviderFailure(provider, `it answered ${answer.statusCode}${words === undefined ? '' : `: ${words}`}`, {
      status: answer.statusCode,
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    });
  }
  const lastModified = headerOf(answer, 'last-modified');
  const etag = headerOf(answer, 'etag');
  return {
    isNew: true,
    body: answer.statusCode === 204 ? undefined : parseJson(provider, text),
    validators: {
      ...(lastModified === undefined ? {} : { lastModified }),
      ...(etag === undefined ? {} : { etag }),
    },
    lifetimeMs: lifetime,
  };
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function parseJson(provider: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderFailure(provider, 'its answer is no JSON', { cause });
  }
}

/** Words for a network fault; the address stays out, since it can hold a key. */
function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  if (error instanceof Error && error.name === 'AbortError') return 'the request was ended';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `it could not be reached${code === '' ? '' : ` (${code})`}`;
}
