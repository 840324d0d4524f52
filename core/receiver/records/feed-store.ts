// The position in each connection's feed, and the events received from it. Both are written in the transaction that stores the callbacks,
// so a killed process neither loses nor repeats an event.
import type { DatabaseSync } from 'node:sqlite';
import { inboxIdPrefix } from '@rainbell/contract/service-api';
import type { FeedProgress, ReceivedCallback } from '../requests/received-callback.ts';

/** The origin of a callback received by the feed, in the column `feed`. `occurredAt` is by the service's clock, in epoch milliseconds. */
export type FeedOrigin = { connectionId: string; eventId: string; occurredAt: number };

/** Cursors are documents with this before the connection's ID. */
const cursorName = 'feed cursor ';

export function createFeedStore(db: DatabaseSync) {
  const known = db.prepare(
    `SELECT 1 FROM callbacks WHERE feed IS NOT NULL AND feed ->> 'eventId' = ? AND feed ->> 'connectionId' = ?`,
  );
  const setCursor = db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)');
  return {
    /** Those whose events are not stored yet, each event once: the service repeats some after a cursor that it does not know. */
    newOf(batch: readonly ReceivedCallback[], connectionId: string): ReceivedCallback[] {
      const seen = new Set<string>();
      return batch.filter(({ feedEvent }) => {
        const id = feedEvent?.id ?? '';
        if (seen.has(id) || known.get(id, connectionId)) return false;
        seen.add(id);
        return true;
      });
    },
    /** To be called in the transaction that stores the events. */
    save({ connectionId, source, cursor }: FeedProgress) {
      setCursor.run(cursorName + connectionId, JSON.stringify({ source, cursor }));
    },
  };
}

/** As stored. */
export function feedOriginOf(
  { id: eventId, occurredAt }: NonNullable<ReceivedCallback['feedEvent']>,
  { connectionId }: FeedProgress,
): string {
  return JSON.stringify({ connectionId, eventId, occurredAt } satisfies FeedOrigin);
}

/** Undefined if it is not an event of the service. */
export function readFeedOrigin(stored: unknown): FeedOrigin | undefined {
  const origin = typeof stored === 'string' ? (JSON.parse(stored) as FeedOrigin) : undefined;
  return origin?.eventId.startsWith(inboxIdPrefix) ? undefined : origin;
}

/** The cursors, for the thread that queries the service. */
export function createFeedCursors(db: DatabaseSync) {
  const one = db.prepare("SELECT json ->> 'cursor' AS cursor FROM documents WHERE name = ? AND json ->> 'source' = ?");
  return {
    /** Undefined before the first request. An empty one: from the oldest event. */
    of(connectionId: string, source: string): string | undefined {
      const row = one.get(cursorName + connectionId, source);
      return row && String(row['cursor']);
    },
  };
}
