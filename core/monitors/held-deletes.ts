// Deletes that can still be undone, in app.sqlite: after a crash they are neither sent nor lost, and the user decides.
import type { DatabaseSync } from 'node:sqlite';
import type { WriteGroup } from '../database/write-group.ts';

export type HeldDeletes = ReturnType<typeof createHeldDeletes>;

export function createHeldDeletes(db: DatabaseSync, writes: WriteGroup) {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO held_deletes (connection_id, monitor_id) SELECT ?, value FROM json_each(?)',
  );
  const remove = db.prepare(
    'DELETE FROM held_deletes WHERE connection_id = ? AND monitor_id IN (SELECT value FROM json_each(?))',
  );
  const all = db.prepare('SELECT connection_id, monitor_id FROM held_deletes');
  return {
    add: (connectionId: string, monitorIds: readonly string[]): void =>
      void insert.run(connectionId, JSON.stringify(monitorIds)),
    remove: (connectionId: string, monitorIds: readonly string[]): void =>
      void remove.run(connectionId, JSON.stringify(monitorIds)),
    /** Removes one that was sent, with others: a crash before that leaves a mark on a monitor that the service no longer has. */
    removeSoon: (connectionId: string, monitorId: string): void =>
      writes.add(() => void remove.run(connectionId, JSON.stringify([monitorId]))),
    all: (): { connectionId: string; monitorId: string }[] =>
      all.all().map((row) => ({ connectionId: String(row['connection_id']), monitorId: String(row['monitor_id']) })),
  };
}
