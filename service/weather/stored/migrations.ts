// The schema of the weather cache. A released migration never changes.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const weatherMigrations: Readonly<Record<string, Migration>> = {
  '0030-weather-cache': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('weather_cache')
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('cell', 'text', (column) => column.notNull())
        .addColumn('fetched_at', 'bigint', (column) => column.notNull())
        .addColumn('shape', 'integer', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('weather_cache_key', ['provider', 'cell'])
        .execute();
      await db.schema.createIndex('weather_cache_by_age').on('weather_cache').column('fetched_at').execute();
    },
  },
  '0038-weather-lookups': {
    async up(db: Kysely<unknown>) {
      // A server crash would lose only data that is outdated a moment later.
      const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
      await db.schema
        .createTable('weather_lookups')
        .$call((table) => (isPostgres ? table.modifyFront(sql`unlogged`) : table))
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('cell', 'text', (column) => column.notNull())
        .addColumn('held_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('weather_lookups_key', ['provider', 'cell'])
        .execute();
    },
  },
};
