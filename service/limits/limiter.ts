// Counts against limits: by all processes on one PostgreSQL together; in memory with SQLite, and while the database does not
// respond. The library is loaded for the first count, because it would slow the start.
import { CompiledQuery } from 'kysely';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { createCache } from '../cache/create-cache.ts';
import type { Db } from '../database/tables.ts';
import { hashOf } from '../secrets/random-text.ts';
import { bigint, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

export const limitTables = {
  /**
   * What all processes on one PostgreSQL count together, as rate-limiter-flexible writes it. `expire`: in epoch milliseconds by the
   * clock of the process that started the window. A server crash loses only counts that are outdated a moment later. The fill factor
   * leaves room in each page for the next version of a row, so that counts change no index.
   */
  limits: table(
    { key: text('PRIMARY KEY'), points: integer(), expire: orNull(bigint()) },
    { isOnlyOnPostgres: true, isUnlogged: true, postgres: 'WITH (fillfactor = 50)' },
  ),
};

declare module '../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof limitTables> {}
}

/** `name`: unique among all limits. A window starts with its first count. */
export type Limit = { name: string; max: number; windowSeconds: number };

/** The PostgreSQL database whose processes count together; undefined: this process counts only for itself. */
export type Fleet = Db | undefined;

/** Keys in memory; a flood of them drops the oldest. */
const maxKeys = 20_000;
/** A limit that has to wait longer for the database goes by this process's own counts. */
const timeoutMs = 500;

export function createLimiter(limit: Limit, fleet: Fleet) {
  const { name, max, windowSeconds } = limit;
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const {
      RateLimiterMemory,
      RateLimiterPostgres,
      RateLimiterRes: Refusal,
      RLWrapperTimeouts,
    } = await import('rate-limiter-flexible');
    const options = { keyPrefix: name, points: max, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    const known = createCache<string, true>(maxKeys, (key) => void memory.delete(key));
    const limiter = fleet
      ? new RLWrapperTimeouts({
          limiter: new RateLimiterPostgres({
            ...options,
            storeClient: queriesOf(fleet),
            storeType: 'pool',
            tableName: 'limits',
            tableCreated: true,
            // The service deletes them (hourly-chores.ts).
            clearExpiredByTimeout: false,
            insuranceLimiter: memory,
            // What is refused costs the database nothing.
            inMemoryBlockOnConsumed: max,
          }),
          timeoutMs,
        })
      : memory;
    const isRefusal = (error: unknown): error is RateLimiterRes => error instanceof Refusal;
    return { limiter, known, isRefusal };
  }

  return {
    /** Counts one, or more; resolves to the seconds until the window ends if that was too many, and to 0 otherwise. */
    async take(key: string, count = 1): Promise<number> {
      const { limiter, known, isRefusal } = await (opening ??= open());
      // Names may contain anything that someone typed.
      const hash = hashOf(key);
      known.set(hash, true);
      try {
        await limiter.consume(hash, count);
        return 0;
      } catch (error) {
        if (isRefusal(error)) return secondsOf(error.msBeforeNext);
        throw error;
      }
    },
    /** Returns how many are left in the present window, and the seconds until it ends. */
    async left(key: string): Promise<{ count: number; seconds: number }> {
      const { limiter } = await (opening ??= open());
      const present = await limiter.get(hashOf(key));
      const isOver = present === null || present.msBeforeNext <= 0;
      return isOver
        ? { count: max, seconds: 0 }
        : { count: present.remainingPoints, seconds: secondsOf(present.msBeforeNext) };
    },
    async clear(key: string) {
      const { limiter } = await (opening ??= open());
      await limiter.delete(hashOf(key));
    },
  };
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** What the library needs of a pool, by the service's own. */
function queriesOf(db: Db) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  };
}
