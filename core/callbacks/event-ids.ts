// Time and event ID of every stored callback, in a temporary table of this connection, so that callbacks with the same event are found at
// any distance, and callback-index.ts can count by verdict. It is copied from the store, window by window, because the receiver's thread
// has no time to write another index.
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { verdictNames } from '@rainbell/contract/app-rpc';

export type EventIds = ReturnType<typeof createEventIds>;

/** Maximum IDs to copy in one statement, before other work of the app gets its turn. */
const windowIds = 10_000;
/** The oldest decide: the first is the event, and those after it are its retries and replays. */
const maxSame = 20;

/** A value in the JSON array of names and values; the JSON of a value has no quote that isn't escaped. */
const mark = '"webhook-id","';
const rest = `substr(headers, instr(lower(headers), '${mark}') + ${mark.length})`;
const eventId = `CASE WHEN monitor_id IS NOT NULL AND instr(lower(headers), '${mark}') > 0
  THEN substr(${rest}, 1, min(200, instr(${rest}, '"') - 1)) END`;

/** `onWhole`: those of a large store were copied, so verdicts that were given before may be other ones. */
export function createEventIds(db: DatabaseSync, onWhole: () => void = () => {}) {
  // Generation 0: never judged.
  db.exec(`
    CREATE TEMP TABLE callback_index (
      callback_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event_id TEXT, verdict INTEGER NOT NULL, generation INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX temp.callback_index_by_generation ON callback_index (generation, callback_id DESC);
    CREATE INDEX temp.callback_index_by_event ON callback_index (event_id, callback_id) WHERE event_id IS NOT NULL;`);
  const newest = db.prepare('SELECT coalesce(max(id), 0) AS id FROM callbacks');
  const copy = db.prepare(
    `INSERT OR IGNORE INTO callback_index SELECT id, received_at, ${eventId}, ${verdictNames.indexOf('unknown')}, 0
     FROM callbacks WHERE id > ? AND id <= ?`,
  );
  const same = db.prepare(
    `SELECT callback_id AS id FROM callback_index WHERE event_id = ? AND callback_id < ? ORDER BY callback_id LIMIT ${maxSame}`,
  );
  /** IDs above `low` and up to `high` were copied. */
  let [low, high] = [0, 0];
  let isStarted = false;
  let copying: Promise<void> | undefined;

  const topId = () => Number(newest.get()?.['id']);

  /** Newer ones first, then older ones; returns whether there were any. */
  function copySome(): boolean {
    const top = topId();
    if (!isStarted) [low, high, isStarted] = [top, top, true];
    if (top > high) {
      const end = Math.min(top, high + windowIds);
      copy.run(high, end);
      high = end;
    } else if (low > 0) {
      const start = Math.max(0, low - windowIds);
      copy.run(start, low);
      low = start;
    } else return false;
    return true;
  }

  async function copyOlder(): Promise<void> {
    while (db.isOpen && low > 0) {
      copySome();
      // oxlint-disable-next-line no-await-in-loop
      await nextTurn();
    }
    if (db.isOpen) onWhole();
  }

  return {
    copySome,
    /** How many have not been copied. */
    left: (): number => (isStarted ? low + topId() - high : Infinity),
    /** The range of IDs that were copied: above the first, up to the second. */
    range: (): [number, number] => [low, high],
    /** IDs of callbacks before one with this event ID, oldest first; of a large store, first only of the newest. */
    sameEvent(id: string, beforeId: number): number[] {
      const top = topId();
      while (!isStarted || top > high || (low > 0 && low > top - windowIds)) copySome();
      // A database that can't be read is reported by whatever reads it next.
      if (low > 0) copying ??= copyOlder().catch(() => {});
      return same.all(id.slice(0, 200), beforeId).map((row) => Number(row['id']));
    },
  };
}
