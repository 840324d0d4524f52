// What this app did to each monitor: when, from which account of this machine, which fields. Callbacks of the monitor received here
// appear between the edits. The newest 200 edits of a monitor are kept.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Clock, formatInstant } from '@rainbell/shared';
import { historyKinds, type MonitorHistoryEntry } from '@rainbell/contract/app-rpc';
import type { WriteGroup } from '../database/write-group.ts';

export type FieldChange = MonitorHistoryEntry['changes'][number];
export type EditKind = Exclude<MonitorHistoryEntry['kind'], 'callback'>;

export type MonitorHistory = ReturnType<typeof createMonitorHistory>;

const maxEdits = 200;
const shownCallbacks = 50;

const changesSchema = z
  .array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
  .catch([]);
const kindSchema = z.enum(historyKinds).catch('changed');

export function createMonitorHistory(dependencies: {
  db: DatabaseSync;
  clock: Clock;
  writes: WriteGroup;
  account: string;
}) {
  const { db, clock, writes, account } = dependencies;
  const insert = db.prepare(
    'INSERT INTO monitor_history (connection_id, monitor_id, at, kind, by, changes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const trim = db.prepare(
    `DELETE FROM monitor_history WHERE connection_id = ?1 AND monitor_id = ?2 AND id <=
       (SELECT id FROM monitor_history WHERE connection_id = ?1 AND monitor_id = ?2 ORDER BY id DESC LIMIT 1 OFFSET ${maxEdits})`,
  );
  const edits = db.prepare(
    'SELECT at, kind, by, changes FROM monitor_history WHERE connection_id = ? AND monitor_id = ? ORDER BY id DESC',
  );
  const callbacks = db.prepare(
    `SELECT id, received_at FROM callbacks WHERE monitor_id = ?
     AND NOT EXISTS (SELECT 1 FROM callback_deletions WHERE callback_id = callbacks.id) ORDER BY id DESC LIMIT ${shownCallbacks}`,
  );
  return {
    record(connectionId: string, monitorId: string, kind: EditKind, changes: readonly FieldChange[]) {
      const at = clock.now();
      writes.add(() => {
        insert.run(connectionId, monitorId, at, kind, account, JSON.stringify(changes));
        trim.run(connectionId, monitorId);
      });
    },
    /** Newest first. */
    of(connectionId: string, monitorId: string): MonitorHistoryEntry[] {
      writes.flush();
      const made = edits.all(connectionId, monitorId).map(toEdit);
      const received = callbacks.all(monitorId).map(toReceived);
      return [...made, ...received].toSorted((a, b) => b.at.localeCompare(a.at));
    },
  };
}

function toEdit(row: Record<string, unknown>): MonitorHistoryEntry {
  return {
    at: formatInstant(Number(row['at'])),
    kind: kindSchema.parse(row['kind']),
    by: String(row['by']),
    changes: changesSchema.parse(JSON.parse(String(row['changes']))),
    callbackId: null,
  };
}

function toReceived(row: Record<string, unknown>): MonitorHistoryEntry {
  const at = formatInstant(Number(row['received_at']));
  return { at, kind: 'callback', by: null, changes: [], callbackId: Number(row['id']) };
}
