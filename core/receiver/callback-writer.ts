// Writes callbacks into app.sqlite, a batch per transaction, with the counters in the same transaction. Only the
// receiver's thread writes; the ids it gives grow by one and are never used again.
import type { DatabaseSync } from 'node:sqlite';

/** A request as received: `rawHeaders` holds names and values in turn, in order and with duplicates. */
export type ReceivedCallback = {
  receivedAt: number;
  method: string;
  target: string;
  httpVersion: string;
  remoteAddress: string;
  rawHeaders: readonly string[];
  body: Buffer;
  truncated: boolean;
  answeredStatus: number;
};

export type CallbackCounters = { newestId: number; total: number; bytes: number };

export type CallbackWriter = {
  readonly counters: Readonly<CallbackCounters>;
  /** All or none, on disk when it returns. Throws what SQLite throws. */
  append: (batch: readonly ReceivedCallback[]) => void;
  /** Removes the oldest callbacks, at most `count`; answers how many went. */
  dropOldest: (count: number) => number;
  /** When the oldest was received; undefined where there is none. */
  oldestReceivedAt: () => number | undefined;
};

export function createCallbackWriter(db: DatabaseSync): CallbackWriter {
  const insert = db.prepare(
    `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, truncated,
       size_bytes, monitor_id, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setCounters = db.prepare('UPDATE callback_counters SET newest_id = ?, total = ?, bytes = ?');
  const oldest = db.prepare(
    'SELECT max(id) AS id, count(*) AS total, sum(size_bytes) AS bytes FROM (SELECT id, size_bytes FROM callbacks ORDER BY id LIMIT ?)',
  );
  const oldestInstant = db.prepare('SELECT received_at FROM callbacks ORDER BY id LIMIT 1');
  const removeThrough = db.prepare('DELETE FROM callbacks WHERE id <= ?');
  let counters = readCounters(db);

  function inTransaction(write: (next: CallbackCounters) => void): void {
    const next = { ...counters };
    db.exec('BEGIN IMMEDIATE');
    try {
      write(next);
      setCounters.run(next.newestId, next.total, next.bytes);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    counters = next;
  }

  function insertRow(id: number, row: ReceivedCallback): void {
    insert.run(
      id,
      row.receivedAt,
      row.method,
      row.target,
      row.httpVersion,
      row.remoteAddress,
      row.answeredStatus,
      row.truncated ? 1 : 0,
      row.body.length,
      monitorIdIn(row.body),
      JSON.stringify(row.rawHeaders),
      row.body,
    );
  }

  return {
    get counters() {
      return counters;
    },
    append(batch) {
      inTransaction((next) => {
        for (const row of batch) {
          next.newestId += 1;
          next.total += 1;
          next.bytes += row.body.length;
          insertRow(next.newestId, row);
        }
      });
    },
    dropOldest(count) {
      let dropped = 0;
      inTransaction((next) => {
        const slice = oldest.get(count);
        dropped = Number(slice?.['total'] ?? 0);
        if (dropped === 0) return;
        removeThrough.run(Number(slice?.['id']));
        next.total -= dropped;
        next.bytes -= Number(slice?.['bytes']);
      });
      return dropped;
    },
    oldestReceivedAt() {
      const row = oldestInstant.get();
      return row && Number(row['received_at']);
    },
  };
}

/** The counters as stored. */
export function readCounters(db: DatabaseSync): CallbackCounters {
  const row = db.prepare('SELECT newest_id, total, bytes FROM callback_counters').get();
  return { newestId: Number(row?.['newest_id']), total: Number(row?.['total']), bytes: Number(row?.['bytes']) };
}

const openingBrace = 0x7b;

/** A Monitor with the longest callback address is a quarter of this; a longer body is not parsed while its sender waits. */
const longestMonitorBytes = 16 * 1024;

/** The `id` of a JSON object; null where the body is something else. Looks for the member before it parses at all. */
export function monitorIdIn(body: Buffer): string | null {
  if (body[0] !== openingBrace || body.length > longestMonitorBytes || !body.includes('"id"')) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? value.id.slice(0, 200)
      : null;
  } catch {
    return null;
  }
}
