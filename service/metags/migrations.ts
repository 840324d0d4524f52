// The schema of metags.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const metagMigrations: Readonly<Record<string, Migration>> = {
  '0015-metags': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('metags')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('application_id', 'text', (column) => column.notNull())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('latitude', 'double precision', (column) => column.notNull())
        .addColumn('longitude', 'double precision', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('metags_by_age').on('metags').columns(['created_at', 'latitude']).execute();
    },
  },
};
