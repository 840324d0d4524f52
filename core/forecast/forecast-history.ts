// The last fetches of each place in app.sqlite, so that two of them can be compared: the answer's bytes, deflated, from which
// the points are read again. Bounded per place, in number and in bytes; the oldest go first.
import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { type LatLng, readableMeasured } from '@rainbell/contract/service-api';
import { type Forecast, forecastSchema, type StoredFetch } from '@rainbell/contract/app-rpc';
import { formatInstant, parseTimestamp } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import { runInTransaction } from '../database/transaction.ts';
import type { Log } from '../ports/log.ts';
import { readStoredForecast } from './read-forecast.ts';

export type HistoryLimits = { perPlace: number; fetches: number; bytes: number };
export const historyLimits: HistoryLimits = { perPlace: 30, fetches: 1000, bytes: 32 * 1024 * 1024 };

const storedSchema = forecastSchema.omit({ points: true, problems: true });
const storedBodySchema = z.object({ response: z.object({ bodyText: z.string() }) });
const hourSchema = z.object({
  timestamp: z.string(),
  weather: z.object({ status: z.string().nullable().catch(null), measured: z.unknown().transform(readableMeasured) }),
});

/** Reads only what the history has: 30 fetches of 72 hours take some 30 ms, and whole forecasts several times that. */
function readHours(fetch: Uint8Array): StoredFetch['points'] {
  try {
    const { response } = storedBodySchema.parse(JSON.parse(inflateRawSync(fetch).toString('utf8')));
    const { objects } = z.object({ objects: z.array(z.unknown()) }).parse(JSON.parse(response.bodyText));
    return objects.flatMap((object) => {
      const { data } = hourSchema.safeParse(object);
      const at = data && parseTimestamp(data.timestamp);
      return at === undefined || !data ? [] : [{ at: formatInstant(at), ...data.weather }];
    });
  } catch {
    return [];
  }
}

const rowSchema = z
  .object({
    id: z.number(),
    connectionId: z.string(),
    connectionName: z.string(),
    fetchedAt: z.number().transform(formatInstant),
    fetch: z.instanceof(Uint8Array),
  })
  .transform(({ fetch, ...stored }) => ({ ...stored, points: readHours(fetch) }));

export function createForecastHistory(dependencies: { db: DatabaseSync; log: Log; limits?: HistoryLimits }) {
  const { db, log, limits = historyLimits } = dependencies;

  function prune({ lat, lng }: LatLng): void {
    db.prepare(
      `DELETE FROM forecast_fetches WHERE id IN
       (SELECT id FROM forecast_fetches WHERE lat = ? AND lng = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    ).run(lat, lng, limits.perPlace);
    db.prepare(
      `DELETE FROM forecast_fetches WHERE id IN
       (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place,
               sum(stored_bytes) OVER (ORDER BY id DESC) AS bytes FROM forecast_fetches)
        WHERE place > ? OR bytes > ?)`,
    ).run(limits.fetches, limits.bytes);
  }

  function get(id: number): Forecast {
    const row = db.prepare('SELECT fetch FROM forecast_fetches WHERE id = ?').get(id);
    if (!row) {
      throw new AppFailure(
        'NOT_FOUND',
        `Forecast ${id} is no longer stored: only the last ${limits.perPlace} are kept for each place. Choose another.`,
        { field: 'id' },
      );
    }
    const { fetch } = z.object({ fetch: z.instanceof(Uint8Array) }).parse(row);
    const stored = storedSchema.parse(JSON.parse(inflateRawSync(fetch).toString('utf8')));
    return { ...stored, ...readStoredForecast(stored.response.bodyText, stored.query) };
  }

  return {
    /** Saves a fetch. A failure is only logged, because the fetch itself succeeded. */
    save(connectionId: string, forecast: Forecast) {
      const { points: _points, problems: _problems, ...stored } = forecast;
      const compressed = deflateRawSync(JSON.stringify(stored));
      const { lat, lng } = forecast.query;
      try {
        const fetchedAt = parseTimestamp(forecast.fetchedAt) ?? 0;
        runInTransaction(db, () => {
          db.prepare(
            `INSERT INTO forecast_fetches (connection_id, connection_name, lat, lng, fetched_at, stored_bytes, fetch)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ).run(connectionId, forecast.connectionName, lat, lng, fetchedAt, compressed.length, compressed);
          prune(forecast.query);
        });
      } catch (error) {
        log.warn({ err: error }, 'a fetched forecast could not be stored for comparison');
      }
    },
    /** The fetches of a place over all connections, newest first, with their hours; one that cannot be read has none. */
    of({ lat, lng }: LatLng): StoredFetch[] {
      const sql = `SELECT id, connection_id AS connectionId, connection_name AS connectionName, fetched_at AS fetchedAt, fetch
                   FROM forecast_fetches WHERE lat = ? AND lng = ? ORDER BY id DESC`;
      return z.array(rowSchema).parse(db.prepare(sql).all(lat, lng));
    },
    /** Throws AppFailure NOT_FOUND if it was deleted in the meantime. */
    get,
  };
}
