// Removes callbacks with all data that belong to them, inside the caller's transaction, and returns by how much the counters drop.
import type { DatabaseSync } from 'node:sqlite';

/** `segments`: whose bodies were among the removed. */
export type Removed = { total: number; bytes: number; segments: number[] };

export type CallbackRemoval = (ids: readonly number[]) => Removed;

/** As JSON; no head of 16 KB is longer. */
export const longHeadBytes = 34 * 1024;

/** What a row counts for in the limit of kept bytes: its body, and a long head. */
export const storedBytes = `size_bytes + CASE WHEN octet_length(headers) > ${longHeadBytes} THEN octet_length(headers) ELSE 0 END`;

const chosen = 'IN (SELECT value FROM json_each(?))';

export function createCallbackRemoval(db: DatabaseSync): CallbackRemoval {
  const sum = db.prepare(`SELECT count(*) AS total, sum(${storedBytes}) AS bytes FROM callbacks WHERE id ${chosen}`);
  const uncountEndpoints = db.prepare(
    `UPDATE endpoint_counters SET total = endpoint_counters.total - gone.total, bytes = endpoint_counters.bytes - gone.bytes
     FROM (SELECT endpoint_id, count(*) AS total, sum(size_bytes) AS bytes
       FROM endpoint_callbacks WHERE callback_id ${chosen} GROUP BY 1) AS gone
     WHERE endpoint_counters.endpoint_id = gone.endpoint_id`,
  );
  const segments = db.prepare(`SELECT DISTINCT segment FROM callback_bodies WHERE callback_id ${chosen}`);
  // Written with the deletion itself, so that a crash before the file is gone does not make it look lost.
  const noteRemoved = db.prepare(
    `INSERT OR IGNORE INTO removed_segments SELECT value FROM json_each(?)
     WHERE value NOT IN (SELECT segment FROM callback_bodies)`,
  );
  const deletions = [
    `DELETE FROM callback_bodies WHERE callback_id ${chosen}`,
    `DELETE FROM endpoint_callbacks WHERE callback_id ${chosen}`,
    `DELETE FROM callback_notes WHERE callback_id ${chosen}`,
    `DELETE FROM callback_sends WHERE callback_id ${chosen}`,
    `DELETE FROM callback_deletions WHERE callback_id ${chosen}`,
    `DELETE FROM callback_refusals WHERE callback_id ${chosen}`,
    `DELETE FROM callback_trailers WHERE callback_id ${chosen}`,
    `DELETE FROM callback_heads WHERE callback_id ${chosen}`,
    `DELETE FROM callback_deliveries WHERE callback_id ${chosen}`,
    `UPDATE feed_events SET callback_id = NULL WHERE callback_id ${chosen}`,
    `DELETE FROM callbacks WHERE id ${chosen}`,
  ].map((sql) => db.prepare(sql));

  const responses = db.prepare(
    `SELECT DISTINCT answer_id FROM callback_outcomes WHERE callback_id ${chosen} AND answer_id IS NOT NULL`,
  );
  const removeOutcomes = db.prepare(`DELETE FROM callback_outcomes WHERE callback_id ${chosen}`);
  // Those of other callbacks share a row; it goes when all callbacks up to its end are gone.
  const dropPlainOutcomes = db.prepare(
    `DELETE FROM plain_outcomes WHERE first_id < (SELECT min(id) FROM callbacks)
     AND first_id + plain_outcomes.count <= (SELECT min(id) FROM callbacks)`,
  );
  const removeResponses = db.prepare(
    `DELETE FROM callback_answers WHERE id ${chosen}
     AND NOT EXISTS (SELECT 1 FROM callback_outcomes WHERE answer_id = callback_answers.id)`,
  );

  return (ids) => {
    const list = JSON.stringify(ids);
    const row = sum.get(list);
    const touched = segments.all(list).map(({ segment }) => Number(segment));
    uncountEndpoints.run(list);
    for (const deletion of deletions) deletion.run(list);
    dropPlainOutcomes.run();
    const unused = responses.all(list).map((row) => Number(row['answer_id']));
    removeOutcomes.run(list);
    removeResponses.run(JSON.stringify(unused));
    noteRemoved.run(JSON.stringify(touched));
    return { total: Number(row?.['total'] ?? 0), bytes: Number(row?.['bytes'] ?? 0), segments: touched };
  };
}
