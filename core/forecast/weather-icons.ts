// Loads the icons that a forecast names, for one connection, and keeps them on disk. Screens never load them: their
// Content-Security-Policy allows no picture from the network, so that HTML injected into a screen can't send data away with an
// image request.
import type { Clock } from '@rainbell/shared';
import type { HeaderList, WeatherIcon } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import { headerOf } from '../http/http-headers.ts';
import { responseLimits } from '../http/response-limits.ts';
import { limitParallel } from '../http/limit-parallel.ts';
import type { StoredIcon, StoredIcons } from './stored-icons.ts';
import { countShapes, maxShapes } from './svg-cost.ts';

export type WeatherIcons = ReturnType<typeof createWeatherIcons>;

/** Slow icons leave most of the connection's 16 sockets to API requests. */
const parallelRequests = 4;
/** SVG is safe here: in an `<img>` or an SVG `<image>` it runs no scripts and loads nothing, and its size is bounded (svg-cost.ts). */
const imageTypes: ReadonlySet<string> = new Set([
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

type Source = Pick<Connection, 'baseUrl' | 'http'>;

export function createWeatherIcons({ baseUrl, http }: Source, stored: StoredIcons, clock: Clock) {
  const allowedOrigin = new URL(baseUrl).origin;
  const pending = new Map<string, Promise<WeatherIcon>>();
  const inTurn = limitParallel(parallelRequests);

  function send(url: string, etag: string | null) {
    return http.send({
      method: 'GET',
      url,
      // Without a token: icons are public (docs/interface.md §4.4).
      headers: [
        ['accept', [...imageTypes].join(', ')],
        ['accept-encoding', 'gzip, br'],
        ...(etag === null ? [] : [['if-none-match', etag] as [string, string]]),
      ],
      logged: 'on failure',
      limit: responseLimits.icon,
    });
  }

  async function request(url: string, known: StoredIcon | undefined): Promise<WeatherIcon> {
    try {
      const { status, headers, body } = await send(url, known?.etag ?? null);
      if (status === 304 && known) {
        stored.write(url, { ...known, ...lifetime(headers, clock.now()) });
        return toIcon(known);
      }
      if (status >= 500 && known) return toIcon(known);
      if (known) stored.remove(url);
      if (status < 200 || status > 299) return { state: 'failed', status, problem: null };
      const contentType = headerOf(headers, 'content-type') ?? null;
      const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!imageTypes.has(type)) return { state: 'notImage', status, contentType };
      const icon = { type, body, etag: headerOf(headers, 'etag') ?? null, ...lifetime(headers, clock.now()) };
      if (mayBeStored(headers)) stored.write(url, icon);
      return toIcon(icon);
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      return known ? toIcon(known) : { state: 'failed', status: null, problem: error.message };
    }
  }

  function refresh(url: string, known: StoredIcon | undefined): Promise<WeatherIcon> {
    const underWay = pending.get(url);
    if (underWay) return underWay;
    const loading = inTurn(() => request(url, known)).finally(() => pending.delete(url));
    pending.set(url, loading);
    return loading;
  }

  return {
    /**
     * The icon at `url` as a `data:` URL. A stored one is returned while it is fresh, while it is being refreshed (RFC 5861,
     * section 3), and if the service can't be reached or returns 5xx (section 4). Never throws for what the service sends or for
     * a network error; the result says what went wrong. URLs of another origin than the connection's are not requested.
     */
    async load(url: string): Promise<WeatherIcon> {
      const parsed = URL.parse(url);
      if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
        return { state: 'failed', status: null, problem: 'not an http or https URL' };
      }
      if (parsed.origin !== allowedOrigin) return { state: 'otherOrigin', allowedOrigin };
      const known = stored.read(url);
      if (known && clock.now() < known.freshUntil) return toIcon(known);
      const refreshed = refresh(url, known);
      return known && clock.now() < known.staleUntil ? toIcon(known) : refreshed;
    },
  };
}

function toIcon({ type, body }: Pick<StoredIcon, 'type' | 'body'>): WeatherIcon {
  if (type === 'image/svg+xml' && countShapes(body) > maxShapes) return { state: 'tooDetailed' };
  return { state: 'loaded', dataUrl: `data:${type};base64,${Buffer.from(body).toString('base64')}` };
}

const maxFreshMs = 24 * 3_600_000;
const maxStaleMs = 7 * 24 * 3_600_000;
/** RFC 9111, section 4.2.2 leaves it to the cache if the response doesn't say. */
const defaultFreshMs = 10 * 60_000;

function cacheDirectives(headers: HeaderList): string[] {
  const value = headerOf(headers, 'cache-control') ?? '';
  return value.split(',').map((directive) => directive.trim().toLowerCase());
}

/** Whether `Cache-Control` lets it be returned later without asking the service (RFC 9111, sections 5.2.2.4 and 5.2.2.5). */
function mayBeStored(headers: HeaderList): boolean {
  const directives = cacheDirectives(headers);
  return !directives.includes('no-store') && !directives.includes('no-cache');
}

/** How long a response is fresh and may be returned while it is refreshed, by its `Cache-Control`, within our limits. */
function lifetime(headers: HeaderList, now: number): Pick<StoredIcon, 'freshUntil' | 'staleUntil'> {
  const directives = cacheDirectives(headers);
  const milliseconds = (name: string) => {
    const pattern = new RegExp(`^${name}="?(\\d+)"?$`);
    const seconds = directives.map((directive) => pattern.exec(directive)?.[1]).find((value) => value !== undefined);
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  };
  const freshUntil = now + Math.min(maxFreshMs, milliseconds('max-age') ?? defaultFreshMs);
  return {
    freshUntil,
    staleUntil: freshUntil + Math.min(maxStaleMs, milliseconds('stale-while-revalidate') ?? 0),
  };
}
