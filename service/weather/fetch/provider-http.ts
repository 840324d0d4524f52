// HTTP to providers: JSON with limits on time and size, an identifying User-Agent, conditional requests, and one kind of failure.
// Handles what providers request (Expires, Retry-After) in one place.
import type { Dispatcher } from 'undici';
import type { Clock } from '@rainbell/shared';
import { maxResponseHeaderBytes, systemProxyFor, trustSystemCertificates } from '@rainbell/shared/node';
import { lifetimeMs, retryAfterSeconds } from '@rainbell/contract/service-api';
import { ProviderFailure } from '../reading/reading.ts';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Undefined for a 204. Throws a ProviderFailure. `places`: how many are requested; the limit of the body grows with them. */
export type FetchJson = (provider: string, address: URL, places?: number) => Promise<unknown>;

export type FetchedDocument =
  | { isNew: true; body: unknown; lastModified: string | undefined; lifetimeMs: number | undefined }
  | { isNew: false; lifetimeMs: number | undefined };

export type DocumentRequest = {
  userAgent?: string;
  places?: number;
  /** Of the stored copy; the response may then be 304. */
  lastModified?: string | undefined;
};

export type FetchDocument = (provider: string, address: URL, wanted: DocumentRequest) => Promise<FetchedDocument>;

export const product = 'Rainbell/0.1';
export const userAgent = `${product} (a weather service for developers)`;

const connectMs = 3_000;
const totalMs = 8_000;
const connect = { timeout: connectMs };
const limits = { headersTimeout: totalMs, bodyTimeout: totalMs, maxHeaderSize: maxResponseHeaderBytes };
const agentOptions = { connect, connections: 8, ...limits };
/** No Content and Not Modified: whatever their headers say, they have no body. */
const bodiless = [204, 304];

type Dependencies = { userAgent: string; clock: Clock };

export function createProviderHttp(needs: Dependencies) {
  const agents = new Map<string | null, Dispatcher>();
  let isClosed = false;

  function agentThrough(proxyUrl: string | null, { Agent, ProxyAgent }: Undici): Dispatcher {
    const agent =
      agents.get(proxyUrl) ??
      (proxyUrl === null
        ? new Agent(agentOptions)
        : new ProxyAgent({ ...agentOptions, uri: proxyUrl, requestTls: connect, proxyTls: connect }));
    agents.set(proxyUrl, agent);
    return agent;
  }

  const fetchDocument: FetchDocument = async (provider, address, { userAgent, lastModified, places = 1 }) => {
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent ?? needs.userAgent,
      ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    };
    try {
      if (address.protocol === 'https:') trustSystemCertificates();
      const [undici, proxyUrl] = await Promise.all([loadUndici(), systemProxyFor(address)]);
      if (isClosed) throw new ProviderFailure(provider, 'the service is closing', { isOfNetwork: true });
      const signal = AbortSignal.timeout(totalMs);
      const response = await undici.request(address, { dispatcher: agentThrough(proxyUrl, undici), signal, headers });
      const text = bodiless.includes(response.statusCode)
        ? await response.body.dump().then(() => '')
        : await readBody(provider, response.body, { contentEncoding: headerOf(response, 'content-encoding'), places });
      return readResponse(provider, response, text, needs.clock.now());
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      throw new ProviderFailure(provider, reason(error), { isOfNetwork: !isUnpacking(error), cause: error });
    }
  };

  return {
    fetchDocument,
    async fetchJson(provider: string, address: URL, places = 1): Promise<unknown> {
      const document = await fetchDocument(provider, address, { places });
      return document.isNew ? document.body : undefined;
    },
    /** Resolves once requests can be sent; at once after the first time. */
    ready: loadUndici,
    /** Aborts all requests, and rejects later ones. */
    async close() {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Loaded for the first request: loading takes a fifth of the startup time. */
const loadUndici = () => import('undici');
type Undici = typeof import('undici');

function readResponse(provider: string, response: Dispatcher.ResponseData, text: string, now: number): FetchedDocument {
  const respondedAt = headerOf(response, 'date');
  const lifetime = lifetimeMs(headerOf(response, 'expires'), respondedAt, now);
  if (response.statusCode === 304) return { isNew: false, lifetimeMs: lifetime };
  // MET Norway returns 203 for a product that is about to end; its body is still valid.
  if (response.statusCode !== 200 && response.statusCode !== 203 && response.statusCode !== 204) {
    const words = /"reason"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1];
    const seconds = retryAfterSeconds(headerOf(response, 'retry-after'), respondedAt, now);
    throw new ProviderFailure(
      provider,
      `it returned ${response.statusCode}${words === undefined ? '' : `: ${words}`}`,
      {
        status: response.statusCode,
        ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      },
    );
  }
  return {
    isNew: true,
    body: response.statusCode === 204 ? undefined : parseJson(provider, text),
    lastModified: headerOf(response, 'last-modified'),
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
    throw new ProviderFailure(provider, 'its response is not JSON', { cause });
  }
}

/** Describes a network error without the URL, which may contain a key. */
function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the request timed out';
  if (error instanceof Error && error.name === 'AbortError') return 'the request was canceled';
  if (isUnpacking(error)) return 'its response cannot be decompressed';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `it could not be reached${code === '' ? '' : ` (${code})`}`;
}

const isUnpacking = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** Limits the body for one place, and for each further one. */
const maxBodyBytes = 2_000_000;
const bytesPerFurtherPlace = 40_000;

type BodyOptions = { contentEncoding: string | undefined; /** Number of places requested. */ places: number };

/** The limit holds before and after decompression, which stops zip bombs. Throws a ProviderFailure, or the stream's error. */
async function readBody(provider: string, body: Readable, { contentEncoding, places }: BodyOptions): Promise<string> {
  const maxBytes = maxBodyBytes + (places - 1) * bytesPerFurtherPlace;
  const packing = (contentEncoding ?? '').trim().toLowerCase();
  if (packing === 'identity' || packing === '') return collect(provider, body, maxBytes);
  // Requests accept nothing else.
  if (packing !== 'gzip') {
    // Destroying a stream emits an error; without a listener it would end the process.
    body.on('error', () => undefined).destroy();
    throw new ProviderFailure(provider, 'its response has an unsupported encoding');
  }
  let text = '';
  await pipeline(body, createGunzip(), async (unpacked: AsyncIterable<Uint8Array>) => {
    text = await collect(provider, unpacked, maxBytes);
  });
  return text;
}

async function collect(provider: string, parts: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of parts) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ProviderFailure(provider, `its response is larger than ${maxBytes / 1_000_000} MB`);
    }
    chunks.push(chunk);
  }
  // Without a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
