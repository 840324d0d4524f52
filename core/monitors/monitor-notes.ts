// What a person wrote of monitors: names, tags, notes. The interface has no field for them (docs/interface.md §2.2), so
// they stay in app.sqlite, by connection; a monitor without any has no row.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { MonitorNotes } from '#contract/app-rpc/monitors.ts';

export type MonitorNotesStore = {
  of: (connectionId: string) => ReadonlyMap<string, MonitorNotes>;
  set: (connectionId: string, monitorId: string, notes: MonitorNotes) => void;
};

export const noNotes: MonitorNotes = { name: '', tags: [], note: '' };

const tagsSchema = z.array(z.string()).catch([]);

export function createMonitorNotes(db: DatabaseSync): MonitorNotesStore {
  const all = db.prepare('SELECT monitor_id, name, tags, note FROM monitor_notes WHERE connection_id = ?');
  const write = db.prepare('INSERT OR REPLACE INTO monitor_notes VALUES (?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM monitor_notes WHERE connection_id = ? AND monitor_id = ?');
  return {
    of: (connectionId) =>
      new Map(
        all.all(connectionId).map((row) => {
          const tags = tagsSchema.parse(JSON.parse(String(row['tags'])));
          return [String(row['monitor_id']), { name: String(row['name']), tags, note: String(row['note']) }];
        }),
      ),
    set(connectionId, monitorId, { name, tags, note }) {
      if (name === '' && tags.length === 0 && note === '') remove.run(connectionId, monitorId);
      else write.run(connectionId, monitorId, name, JSON.stringify([...new Set(tags)]), note);
    },
  };
}
