// One lookup of a cell at a time for all processes: the others wait for what the one stores. On PostgreSQL, claims in the database
// decide which process queries a provider; one that dies holds a cell slightly longer than any request to a provider takes.
import { type Clock, within } from '@rainbell/shared';
import { sql } from 'kysely';
import { leaseEnd, leaseNow } from '../../database/lease-clock.ts';
import type { Db } from '../../database/tables.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Fleet } from '../../limits/limiter.ts';

export type SharedLookups = ReturnType<typeof createSharedLookups>;

/** How often a process checks whether another one has stored the data. */
const lookAgainMs = 50;
/** Maximum wait for the decision which process sends the request. */
const claimTimeoutMs = 2_000;
/** Maximum age of a reading that is stored only now; the longest request to a provider takes 8 s (provider-http.ts). */
const holdMs = 10_000;

/** Without a fleet, this process looks up everything itself: several processes on one SQLite file are rare. */
export function createSharedLookups(fleet: Fleet, clock: Clock, machineClock: Clock) {
  async function claim(source: string, cellKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const own = fleet && (await within(machineClock, claimTimeoutMs, claimIn(fleet, source, cellKeys, clock.now())));
    return own ?? new Set(cellKeys);
  }
  return {
    /** Returns the cells that the caller must look up, and then release; all of them if the claims are unavailable. */
    claim,
    /** What `find` finds once another process has looked it up; undefined: the caller must, and then `release`. */
    async joinOthers<Found>(
      source: string,
      cellKey: string,
      find: () => Promise<Found | undefined>,
    ): Promise<Found | undefined> {
      while (!(await claim(source, [cellKey])).has(cellKey)) {
        await new Promise<void>((resolve) => void machineClock.after(lookAgainMs, resolve));
        const found = await find();
        if (found !== undefined) return found;
      }
      return undefined;
    },
    /** Releases cells once `stored` has ended, or another process would find neither claim nor result. */
    release(source: string, cellKeys: readonly string[], stored: Promise<unknown>) {
      // Unreleased claims expire.
      void stored.then(() => fleet && releaseIn(fleet, source, cellKeys)).catch(() => {});
    },
  };
}

/** Returns the cells that the caller must fetch: another process is fetching the others, or has just stored them. */
async function claimIn(db: Db, provider: string, cellKeys: readonly string[], now: number) {
  const leaseTime = leaseNow('postgres');
  // In the same order in all processes, so that they do not wait for each other.
  const keys = cellKeys.toSorted();
  const { rows } = await retryOnDeadlock(() =>
    sql<{ cell: string }>`
      insert into weather_lookups (provider, cell, held_until)
      select ${provider}, cell.cell, ${leaseEnd(leaseTime, holdMs)} from unnest(${keys}::text[]) as cell(cell)
      where not exists (
        select 1 from weather_cache
        where weather_cache.provider = ${provider} and weather_cache.cell = cell.cell
          and fetched_at between ${now - holdMs}::bigint and ${now}::bigint)
      on conflict (provider, cell) do update set held_until = excluded.held_until
        where weather_lookups.held_until <= ${leaseTime}
      returning cell`.execute(db),
  );
  return new Set(rows.map(({ cell }) => cell));
}

async function releaseIn(db: Db, provider: string, cellKeys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('weather_lookups')
    .where('provider', '=', provider)
    .where(sql<boolean>`cell = any(${cellKeys.toSorted()}::text[])`)
    .execute();
}
