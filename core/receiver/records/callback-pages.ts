// Reads stored callbacks by key (never by offset), so the millionth page is as quick as the first. Those that are hidden
// until their deletion is final are left out.
import type { DatabaseSync } from 'node:sqlite';
import { isDamage } from '@rainbell/shared';
import {
  type CallbackFacts,
  callbackTable,
  type StoredCallback,
  summaryColumns,
  toFacts,
  toStored,
  wholeColumns,
} from './stored-callback.ts';

/** How many callbacks of the same monitor to compare with one. */
export const earlierLimit = 20;

/** Which rows of the store; both ends are left out themselves. */
export type RowRange = { beforeId?: number | undefined; afterId?: number | undefined };

/** A condition of SQL over the columns of `filterColumns`, with its values. */
export type RowFilter = { sql: string; values: readonly (string | number)[] };

/** Rows in a range that fit a condition. */
export type RowPiece = { range: RowRange; filter: RowFilter };

export type CallbackPages = ReturnType<typeof createCallbackPages>;

/** A condition on `callbacks.id`. */
export const isShown =
  'NOT EXISTS (SELECT 1 FROM callback_deletions WHERE callback_deletions.callback_id = callbacks.id)';

/** Finds all. */
export const everyRow: RowFilter = { sql: 'TRUE', values: [] };

export function createCallbackPages(db: DatabaseSync) {
  const page = db.prepare(
    `SELECT ${summaryColumns} FROM ${callbackTable} WHERE id < ? AND ${isShown} ORDER BY id DESC LIMIT ?`,
  );
  const one = db.prepare(`SELECT ${wholeColumns} FROM ${callbackTable} WHERE id = ? AND ${isShown}`);
  // One value is quicker to read than many rows.
  const earlier = db.prepare(
    `SELECT json_group_array(id) AS ids FROM
       (SELECT id FROM callbacks WHERE monitor_id = ? AND id < ? ORDER BY id DESC LIMIT ${earlierLimit})`,
  );
  // An episode has four events at most, and each may be retried.
  const around = db.prepare(
    `SELECT id FROM (SELECT id FROM callbacks WHERE monitor_id = :monitor AND id <= :id ORDER BY id DESC LIMIT 50) UNION ALL
     SELECT id FROM (SELECT id FROM callbacks WHERE monitor_id = :monitor AND id > :id ORDER BY id LIMIT 50) ORDER BY id`,
  );
  const file = db.location() ?? '';
  // A statement for each reading, because a second reader of the same one would end the first.
  const select = (columns: string, { sql }: RowFilter, order = '') =>
    db.prepare(`SELECT ${columns} FROM ${callbackTable} WHERE id < ? AND id > ? AND ${isShown} AND ${sql} ${order}`);
  // One statement sees one moment.
  const counts = db.prepare(
    `SELECT newest_id, total - (SELECT count(*) FROM callback_deletions) AS total FROM callback_counters WHERE endpoint_id = ''`,
  );
  let known = { newestId: 0, total: 0 };
  return {
    /** Of what is shown, as it is stored at this moment; of a damaged store the last ones, because the status has them. */
    counts(): { newestId: number; total: number } {
      try {
        const row = counts.get();
        known = { newestId: Number(row?.['newest_id']), total: Number(row?.['total']) };
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
      return known;
    },
    page: ({ beforeId, limit }: { beforeId: number | undefined; limit: number }): CallbackFacts[] =>
      page.all(beforeId ?? Number.MAX_SAFE_INTEGER, limit).map(toFacts),
    get(id: number): StoredCallback | undefined {
      const row = one.get(id);
      return row && toStored(row, file);
    },
    /** Whole rows one after the other, newest first unless `oldestFirst`. Read on while nothing else is written. */
    *rows(
      range: RowRange,
      order: 'newestFirst' | 'oldestFirst' = 'newestFirst',
      filter: RowFilter = everyRow,
    ): Iterable<StoredCallback> {
      const rows = select(wholeColumns, filter, `ORDER BY id ${order === 'newestFirst' ? 'DESC' : 'ASC'}`);
      for (const row of rows.iterate(...bounds(range), ...filter.values)) yield toStored(row, file);
    },
    /** How many rows there are. */
    count: (range: RowRange, filter: RowFilter): number =>
      Number(select('count(*) AS count', filter).get(...bounds(range), ...filter.values)?.['count']),
    /** All IDs, ordered by an SQL expression over the columns of `filterColumns`; newest first among equal ones. */
    ids: (range: RowRange, filter: RowFilter, key: string): number[] =>
      select('id', filter, `ORDER BY ${key}, id DESC`)
        .all(...bounds(range), ...filter.values)
        .map((row) => Number(row['id'])),
    /** IDs of previous callbacks of the same monitor, newest first, at most `earlierLimit`. */
    earlierOf: ({ id, monitorId }: Pick<StoredCallback, 'id' | 'monitorId'>): number[] =>
      monitorId === null ? [] : (JSON.parse(String(earlier.get(monitorId, id)?.['ids'])) as number[]),
    /** IDs of this callback and those of the same monitor around it, oldest first. */
    around: ({ id, monitorId }: Pick<StoredCallback, 'id' | 'monitorId'>): number[] =>
      around.all({ id, monitor: monitorId }).map((row) => Number(row['id'])),
  };
}

/** For `id < ? AND id > ?`. */
export function bounds({ beforeId, afterId }: RowRange): [number, number] {
  return [beforeId ?? Number.MAX_SAFE_INTEGER, afterId ?? 0];
}
