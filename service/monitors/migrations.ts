// Schema of the monitors. A released migration never changes.
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const monitorMigrations: Readonly<Record<string, Migration>> = {
  '0020-monitors': {
    async up(db: Kysely<unknown>) {
      await createMonitors(db);
      await createWatchCells(db);
      await db.schema
        .createTable('identifiers')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('last_number', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0024-latest-event': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('monitors')
        .addColumn('latest_event_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`update monitors set latest_event_at = gate_opens_at - 3600000 where gate_opens_at > 0`.execute(db);
    },
  },
  '0033-recent-events': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('monitors')
        .addColumn('recent_events', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    },
  },
  '0034-callback-credentials': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('monitors').addColumn('callback_credentials', 'text').execute();
    },
  },
};

async function createMonitors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('monitor_type', 'text', (column) => column.notNull())
    .addColumn('callback_uri', 'text', (column) => column.notNull())
    .addColumn('latitude', 'text', (column) => column.notNull())
    .addColumn('longitude', 'text', (column) => column.notNull())
    .addColumn('cell', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('gate_opens_at', 'bigint', (column) => column.notNull())
    .addColumn('off_since', 'bigint')
    .addColumn('off_reason', 'text')
    .addColumn('failed_events', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('monitors_by_application').on('monitors').columns(['application_id', 'id']).execute();
  // Exactly the query of a claim: the monitors of a cell that are not in cool-down.
  await db.schema.createIndex('monitors_by_gate').on('monitors').columns(['cell', 'gate_opens_at']).execute();
}

async function createWatchCells(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watch_cells')
    .addColumn('cell', 'text', (column) => column.primaryKey())
    .addColumn('latitude', 'double precision', (column) => column.notNull())
    .addColumn('longitude', 'double precision', (column) => column.notNull())
    .addColumn('monitor_count', 'integer', (column) => column.notNull())
    .addColumn('next_look_at', 'bigint', (column) => column.notNull())
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('watch_cells_due').on('watch_cells').column('next_look_at').execute();
}
