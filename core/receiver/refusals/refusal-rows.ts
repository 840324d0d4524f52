// Stores the reason of each refused request, and how many were only counted.
import type { DatabaseSync } from 'node:sqlite';
import type { RefusalReason } from '@rainbell/contract/app-rpc';
import type { MoreRefusals } from './refusal-log.ts';

/** The newest are kept. */
const maxRefusals = 5000;
/** This many more are allowed, so that not every refused request deletes another one. */
const excessRefusals = 500;

export function createRefusalRows(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO callback_refusals (callback_id, reason, count, last_at) VALUES (?, ?, 1, ?)');
  const addCount = db.prepare(
    `UPDATE callback_refusals SET count = count + ?, last_at = max(last_at, ?)
     WHERE callback_id = (SELECT max(callback_id) FROM callback_refusals WHERE reason = ?)`,
  );
  const oldest = db.prepare('SELECT callback_id AS id FROM callback_refusals ORDER BY callback_id LIMIT ?');
  const countAll = db.prepare('SELECT count(*) AS count FROM callback_refusals');
  const count = () => Number(countAll.get()?.['count']);
  let stored = count();
  return {
    add(id: number, reason: RefusalReason, at: number) {
      insert.run(id, reason, at);
      stored += 1;
    },
    /** Adds to the newest with these reasons. */
    addCounts(more: readonly MoreRefusals[]) {
      for (const entry of more) addCount.run(entry.count, entry.lastAt, entry.reason);
    },
    /** IDs of the oldest above the limit, because refused requests must not displace callbacks. */
    excess: (): number[] =>
      stored <= maxRefusals + excessRefusals ? [] : oldest.all(stored - maxRefusals).map((row) => Number(row['id'])),
    /** Call it when rows were removed. */
    recount() {
      stored = count();
    },
  };
}
