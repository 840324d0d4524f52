// What tests of stored monitor data and bulk actions begin with: a real database, a connection, and tasks.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { connectionDouble } from '../connection-double.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const now = Date.UTC(2026, 10, 23, 12);
export const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

export function openDatabase() {
  const clock = createManualClock(now);
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  onTestFinished(() => database.close());
  return { db: database.db, clock };
}

export function connectionOf(id: string) {
  const state = { held: 0 };
  const connection = connectionDouble(id, {
    hold() {
      state.held += 1;
      return () => void (state.held -= 1);
    },
  });
  return { connection, state };
}

export const notesTask = (id: string, name = id): BulkTask => ({
  kind: 'notes',
  id,
  notes: { name, tags: [], note: '' },
});
export const testTask = (id: string): BulkTask => ({ kind: 'test', id });
