// Names, tags, and notes of monitors, which are in the app's database (core/monitors/monitor-notes.ts), for the connection of a
// command. The app may have the database open: a short write of another process does no harm.
import { existsSync } from 'node:fs';
import type { Clock } from '@rainbell/shared';
import { connectAppDatabase, createMonitorNotes, type MonitorNotesStore } from '@rainbell/core';
import { openUnlessInUse, storeFile } from './receiver-session.ts';

/** Runs a function with the notes of a connection, whatever the command calls it. Throws AppFailure STORAGE. */
export async function withStoredNotes<Result>(
  { dataFolder, clock, connectionId }: { dataFolder: string; clock: Clock; connectionId: string },
  run: (notes: MonitorNotesStore) => Promise<Result>,
): Promise<Result> {
  const own = openUnlessInUse({ dataFolder, clock });
  const db = own?.db ?? (existsSync(storeFile(dataFolder)) ? connectAppDatabase(storeFile(dataFolder)) : undefined);
  if (!db) throw new Error('Another Rainbell process is using the data folder, but has no database there.');
  try {
    const notes = createMonitorNotes(db);
    return await run({
      of: () => notes.of(connectionId),
      get: (_id, monitorId) => notes.get(connectionId, monitorId),
      set: (_id, monitorId, written) => notes.set(connectionId, monitorId, written),
      setAll: (_id, written) => notes.setAll(connectionId, written),
    });
  } finally {
    if (own) own.close();
    else db.close();
  }
}
