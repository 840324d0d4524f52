// Schema of the monitors. A released migration never changes.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const monitorMigrations: Readonly<Record<string, Migration>> = {
  '0020-monitors': {
    async up(db: Kysely<unknown>) {
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
        .addColumn('last_event_at', 'bigint')
        .execute();
      await db.schema.createIndex('monitors_by_application').on('monitors').column('application_id').execute();
      await db.schema.createIndex('monitors_by_cell').on('monitors').columns(['cell', 'last_event_at']).execute();
      await db.schema
        .createTable('identifiers')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('last_number', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};
