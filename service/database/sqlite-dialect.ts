// Kysely over node:sqlite. Transactions start IMMEDIATE, so two processes on one file wait for each other instead of failing
// halfway, and migrations run inside one transaction, which SQLite supports.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { isDamage } from '@rainbell/shared';

const statementLimit = 500;

/** Our other processes release a lock within milliseconds. */
export const lockTimeoutMs = 1_000;
const impatientMs = 20;

type Bindable = null | number | bigint | string | NodeJS.ArrayBufferView;

/** `supportsTransactionalDdl` makes Kysely's migrator take the write lock before it checks what is pending. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** `damage`: called if SQLite finds the file damaged. While it is noted there, reads continue and all writes fail. */
export function nodeSqliteDialect(database: DatabaseSync, damage: DamageNote = { note: () => {} }): NodeSqliteDialect {
  return new NodeSqliteDialect({ database: kyselyDatabase(database, damage) });
}

export type DamageNote = { found?: Error; note: (error: Error) => void };

type Attempt = <Result>(work: () => Result) => Result;

/** A wait for a lock blocks everything, so while another program holds one, only the first write waits for it. */
function patientWrites(database: DatabaseSync): Attempt {
  const waitAtMost = (milliseconds: number) => database.exec(`PRAGMA busy_timeout = ${milliseconds}`);
  let isLocked = false;
  return (work) => {
    try {
      const result = work();
      if (isLocked) waitAtMost(lockTimeoutMs);
      isLocked = false;
      return result;
    } catch (error) {
      if (!isLocked && isLock(error)) waitAtMost(impatientMs);
      isLocked ||= isLock(error);
      throw error;
    }
  };
}

function isLock(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === busy;
}

/** Tracks damage: a damaged database accepts no writes, because confirmed data may be lost. */
function guardAgainstDamage(attempt: Attempt, damage: DamageNote): { read: Attempt; write: Attempt } {
  const read: Attempt = (work) => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && isDamage(error)) damage.note(error);
      throw error;
    }
  };
  return {
    read,
    write(work) {
      if (damage.found) throw damage.found;
      return attempt(() => read(work));
    },
  };
}

type Guarded = ReturnType<typeof guardAgainstDamage>;

function kyselyDatabase(database: DatabaseSync, damage: DamageNote): SqliteDatabase {
  const attempts = guardAgainstDamage(patientWrites(database), damage);
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = kyselyStatement(database, sql === 'begin' ? 'begin immediate' : sql, attempts);
      if (statements.size >= statementLimit) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function kyselyStatement(database: DatabaseSync, sql: string, attempts: Guarded): SqliteStatement {
  const statement: StatementSync = attempts.read(() => database.prepare(sql));
  const isEnd = sql === 'rollback';
  const attempt = isEnd || /^\s*(select|pragma)\b/i.test(sql) ? attempts.read : attempts.write;
  const bound = (parameters: readonly unknown[]) => parameters as readonly Bindable[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => attempt(() => statement.all(...bound(parameters))),
    run(parameters) {
      // SQLite rolls back on a full disk; a second rollback would replace that error with its own.
      if (isEnd && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 };
      return attempt(() => statement.run(...bound(parameters)));
    },
    // A separate statement, because the next use of the cached one would reset a running iteration.
    iterate: (parameters) => database.prepare(sql).iterate(...bound(parameters)),
  };
}
