// What providers said, in the database, so that a restart serves at once and processes share it. It is a convenience: when the
// database fails here, weather is served without. Bounded by age and by number.
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '#service/database/tables.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import type { WeatherTables } from './tables.ts';

export type WeatherStore = {
  load(provider: string, cellKey: string): Promise<CellWeather | undefined>;
  /** Returns at once; what waits is written together. */
  save(provider: string, cellKey: string, weather: CellWeather): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
};

type Dependencies = { db: Kysely<Tables>; clock: Clock; log: Logger; mostRows?: number };
type Row = WeatherTables['weather_cache'];

/** To be raised when CellWeather changes, so that an older program's rows are not misread. */
const shape = 1;
const rowsAtOnce = 50;
const prunedEvery = 200;
const keptForMs = 6 * 3_600_000;

export function createWeatherStore({ db, clock, log, mostRows = 2_000 }: Dependencies): WeatherStore {
  const waiting = new Map<string, Row>();
  let writing: Promise<void> | undefined;
  let writtenSincePruned = prunedEvery;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, rowsAtOnce);
      for (const [key] of batch) waiting.delete(key);
      await upsert(
        db,
        batch.map(([, row]) => row),
      );
      writtenSincePruned += batch.length;
      if (writtenSincePruned < prunedEvery) continue;
      writtenSincePruned = 0;
      await prune(db, clock.now(), mostRows);
    }
  }

  return {
    async load(provider, cellKey) {
      try {
        const row = await db
          .selectFrom('weather_cache')
          .select('body')
          .where('provider', '=', provider)
          .where('cell', '=', cellKey)
          .where('shape', '=', shape)
          .executeTakeFirst();
        return row === undefined ? undefined : (JSON.parse(row.body) as CellWeather);
      } catch (error) {
        log.warn({ err: error }, 'stored weather could not be read');
        return undefined;
      }
    },
    save(provider, cellKey, weather) {
      const row = { provider, cell: cellKey, fetched_at: weather.fetchedAt, shape, body: JSON.stringify(weather) };
      waiting.set(`${provider} ${cellKey}`, row);
      // The answer to the client goes first; what else arrives until then is written in the same transaction.
      writing ??= afterThisTurn()
        .then(write)
        .catch((error: unknown) => log.warn({ err: error }, 'weather could not be stored'))
        .finally(() => (writing = undefined));
    },
    async close() {
      await writing;
    },
  };
}

function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

async function upsert(db: Kysely<Tables>, rows: readonly Row[]): Promise<void> {
  await db
    .insertInto('weather_cache')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['provider', 'cell']).doUpdateSet((row) => ({
        fetched_at: row.ref('excluded.fetched_at'),
        shape: row.ref('excluded.shape'),
        body: row.ref('excluded.body'),
      })),
    )
    .execute();
}

/** Drops what may not be shown any more (also what a moved clock wrote in another time), then the oldest beyond the bound. */
async function prune(db: Kysely<Tables>, now: number, mostRows: number): Promise<void> {
  await db
    .deleteFrom('weather_cache')
    .where((row) => row.or([row('fetched_at', '<', now - keptForMs), row('fetched_at', '>', now + keptForMs)]))
    .execute();
  const oldestKept = await db
    .selectFrom('weather_cache')
    .select('fetched_at')
    .orderBy('fetched_at', 'desc')
    .offset(mostRows - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await db.deleteFrom('weather_cache').where('fetched_at', '<', oldestKept.fetched_at).execute();
}
