// Stores the position in each connection's feed, and which events the app has. Written in the transaction that stores the
// callbacks, so a killed process neither loses nor repeats an event.
import type { DatabaseSync } from 'node:sqlite';
import { inboxIdPrefix } from '@rainbell/contract/service-api';
import type { FeedProgress, ReceivedCallback } from '../requests/received-callback.ts';

/** The origin of a callback received by the feed. `occurredAt` is by the service's clock, in epoch milliseconds. */
export type FeedOrigin = { connectionId: string; eventId: string; occurredAt: number };

/** The service keeps events for 30 days; a cursor that it does not know makes it repeat some. */
const retentionMs = 40 * 24 * 3_600_000;

/** Cursors are documents with this before the connection's ID. */
const cursorName = 'feed cursor ';

export function createFeedStore(db: DatabaseSync) {
  const known = db.prepare('SELECT 1 FROM feed_events WHERE connection_id = ? AND event_id = ?');
  const insert = db.prepare(
    'INSERT INTO feed_events (connection_id, event_id, occurred_at, stored_at, callback_id) VALUES (?, ?, ?, ?, ?)',
  );
  const setCursor = db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)');
  const forgetOld = db.prepare('DELETE FROM feed_events WHERE callback_id IS NULL AND stored_at < ?');
  return {
    /** Those whose events are not stored yet, each event once. */
    newOf(batch: readonly ReceivedCallback[], connectionId: string): ReceivedCallback[] {
      const seen = new Set<string>();
      return batch.filter(({ feedEvent }) => {
        const id = feedEvent?.id ?? '';
        if (seen.has(id) || known.get(connectionId, id)) return false;
        seen.add(id);
        return true;
      });
    },
    /** `firstId` is the first row's; the others follow. To be called in a transaction. */
    add(rows: readonly ReceivedCallback[], firstId: number, { connectionId, source, cursor }: FeedProgress) {
      rows.forEach(({ feedEvent, receivedAt }, index) => {
        if (feedEvent) insert.run(connectionId, feedEvent.id, feedEvent.occurredAt, receivedAt, firstId + index);
      });
      setCursor.run(cursorName + connectionId, JSON.stringify({ source, cursor }));
      const newest = rows.at(-1);
      if (newest) forgetOld.run(newest.receivedAt - retentionMs);
    },
  };
}

/** Reads the origin of one callback; undefined if it is not an event of the service. */
export function createFeedOriginReader(db: DatabaseSync): (callbackId: number) => FeedOrigin | undefined {
  const one = db.prepare(
    `SELECT connection_id, event_id, occurred_at FROM feed_events WHERE callback_id = ? AND event_id NOT GLOB '${inboxIdPrefix}*'`,
  );
  return (callbackId) => {
    const row = one.get(callbackId);
    return (
      row && {
        connectionId: String(row['connection_id']),
        eventId: String(row['event_id']),
        occurredAt: Number(row['occurred_at']),
      }
    );
  };
}

/** The cursors, for the thread that queries the service. */
export function createFeedCursors(db: DatabaseSync) {
  const one = db.prepare("SELECT json ->> 'cursor' AS cursor FROM documents WHERE name = ? AND json ->> 'source' = ?");
  // Those of services that the command line names begin so (command-line/session/user-tokens.ts).
  const remove = db.prepare(
    `DELETE FROM documents WHERE name GLOB '${cursorName}*' AND name NOT GLOB '${cursorName}command-*'
     AND substr(name, ${cursorName.length + 1}) NOT IN (SELECT value FROM json_each(?))`,
  );
  return {
    /** Undefined before the first request. An empty one: from the oldest event. */
    of(connectionId: string, source: string): string | undefined {
      const row = one.get(cursorName + connectionId, source);
      return row && String(row['cursor']);
    },
    /** Deletes those of connections that no longer exist. */
    deleteExcept: (connectionIds: readonly string[]) => void remove.run(JSON.stringify(connectionIds)),
  };
}
