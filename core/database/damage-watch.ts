// Detects damage to app.sqlite while the app runs: from statements that fail, and by reading a large database in small steps after
// the start (a small one is checked when it is opened).
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import { isDamage } from '#shared/errors/storage-error.ts';

/** Reading a larger file as a whole would delay each start, so it is read in steps afterwards. */
export const checkedAtStartBytes = 16 * 1024 * 1024;

/** Calls `onDamage` for each statement of this connection that fails because the file is damaged. Rethrows the error. */
export function watchStatements(db: DatabaseSync, onDamage: (error: Error) => void): void {
  const watch = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && isDamage(error)) onDamage(error);
      throw error;
    }
  };
  const [prepare, exec] = [db.prepare.bind(db), db.exec.bind(db)];
  db.exec = (sql) => watch(() => exec(sql));
  db.prepare = (sql, ...options) =>
    watchStatement(
      watch(() => prepare(sql, ...options)),
      watch,
    );
}

function watchStatement(statement: StatementSync, watch: <Result>(work: () => Result) => Result): StatementSync {
  for (const name of ['all', 'get', 'run'] as const) {
    const original = statement[name].bind(statement) as (...values: unknown[]) => unknown;
    Object.assign(statement, { [name]: (...values: unknown[]) => watch(() => original(...values)) });
  }
  const iterate = statement.iterate.bind(statement) as (...values: unknown[]) => NodeJS.Iterator<unknown>;
  Object.assign(statement, {
    *iterate(...values: unknown[]) {
      const rows = watch(() => iterate(...values));
      try {
        for (let row = watch(() => rows.next()); row.done !== true; row = watch(() => rows.next())) yield row.value;
      } finally {
        // A reader that stops early must end the statement: until then, all reads of this connection see its snapshot.
        rows.return?.();
      }
    },
  });
  return statement;
}

const rowsPerStep = 500;
const pauseMs = 20;

/** Reads a large database once, some rows at a time; the statements report damage. Returns a function that stops it. */
export function readThrough(db: DatabaseSync, file: string, clock: Clock): () => void {
  if (statSync(file).size <= checkedAtStartBytes) return () => {};
  const steps = stepsThrough(db);
  let cancelTimer = clock.after(pauseMs, next);
  function next(): void {
    try {
      if (steps.next().done !== true) cancelTimer = clock.after(pauseMs, next);
    } catch (error) {
      // Damage has been reported by the statement, and a lock is gone at the next start.
      if (!(error instanceof Error)) throw error;
    }
  }
  return () => cancelTimer();
}

/** Walks the leaves of each table with rowids; the pages of long values beside them stay unread. */
function* stepsThrough(db: DatabaseSync): Generator<void> {
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT wr")
    .all();
  for (const { name } of tables) {
    const table = `"${String(name).replaceAll('"', '""')}"`;
    const step = db.prepare(
      `SELECT max(rowid) AS last FROM (SELECT rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsPerStep})`,
    );
    for (let last: unknown = 0; last !== null; last = step.get(Number(last))?.['last'] ?? null) yield;
  }
}
