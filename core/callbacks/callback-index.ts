// Time, event ID, and verdict of every stored callback, in a temporary table of this connection, so that callbacks with the same event are
// found at any distance, and the database can count and sort by verdict. It is copied from the store, window by window, because the
// receiver's thread has no time to write another index. Verdicts are not stored, because they depend on what the app learns later
// (monitors, secrets, the delivery log). New callbacks are judged as they arrive; a verdict that may have changed is computed again, and
// the old one applies until then.
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type VerdictName, verdictNames } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { isReplay } from '../receiver/checks/event-evidence.ts';
import {
  bounds,
  type CallbackPages,
  everyRow,
  isShown,
  type RowFilter,
  type RowPiece,
} from '../receiver/records/callback-pages.ts';
import { callbackTable, type StoredCallback } from '../receiver/records/stored-callback.ts';

/** From `from` on, before `to`. */
export type IndexAxis = { from: number; to: number; barMs: number };

/** `verdict`: its place in `verdictNames`. */
export type IndexCount = { bar: number; verdict: number; count: number };

export type CallbackIndex = ReturnType<typeof createCallbackIndex>;

type CallbackIndexDependencies = {
  db: DatabaseSync;
  verdictOf: (callbackId: number) => VerdictName;
  now?: () => number;
  /** Those of a large store were copied, so verdicts that were given before may be other ones. */
  onWhole?: () => void;
  /** A callback that arrived was judged for the first time. */
  onJudged?: (callbackId: number) => void;
};

/** Maximum IDs to copy, list, or count in one statement, and time to compute verdicts, before other work of the app gets its turn. */
export const windowIds = 10_000;
const sliceMs = 8;
/** Callbacks arrive until there was none for this long; the receiver stores them in groups. */
const arrivingMs = 200;
/** A delivery log says something of a monitor's newest callbacks only. */
const newestOfMonitor = 500;
/** The oldest decide: the first is the event, and those after it are its retries and replays. */
const maxSame = 20;

/** A value in the JSON array of names and values; the JSON of a value has no quote that isn't escaped. */
const mark = '"webhook-id","';
const rest = `substr(headers, instr(lower(headers), '${mark}') + ${mark.length})`;
const eventId = `CASE WHEN monitor_id IS NOT NULL AND instr(lower(headers), '${mark}') > 0
  THEN substr(${rest}, 1, min(200, instr(${rest}, '"') - 1)) END`;

export function createCallbackIndex(dependencies: CallbackIndexDependencies) {
  const { db, verdictOf, now = () => performance.now(), onWhole = () => {}, onJudged = () => {} } = dependencies;
  // Generation 0: never judged; -1: judged, but something that it depends on has changed.
  db.exec(`
    CREATE TEMP TABLE callback_index (
      callback_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event_id TEXT, verdict INTEGER NOT NULL, generation INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX temp.callback_index_by_generation ON callback_index (generation, callback_id DESC);
    CREATE INDEX temp.callback_index_by_event ON callback_index (event_id, callback_id) WHERE event_id IS NOT NULL;`);
  const sql = prepare(db);
  const topId = () => Number(sql.newest.get()?.['id']);
  const storedBefore = topId();
  /** IDs above `low` and up to `high` were copied. */
  let [low, high] = [storedBefore, storedBefore];
  let generation = 1;
  let copying: Promise<void> | undefined;
  let keepingUp: Promise<void> | undefined;

  /** Newer ones first, then older ones; returns whether there were any. */
  function copySome(): boolean {
    const top = topId();
    const isNewer = top > high;
    const [start, end] = isNewer ? [high, Math.min(top, high + windowIds)] : [Math.max(0, low - windowIds), low];
    if (start === end) return false;
    sql.copy.run(start, end);
    if (isNewer) high = end;
    else low = start;
    return true;
  }

  async function copyOlder(): Promise<void> {
    for (; db.isOpen && low > 0; await nextTurn()) copySome();
    if (db.isOpen) onWhole();
  }

  /** Judges for a short time; returns whether there was any. */
  function validateSome(rows = sql.stale.all(generation)): boolean {
    const until = now() + sliceMs;
    const found: [number, number][] = [];
    const arrived: number[] = [];
    for (const row of rows) {
      const id = Number(row['id']);
      found.push([id, verdictNames.indexOf(verdictOf(id))]);
      if (row['generation'] === 0 && id > storedBefore) arrived.push(id);
      if (now() >= until) break;
    }
    sql.setVerdicts.run(generation, JSON.stringify(found));
    arrived.forEach(onJudged);
    return rows.length > 0;
  }

  /** How many have no certain verdict. */
  function left(): number {
    return low + topId() - high + Number(sql.countStale.get(generation)?.['count']);
  }

  async function advance(budgetMs: number): Promise<number> {
    if (Number(sql.copied.get()?.['count']) > Number(sql.stored.get()?.['total'])) sql.purge.run();
    const until = now() + budgetMs;
    while ((copySome() || validateSome()) && now() < until) await nextTurn();
    return left();
  }

  /** While callbacks arrive, at most half of the thread's time is spent on it, because the receiver and the screens need the rest. */
  async function judgeNew(): Promise<void> {
    let copiedAt = now();
    while (db.isOpen) {
      const isCopied = copySome();
      if (isCopied) copiedAt = now();
      // At once: what arrives during a pause before the end would wait for the next one that arrives.
      if (!validateSome([0, -1].flatMap((one) => sql.fresh.all(one, storedBefore))) && !isCopied) return;
      await (now() - copiedAt < arrivingMs ? sleep(sliceMs) : nextTurn());
    }
  }

  return {
    /** IDs of callbacks before one with this event ID, oldest first; of a large store, first only of the newest. */
    sameEvent(id: string, beforeId: number): number[] {
      const top = topId();
      while (top > high || (low > 0 && low > top - windowIds)) copySome();
      // A database that can't be read is reported by whatever reads it next.
      if (low > 0) copying ??= copyOlder().catch(() => {});
      return sql.same.all(id.slice(0, 200), beforeId).map((row) => Number(row['id']));
    },
    /** Works for about `budgetMs`, in short slices, and returns how many callbacks have no certain verdict yet. */
    advance,
    keepUp(): void {
      // A database that can't be read is reported by whatever reads it next.
      keepingUp ??= judgeNew()
        .catch(() => {})
        .finally(() => (keepingUp = undefined));
    },
    async finish() {
      while (left() > 0) await advance(1000);
    },
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
      const at = sql.oldest.get()?.['at'];
      return typeof at === 'number' ? at : null;
    },
    /** How many there are of each verdict in each bar (from 0), of those that are indexed. */
    count({ range, filter }: RowPiece, { from, to, barMs }: IndexAxis): IndexCount[] {
      const statement = db.prepare(
        `SELECT CAST((at - ?) / ? AS INTEGER) AS bar, verdict, count(*) AS count FROM ${sourceOf(filter)}
           AND callbacks_seen.callback_id < ? AND callbacks_seen.callback_id > ? AND at >= ? AND at < ? GROUP BY 1, 2`,
      );
      return statement.all(from, barMs, ...filter.values, ...bounds(range), from, to) as IndexCount[];
    },
    /** Verdicts may have changed: of all, or of one monitor. */
    clear(monitorId?: string) {
      if (monitorId === undefined) generation += 1;
      else sql.forget.run(monitorId);
    },
  };
}

/** Without a condition, the large rows of the store are not read. */
function sourceOf(filter: RowFilter): string {
  return filter === everyRow
    ? `callback_index AS callbacks_seen WHERE NOT EXISTS
        (SELECT 1 FROM callback_deletions WHERE callback_deletions.callback_id = callbacks_seen.callback_id)`
    : `callback_index AS callbacks_seen CROSS JOIN ${callbackTable}
        WHERE callbacks.id = callbacks_seen.callback_id AND ${isShown} AND ${filter.sql}`;
}

function prepare(db: DatabaseSync) {
  return {
    newest: db.prepare('SELECT coalesce(max(id), 0) AS id FROM callbacks'),
    copy: db.prepare(
      `INSERT OR IGNORE INTO callback_index SELECT id, received_at, ${eventId}, ${verdictNames.indexOf('unknown')}, 0
       FROM callbacks WHERE id > ? AND id <= ?`,
    ),
    same: db.prepare(
      `SELECT callback_id AS id FROM callback_index WHERE event_id = ? AND callback_id < ? ORDER BY callback_id LIMIT ${maxSame}`,
    ),
    stored: db.prepare("SELECT total FROM callback_counters WHERE endpoint_id = ''"),
    copied: db.prepare('SELECT count(*) AS count FROM callback_index'),
    purge: db.prepare('DELETE FROM callback_index WHERE callback_id NOT IN (SELECT id FROM callbacks)'),
    stale: db.prepare(
      'SELECT callback_id AS id, generation FROM callback_index WHERE generation < ? ORDER BY generation, callback_id DESC LIMIT 100',
    ),
    countStale: db.prepare('SELECT count(*) AS count FROM callback_index WHERE generation < ?'),
    // Oldest first: each is compared with those before it, which are still at hand.
    fresh: db.prepare(
      'SELECT callback_id AS id, generation FROM callback_index WHERE generation = ? AND callback_id > ? ORDER BY callback_id LIMIT 100',
    ),
    // One statement, because each costs as much as some verdicts.
    setVerdicts: db.prepare(
      `UPDATE callback_index SET verdict = found.value ->> 1, generation = ? FROM json_each(?) AS found
       WHERE callback_id = found.value ->> 0`,
    ),
    forget: db.prepare(
      `UPDATE callback_index SET generation = -1 WHERE generation > 0 AND callback_id IN
         (SELECT id FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT ${newestOfMonitor})`,
    ),
    oldest: db.prepare('SELECT min(at) AS at FROM callback_index'),
  };
}

/** Whether an earlier callback has the same event and came the other way: by the feed, or as a request. */
export function hasOtherWay(
  callback: StoredCallback,
  { pages, index }: { pages: Pick<CallbackPages, 'get'>; index: Pick<CallbackIndex, 'sameEvent'> },
): boolean {
  const eventId = headerOf(callback.headers, 'webhook-id');
  if (eventId === undefined || callback.isImported || isReplay(callback)) return false;
  const same = index.sameEvent(eventId, callback.id).map(pages.get);
  return same.some((one) => one && !one.isImported && one.isByFeed !== callback.isByFeed);
}
