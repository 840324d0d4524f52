// The state of the data folder's databases for the user: damage reports that are not acknowledged, and damage found while the app
// runs. Once app.sqlite is damaged, nothing more is stored until the next start opens a copy.
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Clock, type DamageReport, isDamage } from '@rainbell/shared';
import { acknowledgeReport, databasesIn, readReports, reportFound } from '@rainbell/shared/node';
import { AppFailure } from '../errors/app-failure.ts';
import type { Log } from '../ports/log.ts';

type StorageStateOptions = {
  db: DatabaseSync;
  file: string;
  clock: Clock;
  log: Log;
  onChanged: () => void;
  onDamage: () => void;
};

const lookIntervalMs = 30_000;

export function createStorageState({ db, file, clock, log, onChanged, onDamage }: StorageStateOptions) {
  const databases = databasesIn(dirname(file));
  let reports = readReports(databases);
  let found: DamageReport | undefined;

  function refresh(): void {
    const next = readReports(databases);
    const isSame = JSON.stringify(next) === JSON.stringify(reports);
    reports = next;
    if (!isSame) onChanged();
  }

  function foundDamage(detail: string): void {
    if (found) return;
    found = reportFound(file, detail, clock);
    refresh();
    onDamage();
    onChanged();
  }

  watchStatements(db, (error) => {
    log.error({ err: error, database: file }, 'database damaged');
    // Not while the failed statement is still running.
    setImmediate(foundDamage, 'damaged pages were found while it was in use');
  });
  let cancelLook = clock.after(lookIntervalMs, look);

  /** The service beside the app reports damage through its file only. */
  function look(): void {
    refresh();
    cancelLook = clock.after(lookIntervalMs, look);
  }

  return {
    /** Oldest first. */
    reports: (): readonly DamageReport[] =>
      found && !reports.some(({ id }) => id === found?.id) ? [...reports, found] : reports,
    /** Whether app.sqlite was found damaged since the start. */
    isDamaged: (): boolean => found !== undefined,
    /** Throws NOT_FOUND if the report is gone, or waits for a restart. */
    acknowledge(id: string) {
      const isPending = reports.some((report) => report.id === id && report.state === 'pending');
      if (isPending || !acknowledgeReport(databases, id)) {
        throw new AppFailure('NOT_FOUND', 'This report no longer exists, or can’t be hidden until Rainbell restarts.', {
          field: 'id',
        });
      }
      refresh();
    },
    /** Reads the reports again, for instance after the service started. */
    refresh,
    /** Damage that another thread found. */
    foundDamage,
    close() {
      cancelLook();
    },
  };
}

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
