// Provider data in the database, so that a restart can serve it at once and processes share it. Optional: if the database fails
// here, weather is served without it. Bounded by age and number.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { bigint, integer, type RowsOf, table, text } from '../../database/table.ts';
import type { Db, Tables } from '../../database/tables.ts';

export const weatherTables = {
  weather_cache: table(
    {
      provider: text(),
      cell: text(),
      fetched_at: bigint(),
      /** Format version of `body`; other versions are ignored. */
      shape: integer(),
      /** A CellWeather as JSON, or what a side source returned (side-source.ts). */
      body: text(),
    },
    {
      constraint: 'CONSTRAINT weather_cache_key PRIMARY KEY (provider, cell)',
      indexes: { weather_cache_by_age: '(fetched_at)' },
    },
  ),
  /** Cells that a process is requesting from a provider (shared-lookups.ts). A server crash loses only leases that soon end. */
  weather_lookups: table(
    { provider: text(), cell: text(), held_until: bigint() },
    { constraint: 'CONSTRAINT weather_lookups_key PRIMARY KEY (provider, cell)', isUnlogged: true },
  ),
};

declare module '../../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof weatherTables> {}
}

export type StoredReading = { fetchedAt: number };

export type WeatherStore = ReturnType<typeof createWeatherStore>;

type Dependencies = { db: Db; clock: Clock; log: Logger; maxRows: () => Promise<number> };
type Row = Tables['weather_cache'];

/** Increase it if CellWeather, Nowcast, or Observation changes, so that an older version's rows are not misread. */
const readingShape = 2;
const rowsAtOnce = 50;
const minPrunedEvery = 200;
/** Pruning scans all rows, so it runs only once per 1/20 of them. */
const prunedPart = 20;
/** After that, weather is too old to be shown. */
const retentionMs = 6 * 3_600_000;

export function createWeatherStore({ db, clock, log, maxRows }: Dependencies) {
  const waiting = new Map<string, Row>();
  let writing: Promise<void> | undefined;
  let untilPruned = 0;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, rowsAtOnce);
      for (const [key] of batch) waiting.delete(key);
      await upsert(
        db,
        batch.map(([, row]) => row),
      );
      untilPruned -= batch.length;
      if (untilPruned > 0) continue;
      const max = await maxRows();
      untilPruned = Math.max(minPrunedEvery, max / prunedPart);
      await prune(db, clock.now(), max);
    }
  }

  async function loadMany<Reading extends StoredReading>(
    provider: string,
    cellKeys: readonly string[],
  ): Promise<Map<string, Reading>> {
    try {
      const rows = await db
        .selectFrom('weather_cache')
        .select(['cell', 'body'])
        .where('provider', '=', provider)
        .where('cell', 'in', cellKeys)
        .where('shape', '=', readingShape)
        .execute();
      return new Map(rows.map(({ cell, body }) => [cell, JSON.parse(body) as Reading]));
    } catch (error) {
      log.warn({ err: error }, 'stored weather could not be read');
      return new Map();
    }
  }

  return {
    /** The caller knows what it saved under this provider's name. */
    load: async <Reading extends StoredReading>(provider: string, cellKey: string) =>
      (await loadMany<Reading>(provider, [cellKey])).get(cellKey),
    /** Returns the stored ones of these cells, by key, in one query. */
    loadMany,
    /** Writes pending data together. Resolves when it is written or failed; the caller doesn't have to wait. */
    save<Reading extends StoredReading>(provider: string, cellKey: string, reading: Reading) {
      const { fetchedAt } = reading;
      const body = JSON.stringify(reading);
      const row = { provider, cell: cellKey, fetched_at: fetchedAt, shape: readingShape, body };
      waiting.set(`${provider} ${cellKey}`, row);
      // Respond to the client first; data that arrives until then is written in the same transaction.
      writing ??= afterThisTurn()
        .then(write)
        .catch((error: unknown) => log.warn({ err: error }, 'weather could not be stored'))
        .finally(() => (writing = undefined));
      return writing;
    },
    async close() {
      await writing;
    },
  };
}

function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

async function upsert(db: Db, rows: readonly Row[]): Promise<void> {
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

/** Deletes expired data (including what a moved clock wrote), then the oldest beyond the limit. */
async function prune(db: Db, now: number, maxRows: number): Promise<void> {
  await db
    .deleteFrom('weather_cache')
    .where((row) => row.or([row('fetched_at', '<', now - retentionMs), row('fetched_at', '>', now + retentionMs)]))
    .execute();
  const oldestKept = await db
    .selectFrom('weather_cache')
    .select('fetched_at')
    .orderBy('fetched_at', 'desc')
    .offset(maxRows - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await db.deleteFrom('weather_cache').where('fetched_at', '<', oldestKept.fetched_at).execute();
}
