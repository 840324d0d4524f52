// Schema of verification. A released migration never changes.
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const verificationMigrations: Readonly<Record<string, Migration>> = {
  '0041-verification-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('evidence')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('latitude', 'double precision', (column) => column.notNull())
        .addColumn('longitude', 'double precision', (column) => column.notNull())
        .addColumn('observed_at', 'bigint', (column) => column.notNull())
        .addColumn('counts_at', 'bigint', (column) => column.notNull())
        .addColumn('is_wet', 'integer', (column) => column.notNull())
        .addColumn('mm_per_hour', 'double precision')
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('is_open', 'integer', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('evidence_by_time').on('evidence').column('counts_at').execute();
      await db.schema
        .createIndex('evidence_open')
        .on('evidence')
        .column('counts_at')
        .where(sql.ref('is_open'), '=', sql.lit(1))
        .execute();
      await db.schema
        .createTable('outcomes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('monitor_id', 'text', (column) => column.notNull())
        .addColumn('application_id', 'text', (column) => column.notNull())
        .addColumn('occurred_at', 'bigint', (column) => column.notNull())
        .addColumn('verdict', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('region', 'text', (column) => column.notNull())
        .addColumn('evidence_kind', 'text')
        .addColumn('evidence_source', 'text')
        .addColumn('evidence_at', 'bigint')
        .addColumn('evidence_km', 'double precision')
        .addColumn('evidence_text', 'text')
        .addColumn('lead_ms', 'bigint')
        .execute();
      await db.schema
        .createIndex('outcomes_by_monitor')
        .on('outcomes')
        .columns(['monitor_id', 'occurred_at'])
        .execute();
      await db.schema.createIndex('outcomes_by_application').on('outcomes').column('application_id').execute();
    },
  },
};
