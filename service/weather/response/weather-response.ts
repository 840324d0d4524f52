// The responses to `GET /v2/weather/`: their bytes, plain and compressed, ETag, and headers. Each is built once and sent to every
// request for the same cell within the same minute. The cache keeps them while they are current, and only briefly if better data may
// arrive (a late provider, a late place name); it is bounded in bytes.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { type Clock, minuteMs } from '@rainbell/shared';

export type Encoding = 'br' | 'gzip' | 'identity';

export type WeatherResponse = ReturnType<typeof createWeatherResponse>;

/** A response lives for a minute: these levels take half the time of the defaults and add a tenth to the size. */
export const gzipLevel = { level: 3 };

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);
const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function createWeatherResponse(body: string) {
  const plain = Buffer.from(body);
  const etag = `W/"${createHash('sha1').update(plain).digest('base64url')}"`;
  const known = new Map<Encoding, Buffer | Promise<Buffer>>([['identity', plain]]);

  async function compress(encoding: Encoding): Promise<Buffer> {
    const bytes = await (encoding === 'br' ? brotliAsync(plain, brotliLevel) : gzipAsync(plain, gzipLevel));
    known.set(encoding, bytes);
    return bytes;
  }

  return {
    /** Weak, because it identifies the content, not one of its encodings (RFC 9110 §8.8.1). */
    etag,
    ready(encoding: Encoding): Buffer | undefined {
      const bytes = known.get(encoding);
      return bytes instanceof Promise ? undefined : bytes;
    },
    /** Like `ready`, but compresses on the first call, off the main thread. */
    async bytes(encoding: Encoding): Promise<Buffer> {
      const bytes = known.get(encoding) ?? compress(encoding);
      known.set(encoding, bytes);
      return bytes;
    },
  };
}

/** Returns the smallest encoding that `Accept-Encoding` (RFC 9110 §12.5.3) allows, never one with `q=0`. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') || (weights.get('x-gzip') ?? 0) > 0 ? 'gzip' : 'identity';
}

/** The weather changes quickly, and with a scenario at once: cache the response, but revalidate before each use. */
const cacheControl = 'private, no-cache';

export function notModifiedHeaders({ etag }: WeatherResponse): Record<string, string> {
  return { 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
}

export function responseHeaders(weather: WeatherResponse, encoding: Encoding): Record<string, string> {
  return {
    ...notModifiedHeaders(weather),
    'content-type': 'application/json; charset=utf-8',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
}

/** `isFinal` false: some data is still loading, so rebuild soon. `bytes`: of its responses, uncompressed. */
export type Built<Answer> = { answer: Answer; isFinal: boolean; bytes: number };

/** `from` and `until` are by the service's clock, `recheckAt` by the machine's: the sandbox's clock can be stopped. */
type CacheEntry<Answer> = { answer: Answer; from: number; until: number; recheckAt: number };

/** `own` identifies the build; one that is not in the table anymore serves only its caller. */
type Build<Answer> = { own: object; answer: Promise<Answer> };

/** So that many concurrent requests during an outage share one response. */
const provisionalMs = 200;
const maxBytes = 64 * 1024 * 1024;
/** A response is stored plain and in two compressed forms. */
const storedPerByte = 1.5;

export function createResponseCache<Answer extends object>({ clock }: { clock: Clock }) {
  const kept = new LRUCache<string, CacheEntry<Answer>>({ maxSize: maxBytes });
  const building = new Map<string, Build<Answer>>();
  let hits = 0;

  function peek(key: string): Answer | undefined {
    const entry = kept.get(key);
    const now = clock.now();
    // The sandbox's clock can be set back.
    if (entry === undefined || now < entry.from || now >= entry.until) return undefined;
    if (performance.now() >= entry.recheckAt) return undefined;
    hits += 1;
    return entry.answer;
  }

  async function buildAnswer(key: string, build: () => Promise<Built<Answer>>, own: object): Promise<Answer> {
    const from = clock.now();
    const { answer, isFinal, bytes } = await build();
    if (building.get(key)?.own === own) {
      const minuteEnd = (Math.floor(from / minuteMs) + 1) * minuteMs;
      const until = isFinal ? minuteEnd : Math.min(minuteEnd, clock.now() + provisionalMs);
      const recheckAt = isFinal ? Infinity : performance.now() + provisionalMs;
      kept.set(key, { answer, from, until, recheckAt }, { size: Math.ceil(bytes * storedPerByte) });
    }
    return answer;
  }

  return {
    /** Returns the current answer, from memory only. Counts a hit. */
    peek,
    /** Like `peek`, but builds a missing answer; one build at a time per key. */
    async get(key: string, build: () => Promise<Built<Answer>>): Promise<Answer> {
      const ready = peek(key) ?? building.get(key)?.answer;
      if (ready) return ready;
      const own = {};
      const started = buildAnswer(key, build, own).finally(() => {
        if (building.get(key)?.own === own) building.delete(key);
      });
      building.set(key, { own, answer: started });
      return started;
    },
    /** Call it after the weather was changed manually: discards cached responses and those being built. */
    clear() {
      kept.clear();
      building.clear();
    },
    remove(isMeant: (key: string) => boolean) {
      for (const keys of [kept, building]) for (const key of keys.keys()) if (isMeant(key)) keys.delete(key);
    },
    hits: () => hits,
  };
}
