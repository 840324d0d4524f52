// Kysely over node:sqlite. Transactions begin IMMEDIATE, so two processes on one file wait for each other instead of
// failing half way, and migrations run inside one transaction, which SQLite can do.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';

const statementLimit = 500;

type Bindable = null | number | bigint | string | NodeJS.ArrayBufferView;

/** `supportsTransactionalDdl` is what makes Kysely's migrator take the write lock before it looks what is to be done. */
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

export function nodeSqliteDialect(database: DatabaseSync): NodeSqliteDialect {
  return new NodeSqliteDialect({ database: kyselyDatabase(database) });
}

function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = kyselyStatement(database, sql === 'begin' ? 'begin immediate' : sql);
      if (statements.size >= statementLimit) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function kyselyStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement: StatementSync = database.prepare(sql);
  const bound = (parameters: readonly unknown[]) => parameters as readonly Bindable[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bound(parameters)),
    run: (parameters) => statement.run(...bound(parameters)),
    // A statement of its own, since a running iteration must not be reset by the next use of the cached one.
    iterate: (parameters) => database.prepare(sql).iterate(...bound(parameters)),
  };
}
