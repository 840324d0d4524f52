// The action on many monitors in app.sqlite, with how each task is undone: what a crash interrupts can be continued or undone after
// the next start. There is one at most.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type BulkTask, bulkTaskSchema } from '@rainbell/contract/app-rpc';
import { runInTransaction } from '../database/transaction.ts';

/** `sent`: its result is pending, or unknown for good if it is still `sent` at start. */
export const bulkStates = ['waiting', 'sent', 'done', 'failed', 'stopped', 'unknown'] as const;
export type BulkState = (typeof bulkStates)[number];

export type BulkEntry = {
  task: BulkTask;
  state: BulkState;
  message: string;
  trafficId: number | undefined;
  /** What undoes the task; undefined if nothing does. */
  inverse: BulkTask | undefined;
};

export type StoredRun = { title: string; connectionId: string; entries: BulkEntry[] };

export type BulkStore = ReturnType<typeof createBulkStore>;

const rowSchema = z.object({
  task: z.string(),
  inverse: z.string().nullable(),
  state: z.enum(bulkStates),
  message: z.string(),
  exchange_id: z.int().nullable(),
});

export function createBulkStore(db: DatabaseSync) {
  const statements = {
    run: db.prepare('SELECT title, connection_id FROM bulk_run'),
    entries: db.prepare('SELECT task, inverse, state, message, exchange_id FROM bulk_tasks ORDER BY place'),
    insertRun: db.prepare('INSERT INTO bulk_run (title, connection_id) VALUES (?, ?)'),
    insert: db.prepare(
      'INSERT INTO bulk_tasks (place, task, inverse, state, message, exchange_id) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    update: db.prepare('UPDATE bulk_tasks SET inverse = ?, state = ?, message = ?, exchange_id = ? WHERE place = ?'),
  };
  const empty = () => db.exec('DELETE FROM bulk_tasks; DELETE FROM bulk_run;');
  return {
    /** Undefined if there is none, or if it cannot be read. */
    read(): StoredRun | undefined {
      const run = statements.run.get();
      if (!run) return undefined;
      try {
        const entries = z.array(rowSchema).parse(statements.entries.all()).map(toEntry);
        return { title: String(run['title']), connectionId: String(run['connection_id']), entries };
      } catch {
        return undefined;
      }
    },
    replace({ title, connectionId, entries }: StoredRun) {
      runInTransaction(db, () => {
        empty();
        statements.insertRun.run(title, connectionId);
        entries.forEach((entry, place) => {
          const { task, inverse, state, message, trafficId } = entry;
          statements.insert.run(place, JSON.stringify(task), textOf(inverse), state, message, trafficId ?? null);
        });
      });
    },
    /** Writes how these entries of the stored run are, by their places. */
    save(places: readonly number[], entries: readonly BulkEntry[]) {
      runInTransaction(db, () => {
        for (const place of places) {
          const entry = entries[place];
          if (!entry) continue;
          const { inverse, state, message, trafficId } = entry;
          statements.update.run(textOf(inverse), state, message, trafficId ?? null, place);
        }
      });
    },
    clear: (): void => runInTransaction(db, empty),
  };
}

function textOf(task: BulkTask | undefined): string | null {
  return task === undefined ? null : JSON.stringify(task);
}

function toEntry({ task, inverse, state, message, exchange_id: trafficId }: z.infer<typeof rowSchema>): BulkEntry {
  return {
    task: bulkTaskSchema.parse(JSON.parse(task)),
    inverse: inverse === null ? undefined : bulkTaskSchema.parse(JSON.parse(inverse)),
    state,
    message,
    trafficId: trafficId ?? undefined,
  };
}
