// The verdict of every stored callback, in a temporary table (event-ids.ts), so that the database can count and sort by verdict. Verdicts
// are not stored, because they depend on what the app learns later (monitors, secrets, the delivery log). New callbacks are judged as they
// arrive; a verdict that may have changed is computed again, and the old one applies until then.
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type VerdictName, verdictNames } from '@rainbell/contract/app-rpc';
import { callbackTable, everyRow, isShown, type RowFilter } from '../receiver/records/callback-pages.ts';
import type { CallbackValidator } from './callback-validator.ts';
import type { EventIds } from './event-ids.ts';

export type IndexCount = {
  /** From 0, in bars. */
  bar: number;
  verdict: VerdictName;
  count: number;
};

export type CallbackIndex = ReturnType<typeof createCallbackIndex>;

type CallbackIndexDependencies = {
  db: DatabaseSync;
  eventIds: EventIds;
  validator: Pick<CallbackValidator, 'validateById'>;
  /** In milliseconds, for the budget. */
  now: () => number;
};

/** Maximum IDs to count in one statement, and time to compute verdicts, before other work of the app gets its turn. */
const windowIds = 10_000;
const sliceMs = 8;
/** Callbacks arrive until there was none for this long; the receiver stores them in groups. */
const arrivingMs = 200;
/** A delivery log says something of a monitor's newest callbacks only. */
const newestOfMonitor = 500;

export function createCallbackIndex({ db, eventIds, validator, now }: CallbackIndexDependencies) {
  const stored = db.prepare("SELECT total, newest_id FROM callback_counters WHERE endpoint_id = ''");
  const copied = db.prepare('SELECT count(*) AS count FROM callback_index');
  const purge = db.prepare('DELETE FROM callback_index WHERE callback_id NOT IN (SELECT id FROM callbacks)');
  const stale = db.prepare(
    'SELECT callback_id AS id FROM callback_index WHERE generation < ? ORDER BY generation, callback_id DESC LIMIT 100',
  );
  const countStale = db.prepare('SELECT count(*) AS count FROM callback_index WHERE generation < ?');
  // Oldest first: each is compared with those before it, which are still at hand.
  const fresh = db.prepare(
    'SELECT callback_id AS id FROM callback_index WHERE generation = 0 AND callback_id > ? ORDER BY callback_id LIMIT 100',
  );
  // One statement, because each costs as much as some verdicts.
  const setVerdicts = db.prepare(
    `UPDATE callback_index SET verdict = found.value ->> 1, generation = ? FROM json_each(?) AS found
     WHERE callback_id = found.value ->> 0`,
  );
  const forget = db.prepare(
    `UPDATE callback_index SET generation = 0 WHERE callback_id IN
       (SELECT id FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT ${newestOfMonitor})`,
  );
  const oldest = db.prepare('SELECT min(at) AS at FROM callback_index');
  const storedBefore = Number(stored.get()?.['newest_id']);
  let generation = 1;
  let keepingUp: Promise<void> | undefined;

  /** Judges for a short time; returns whether there was any. */
  function validateSome(rows = stale.all(generation)): boolean {
    const until = now() + sliceMs;
    const ids = rows.map((row) => Number(row['id']));
    const found: [number, number][] = [];
    for (const id of ids) {
      found.push([id, verdictNames.indexOf(validator.validateById(id).verdictName)]);
      if (now() >= until) break;
    }
    setVerdicts.run(generation, JSON.stringify(found));
    return ids.length > 0;
  }

  function left(): number {
    return eventIds.left() + Number(countStale.get(generation)?.['count']);
  }

  async function advance(budgetMs: number): Promise<number> {
    if (Number(copied.get()?.['count']) > Number(stored.get()?.['total'])) purge.run();
    const until = now() + budgetMs;
    // oxlint-disable-next-line no-await-in-loop
    while ((eventIds.copySome() || validateSome()) && now() < until) await nextTurn();
    return left();
  }

  /** While callbacks arrive, at most half of the thread's time is spent on it, because the receiver and the screens need the rest. */
  async function judgeNew(): Promise<void> {
    let copiedAt = now();
    for (let isDone = false; !isDone && db.isOpen;) {
      const isCopied = eventIds.copySome();
      if (isCopied) copiedAt = now();
      isDone = !validateSome(fresh.all(storedBefore)) && !isCopied;
      // oxlint-disable-next-line no-await-in-loop
      await (now() - copiedAt < arrivingMs ? sleep(sliceMs) : nextTurn());
    }
  }

  return {
    /** Works for about `budgetMs`, in short slices, and returns how many callbacks have no certain verdict yet. */
    advance,
    /** There may be new callbacks. */
    keepUp(): void {
      // A database that can't be read is reported by whatever reads it next.
      keepingUp ??= judgeNew()
        .catch(() => {})
        .finally(() => (keepingUp = undefined));
    },
    /** Advances until all are validated. */
    async finish() {
      // oxlint-disable-next-line no-await-in-loop
      while (left() > 0) await advance(1000);
    },
    /** Whether every stored callback has a certain verdict. */
    isWhole: (): boolean => left() === 0,
    /** A condition on `callbacks`, wider than the verdicts while some are not certain. */
    filter(names: readonly VerdictName[]): RowFilter {
      const codes = names.map((name) => verdictNames.indexOf(name)).join(', ');
      return {
        sql: `coalesce((SELECT verdict IN (${codes}) FROM callback_index WHERE callback_id = callbacks.id AND generation = ${generation}), TRUE)`,
        values: [],
      };
    },
    /** Times in epoch milliseconds; null if there is none. */
    oldestAt(): number | null {
      const at = oldest.get()?.['at'];
      return typeof at === 'number' ? at : null;
    },
    /** Counts what the filter finds from `from` on, before `to`. */
    async count(
      filter: RowFilter,
      { from, to, barMs }: { from: number; to: number; barMs: number },
    ): Promise<IndexCount[]> {
      const counts = new Map<number, number>();
      const source =
        filter === everyRow
          ? `callback_index AS callbacks_seen WHERE NOT EXISTS
              (SELECT 1 FROM callback_deletions WHERE callback_deletions.callback_id = callbacks_seen.callback_id)`
          : `callback_index AS callbacks_seen CROSS JOIN ${callbackTable}
              WHERE callbacks.id = callbacks_seen.callback_id AND ${isShown} AND ${filter.sql}`;
      const statement = db.prepare(
        `SELECT CAST((at - ?) / ? AS INTEGER) AS bar, verdict, count(*) AS count FROM ${source}
           AND callbacks_seen.callback_id > ? AND callbacks_seen.callback_id <= ? AND at >= ? AND at < ? GROUP BY 1, 2`,
      );
      const [low, high] = eventIds.range();
      for (let end = high; end > low; end -= windowIds) {
        const start = Math.max(low, end - windowIds);
        for (const row of statement.all(from, barMs, ...filter.values, start, end, from, to)) {
          const key = Number(row['bar']) * verdictNames.length + Number(row['verdict']);
          counts.set(key, (counts.get(key) ?? 0) + Number(row['count']));
        }
        // oxlint-disable-next-line no-await-in-loop
        await nextTurn();
      }
      return [...counts]
        .toSorted(([one], [other]) => one - other)
        .map(([key, count]) => ({
          bar: Math.floor(key / verdictNames.length),
          verdict: verdictNames[key % verdictNames.length] ?? 'unknown',
          count,
        }));
    },
    /** Verdicts may have changed: of all, or of one monitor. */
    clear(monitorId?: string) {
      if (monitorId === undefined) generation += 1;
      else forget.run(monitorId);
    },
  };
}
