// Tables of what all processes on one PostgreSQL count together (fleet-counters.ts, shared-pauses.ts). A process on SQLite uses
// neither.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export type LimitTables = {
  counters: {
    key: string;
    /** When the window ends, in milliseconds. */
    ends_at: number;
    used: number;
  };
  /** Hosts and providers that get no requests for a while. */
  pauses: {
    /** `host` or `provider`. */
    kind: string;
    name: string;
    /** 0: it answers again. */
    failures: number;
    /** By the lease clock; null in rows of earlier versions. */
    failing_since: number | null;
    rest_ms: number;
    /** By the lease clock. */
    rests_until: number;
    reason: string;
    changed_at: number;
    /** The process that wrote it. */
    writer: string;
  };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends LimitTables {}
}

export const limitMigrations: Readonly<Record<string, Migration>> = {
  '0045-limits-expand': {
    async up(db: Kysely<unknown>) {
      // A crash of the server starts all windows again, which is cheaper than a log entry for each count.
      const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
      const unlogged = isPostgres ? sql`unlogged` : sql``;
      await db.schema
        .createTable('counters')
        .modifyFront(unlogged)
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('ends_at', 'bigint', (column) => column.notNull())
        .addColumn('used', 'bigint', (column) => column.notNull())
        // Room in each page for the next version of a row, so that counting changes no index.
        .$call((table) => (isPostgres ? table.modifyEnd(sql`with (fillfactor = 50)`) : table))
        .execute();
      await db.schema
        .createTable('pauses')
        .modifyFront(unlogged)
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('rest_ms', 'bigint', (column) => column.notNull())
        .addColumn('rests_until', 'bigint', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .addColumn('writer', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('pauses_key', ['kind', 'name'])
        .execute();
      await db.schema.createIndex('pauses_by_change').on('pauses').column('changed_at').execute();
    },
  },
  '0046-pauses-since-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('pauses').addColumn('failing_since', 'bigint').execute();
    },
  },
};
