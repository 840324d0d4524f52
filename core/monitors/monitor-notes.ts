// Stores the user's names, tags, and notes of monitors. The interface has no field for them (docs/interface.md §2.2), so they stay
// in app.sqlite, by connection; a monitor without any has no row.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { MonitorNotes } from '@rainbell/contract/app-rpc';
import { runInTransaction } from '../database/transaction.ts';

export type MonitorNotesStore = ReturnType<typeof createMonitorNotes>;

export const noNotes: MonitorNotes = { name: '', tags: [], note: '' };

export function isEmptyNotes({ name, tags, note }: MonitorNotes): boolean {
  return name === '' && tags.length === 0 && note === '';
}

const tagsSchema = z.array(z.string()).catch([]);

export function createMonitorNotes(db: DatabaseSync) {
  const all = db.prepare('SELECT monitor_id, name, tags, note FROM monitor_notes WHERE connection_id = ?');
  const one = db.prepare('SELECT name, tags, note FROM monitor_notes WHERE connection_id = ? AND monitor_id = ?');
  const write = db.prepare('INSERT OR REPLACE INTO monitor_notes VALUES (?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM monitor_notes WHERE connection_id = ? AND monitor_id = ?');
  function set(connectionId: string, monitorId: string, written: MonitorNotes): void {
    const { name, tags, note } = written;
    if (isEmptyNotes(written)) remove.run(connectionId, monitorId);
    else write.run(connectionId, monitorId, name, JSON.stringify([...new Set(tags)]), note);
  }
  return {
    of: (connectionId: string): ReadonlyMap<string, MonitorNotes> =>
      new Map(all.all(connectionId).map((row) => [String(row['monitor_id']), toNotes(row)])),
    get(connectionId: string, monitorId: string): MonitorNotes | undefined {
      const row = one.get(connectionId, monitorId);
      return row && toNotes(row);
    },
    set,
    /** In one transaction. */
    setAll: (connectionId: string, notes: ReadonlyMap<string, MonitorNotes>): void =>
      runInTransaction(db, () => notes.forEach((written, monitorId) => set(connectionId, monitorId, written))),
  };
}

function toNotes(row: Record<string, unknown>): MonitorNotes {
  const tags = tagsSchema.parse(JSON.parse(String(row['tags'])));
  return { name: String(row['name']), tags, note: String(row['note']) };
}
