// Counters that all processes on one PostgreSQL share, for limits that hold for the fleet. What is
// counted at the same time goes to the database in one statement. If the database does not answer, each process uses its own counts
// for a while.
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { systemCode } from '#shared/errors/system-code.ts';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import { createLeaseClock } from '#service/database/lease-clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { retryOnDeadlock } from '#service/database/retry-on-deadlock.ts';
import './tables.ts';

/** What a window holds, the caller's count included. */
export type FleetCount = { used: number; leftMs: number };

export type FleetCounters = {
  /**
   * Adds to a window that ends at `endsAt` by the service's clock. Returns its total; undefined if the database does not answer in
   * time.
   */
  add(key: string, count: number, endsAt: number): Promise<number | undefined>;
  /** Adds 1 to a window that starts with its first count and lasts `windowMs`. */
  addSince(key: string, windowMs: number): Promise<FleetCount | undefined>;
  /** Returns the present window of a key; undefined if there is none, or the database does not answer in time. */
  read(key: string): Promise<FleetCount | undefined>;
  clear(key: string): void;
  /** Deletes windows that ended more than an hour ago. */
  forgetOld(): Promise<void>;
};

/** For counting limits; `counters` is undefined if only one process uses the database. */
export type LimitContext = { clock: Clock; counters?: FleetCounters | undefined };

/** A limit that has to wait longer for the database goes by this process's own counts. */
const defaultTimeoutMs = 500;
const retentionMs = 3_600_000;

type Dependencies = Pick<Database, 'db' | 'engine'> & { machineClock: Clock; log: Logger; timeoutMs?: number };
type Addition = { key: string; count: number; ends: number };
type Row = { key: string; used: number; left: number };

/** Undefined on SQLite, which has only one process: it keeps its counts in memory. */
export function createFleetCounters({
  db,
  engine,
  machineClock,
  log,
  ...options
}: Dependencies): FleetCounters | undefined {
  if (engine === 'sqlite') return undefined;
  const { timeoutMs = defaultTimeoutMs } = options;
  const now = createLeaseClock(engine)();

  /** `isOver`: whether the stored window has ended; `ends`: when the new one does. */
  function writer(isOver: RawBuilder<boolean>, ends: RawBuilder<number>) {
    return createBatcher(async (additions) => {
      const [keys, counts, windows] = [
        additions.map(({ key }) => key),
        additions.map(({ count }) => count),
        additions.map((addition) => addition.ends),
      ];
      const { rows } = await retryOnDeadlock(() =>
        sql<Row>`
          insert into counters (key, used, ends_at)
          select key, count, ${ends} from unnest(${keys}::text[], ${counts}::bigint[], ${windows}::bigint[]) as added(key, count, ends)
          on conflict (key) do update set
            used = case when ${isOver} then excluded.used else counters.used + excluded.used end,
            ends_at = case when ${isOver} then excluded.ends_at else counters.ends_at end
          returning key, used, ends_at - ${now} as left`.execute(db),
      );
      return rows;
    });
  }
  const addAligned = writer(sql`counters.ends_at < excluded.ends_at`, sql`ends`);
  const addFloating = writer(sql`counters.ends_at <= ${now}`, sql`${now} + ends`);

  let isAway = false;
  async function orOwn<Result>(work: Promise<Result>): Promise<Result | undefined> {
    const result = await within(machineClock, timeoutMs, work);
    const wasAway = isAway;
    isAway = result === undefined;
    if (isAway && !wasAway)
      log.warn('usage could not be counted across the fleet; this process keeps its own count in the meantime');
    return result;
  }

  return {
    async add(key, count, endsAt) {
      return (await orOwn(addAligned({ key, count, ends: endsAt })))?.used;
    },
    addSince: (key, windowMs) => orOwn(addFloating({ key, count: 1, ends: windowMs })),
    async read(key) {
      const select = sql<Row>`
        select key, used, ends_at - ${now} as left from counters where key = ${key} and ends_at > ${now}`;
      const rows = await orOwn(select.execute(db).then((result) => result.rows));
      return rows?.map(({ used, left }) => ({ used, leftMs: left }))[0];
    },
    clear(key) {
      db.deleteFrom('counters')
        .where('key', '=', key)
        .execute()
        .catch((error: unknown) => log.debug({ code: systemCode(error) }, 'a counter could not be cleared'));
    },
    async forgetOld() {
      await db
        .deleteFrom('counters')
        .where('ends_at', '<', sql<number>`${now} - ${retentionMs}::bigint`)
        .execute();
    },
  };
}

type Waiting = { count: number; resolve: (count: FleetCount) => void; reject: (error: unknown) => void };

/** Writes one batch at a time; what is added meanwhile goes into the next. Each caller gets the total up to its own addition. */
function createBatcher(write: (additions: readonly Addition[]) => Promise<readonly Row[]>) {
  let pending = new Map<string, { addition: Addition; waiting: Waiting[] }>();
  let writing: Promise<void> | undefined;

  async function writePending(): Promise<void> {
    while (pending.size > 0) {
      const batch = pending;
      pending = new Map();
      // In the same order in all processes, so that they do not wait for each other.
      const sorted = [...batch.keys()].toSorted().flatMap((key) => batch.get(key)?.addition ?? []);
      try {
        for (const { key, used, left } of await write(sorted)) {
          let total = used;
          for (const one of (batch.get(key)?.waiting ?? []).toReversed()) {
            one.resolve({ used: total, leftMs: left });
            total -= one.count;
          }
        }
      } catch (error) {
        for (const { waiting } of batch.values()) for (const one of waiting) one.reject(error);
      }
    }
  }

  return (addition: Addition): Promise<FleetCount> =>
    new Promise((resolve, reject) => {
      const same = pending.get(addition.key);
      const waiting = { count: addition.count, resolve, reject };
      if (same) {
        same.addition = { ...addition, count: same.addition.count + addition.count };
        same.waiting.push(waiting);
      } else pending.set(addition.key, { addition: { ...addition }, waiting: [waiting] });
      writing ??= Promise.resolve()
        .then(writePending)
        .finally(() => (writing = undefined));
    });
}
