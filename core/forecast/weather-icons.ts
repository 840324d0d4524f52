// Loads the icons that a forecast names, for one connection. Screens never load them: their Content-Security-Policy allows no
// picture from the network, so that HTML injected into a screen can't send data away with an image request.
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import type { WeatherIcon } from '#contract/app-rpc/forecast.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import { headerOf } from '#core/http/http-headers.ts';
import { responseLimits } from '#core/http/response-limits.ts';

export type WeatherIcons = {
  /**
   * The icon at `url` as a `data:` URL, from the cache if it is fresh there. Never throws for what the service sends or for a
   * network error; the result says what went wrong. URLs of another origin than the connection's are not requested.
   */
  load: (url: string) => Promise<WeatherIcon>;
};

/** A service has about 40 icons of a few KB. */
const cacheLimits = { icons: 256, bytes: 8 * 1024 * 1024 };
/** Slow icons leave most of the connection's 16 sockets to API requests. */
const parallelRequests = 4;
/** SVG is safe here: in an `<img>` or an SVG `<image>` it runs no scripts and loads nothing. */
const imageTypes: ReadonlySet<string> = new Set([
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

type Source = Pick<Connection, 'baseUrl' | 'http'>;

export function createWeatherIcons({ baseUrl, http }: Source, clock: Clock): WeatherIcons {
  const allowedOrigin = new URL(baseUrl).origin;
  const cache = new LRUCache<string, WeatherIcon & { state: 'loaded' }>({
    max: cacheLimits.icons,
    maxSize: cacheLimits.bytes,
    sizeCalculation: ({ dataUrl }) => dataUrl.length,
    perf: { now: () => clock.now() },
    ttlResolution: 0,
  });
  const pending = new Map<string, Promise<WeatherIcon>>();
  const inTurn = limitParallel(parallelRequests);

  async function request(url: string): Promise<WeatherIcon> {
    try {
      const { status, headers, body } = await http.send({
        method: 'GET',
        url,
        // Without a token: icons are public (interface, section 4.4).
        headers: [
          ['accept', [...imageTypes].join(', ')],
          ['accept-encoding', 'gzip, br'],
        ],
        logged: 'on failure',
        limit: responseLimits.icon,
      });
      if (status < 200 || status > 299) return { state: 'failed', status, problem: null };
      const contentType = headerOf(headers, 'content-type') ?? null;
      const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!imageTypes.has(type)) return { state: 'notImage', status, contentType };
      const icon = { state: 'loaded' as const, dataUrl: `data:${type};base64,${body.toString('base64')}` };
      const ttl = freshMs(headers);
      if (ttl > 0) cache.set(url, icon, { ttl });
      return icon;
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      return { state: 'failed', status: null, problem: error.message };
    }
  }

  return {
    async load(url) {
      const parsed = URL.parse(url);
      if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
        return { state: 'failed', status: null, problem: 'not an http or https URL' };
      }
      if (parsed.origin !== allowedOrigin) return { state: 'otherOrigin', allowedOrigin };
      const known = cache.get(url) ?? pending.get(url);
      if (known) return known;
      const loading = inTurn(() => request(url)).finally(() => pending.delete(url));
      pending.set(url, loading);
      return loading;
    },
  };
}

const longestFreshMs = 24 * 3_600_000;
/** RFC 9111, section 4.2.2 leaves it to the cache if the response doesn't say. */
const defaultFreshMs = 10 * 60_000;

/** How long a response stays fresh by its `Cache-Control` (RFC 9111, section 5.2.2); 0 means that it must not be kept. */
function freshMs(headers: HeaderList): number {
  const directives = (headerOf(headers, 'cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.includes('no-store') || directives.includes('no-cache')) return 0;
  const seconds = directives.map((directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1]).find((value) => value);
  return seconds === undefined ? defaultFreshMs : Math.min(longestFreshMs, Number(seconds) * 1000);
}

/** Runs at most `most` tasks at a time; the others wait in the order in which they came. */
function limitParallel(most: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // A waiting task takes over the place of this one.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
