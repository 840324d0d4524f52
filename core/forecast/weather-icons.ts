// Loads the icons that a forecast names, for one connection, and keeps them on disk. Screens never load them: their
// Content-Security-Policy allows no picture from the network, so that HTML injected into a screen can't send data away with an
// image request.
import type { Clock } from '@rainbell/shared';
import type { WeatherIcon } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import { headerOf } from '../http/http-headers.ts';
import { responseLimits } from '../http/response-limits.ts';
import { limitParallel } from '../http/limit-parallel.ts';
import type { StoredIcon, StoredIcons } from './stored-icons.ts';
import { countShapes, maxShapes } from './svg-cost.ts';

export type WeatherIcons = ReturnType<typeof createWeatherIcons>;

/** Services change their icons rarely. */
const freshMs = 3_600_000;
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

  async function request(url: string, known: StoredIcon | undefined): Promise<WeatherIcon> {
    try {
      const { status, headers, body } = await http.send({
        method: 'GET',
        url,
        // Without a token: icons are public (docs/interface.md §4.4).
        headers: [
          ['accept', [...imageTypes].join(', ')],
          ['accept-encoding', 'gzip, br'],
        ],
        logged: 'on failure',
        limit: responseLimits.icon,
      });
      if (status >= 500 && known) return toIcon(known);
      if (status < 200 || status > 299) return failed(`returned ${status}`, String(status));
      const contentType = headerOf(headers, 'content-type') || 'no Content-Type';
      const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!imageTypes.has(type)) return failed(`returned ${status}, but not an image (${contentType})`, String(status));
      const icon = { type, body, freshUntil: clock.now() + freshMs };
      stored.write(url, icon);
      return toIcon(icon);
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      return known ? toIcon(known) : failed(`couldn’t be loaded: ${error.message}`);
    }
  }

  return {
    /**
     * The icon at `url` as a `data:` URL. A stored one is returned for an hour, and if the service can't be reached or returns 5xx.
     * Never throws for what the service sends or for a network error; the result says what went wrong. URLs of another origin than
     * the connection's are not requested.
     */
    async load(url: string): Promise<WeatherIcon> {
      const parsed = URL.parse(url);
      if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') return failed('is not an http or https URL');
      if (parsed.origin !== allowedOrigin)
        return failed(`not loaded: it is on another host. Icons load only from ${allowedOrigin}`, 'blocked');
      const known = stored.read(url);
      if (known && clock.now() < known.freshUntil) return toIcon(known);
      const loading = pending.get(url) ?? inTurn(() => request(url, known)).finally(() => pending.delete(url));
      pending.set(url, loading);
      return loading;
    },
  };
}

/** `reason`: after the icon's URL. */
function failed(reason: string, short = 'no icon'): WeatherIcon {
  return { state: 'failed', short, reason };
}

function toIcon({ type, body }: Pick<StoredIcon, 'type' | 'body'>): WeatherIcon {
  if (type === 'image/svg+xml' && countShapes(body) > maxShapes)
    return failed('not shown: drawing it would take too long');
  return { state: 'loaded', dataUrl: `data:${type};base64,${Buffer.from(body).toString('base64')}` };
}
