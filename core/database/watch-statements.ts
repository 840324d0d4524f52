// Detects damage to app.sqlite while the app runs, from statements that fail.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamage } from '@rainbell/shared';

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
