// Loads the icons that a forecast names, for one connection, and keeps them in app.sqlite, so that a forecast without a network still
// has its pictures. Screens never load them: their Content-Security-Policy allows no picture from the network, so that HTML injected
// into a screen can't send data away with an image request.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import type { WeatherIcon } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import { headerOf } from '../http/http-headers.ts';
import { responseLimits } from '../http/response-limits.ts';
import { limitParallel } from '../http/limit-parallel.ts';
import type { Log } from '../ports/log.ts';
import { countShapes, maxShapes } from './svg-cost.ts';

/** Services change their icons rarely. */
const freshMs = 3_600_000;
/** Slow icons leave most of the connection's 16 sockets to API requests. */
const parallelRequests = 4;
/** What is stored: a service has about 40 icons of a few KB. */
const limits = { icons: 512, bytes: 8 * 1024 * 1024 };
/** SVG is safe here: in an `<img>` or an SVG `<image>` it runs no scripts and loads nothing, and its size is bounded (svg-cost.ts). */
const imageTypes: ReadonlySet<string> = new Set([
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** `type`: without parameters. `freshUntil`: epoch milliseconds; until then it is returned without a request. */
type StoredIcon = { type: string; body: Uint8Array; freshUntil: number };
const storedSchema = z.object({ type: z.string(), body: z.instanceof(Uint8Array), freshUntil: z.number() });

type IconsOf = { connection: Connection; db: DatabaseSync; clock: Clock; log: Log };

/**
 * Returns what loads the icon at a URL as a `data:` URL. A stored one is returned for an hour, and if the service can't be reached or
 * returns 5xx. It never throws for what the service sends or for a network error; the result says what went wrong. URLs of another
 * origin than the connection's are not requested.
 */
export function createIconLoader({ connection: { baseUrl, http, profile }, db, clock, log }: IconsOf) {
  const allowedOrigin = new URL(baseUrl).origin;
  const pending = new Map<string, Promise<WeatherIcon>>();
  const inTurn = limitParallel(parallelRequests);

  /** Two connections share none, even to the same service. A database that fails costs a request, nothing else. */
  function readStored(url: string): StoredIcon | undefined {
    try {
      const sql = 'SELECT type, body, fresh_until AS freshUntil FROM weather_icons WHERE connection_id = ? AND url = ?';
      const row = db.prepare(sql).get(profile.id, url);
      return row && storedSchema.parse(row);
    } catch (error) {
      log.warn({ err: error }, 'an icon could not be read');
      return undefined;
    }
  }

  function store(url: string, { type, body, freshUntil }: StoredIcon) {
    try {
      db.prepare(
        'INSERT OR REPLACE INTO weather_icons (connection_id, url, type, body, fresh_until) VALUES (?, ?, ?, ?, ?)',
      ).run(profile.id, url, type, body, freshUntil);
      db.prepare(
        `DELETE FROM weather_icons WHERE id IN
         (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place,
                 sum(length(body)) OVER (ORDER BY id DESC) AS bytes FROM weather_icons)
          WHERE place > ? OR bytes > ?)`,
      ).run(limits.icons, limits.bytes);
    } catch (error) {
      log.warn({ err: error }, 'an icon could not be stored');
    }
  }

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
      store(url, icon);
      return toIcon(icon);
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      return known ? toIcon(known) : failed(`couldn’t be loaded: ${error.message}`);
    }
  }

  return async (url: string): Promise<WeatherIcon> => {
    const parsed = URL.parse(url);
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') return failed('is not an http or https URL');
    if (parsed.origin !== allowedOrigin)
      return failed(`not loaded: it is on another host. Icons load only from ${allowedOrigin}`, 'blocked');
    const known = readStored(url);
    if (known && clock.now() < known.freshUntil) return toIcon(known);
    const loading = pending.get(url) ?? inTurn(() => request(url, known)).finally(() => pending.delete(url));
    pending.set(url, loading);
    return loading;
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
