// Decides which of the processes on one PostgreSQL queries a provider for a cell: one at a time; the others wait for its stored
// result. A process that dies holds a cell slightly longer than any request to a provider takes.
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { createLeaseClock, leaseEnd } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';

export type LookupClaims = {
  /** Returns the cells that the caller must fetch. Another process is fetching the others, or has just stored them. */
  claim(provider: string, cellKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Call it once the result is stored, or there is none. */
  release(provider: string, cellKeys: readonly string[]): Promise<void>;
};

type Dependencies = Pick<Database, 'db' | 'engine'> & { clock: Clock };

/** Maximum age of a reading that is stored only now; the longest request to a provider takes 8 s (provider-http.ts). */
const holdMs = 10_000;

/** On SQLite, where several processes on one file are rare, each fetches for itself. */
export function createLookupClaims({ db, engine, clock }: Dependencies): LookupClaims {
  if (engine === 'sqlite') return { claim: async (_provider, cellKeys) => new Set(cellKeys), release: async () => {} };
  const now = createLeaseClock(engine)();
  const until: RawBuilder<number> = leaseEnd(now, holdMs);
  return {
    async claim(provider, cellKeys) {
      // In the same order in all processes, so that they do not wait for each other.
      const keys = cellKeys.toSorted();
      const { rows } = await retryOnDeadlock(() =>
        sql<{ cell: string }>`
          insert into weather_lookups (provider, cell, held_until)
          select ${provider}, cell.cell, ${until} from unnest(${keys}::text[]) as cell(cell)
          where not exists (
            select 1 from weather_cache
            where weather_cache.provider = ${provider} and weather_cache.cell = cell.cell
              and fetched_at between ${clock.now() - holdMs}::bigint and ${clock.now()}::bigint)
          on conflict (provider, cell) do update set held_until = excluded.held_until
            where weather_lookups.held_until <= ${now}
          returning cell`.execute(db),
      );
      return new Set(rows.map(({ cell }) => cell));
    },
    async release(provider, cellKeys) {
      await db
        .deleteFrom('weather_lookups')
        .where('provider', '=', provider)
        .where(sql<boolean>`cell = any(${cellKeys.toSorted()}::text[])`)
        .execute();
    },
  };
}
