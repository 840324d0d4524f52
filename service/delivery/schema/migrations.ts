// Schema of the outbox, the delivery log and the signing secrets. A released migration never changes.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const deliveryMigrations: Readonly<Record<string, Migration>> = {
  '0021-delivery': {
    async up(db: Kysely<unknown>) {
      await createEvents(db);
      await createDeliveries(db);
      await db.schema
        .createTable('webhook_secrets')
        .addColumn('application_id', 'text', (column) => column.primaryKey())
        .addColumn('secret', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('previous_secret', 'text')
        .addColumn('previous_until', 'bigint')
        .execute();
    },
  },
  // Counters on the monitor, because its log keeps only the latest entries.
  '0022-delivery-counts': {
    async up(db: Kysely<unknown>) {
      for (const name of ['delivered_count', 'failed_count']) {
        await db.schema
          .alterTable('monitors')
          .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
          .execute();
      }
    },
  },
  // Finished events are only looked up by ID, so these indexes exclude them; then SQLite's planner cannot use them to scan all
  // pending events in statements that name IDs or monitors.
  '0023-waiting-events': {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('events_due').execute();
      await db.schema.dropIndex('events_by_monitor').execute();
      for (const [name, column] of [
        ['events_waiting_due', 'next_attempt_at'],
        ['events_waiting_by_monitor', 'monitor_id'],
      ] as const) {
        await db.schema
          .createIndex(name)
          .on('events')
          .column(column)
          .where(sql.ref('state'), '=', sql.lit('waiting'))
          .execute();
      }
    },
  },
  '0035-guarded-events': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('events')
        .addColumn('is_guarded', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  // Earlier events have no position, so they are not in the feed.
  '0039-feed-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('feed_position', 'bigint').execute();
      if (db.getExecutor().adapter instanceof PostgresAdapter) {
        // Earlier versions insert without it. Separate from the column, so that no row is rewritten.
        await sql`alter table events alter column feed_position set default (pg_current_xact_id()::text::bigint)`.execute(
          db,
        );
      } else {
        await db.schema
          .createTable('feed_positions')
          .addColumn('name', 'text', (column) => column.primaryKey())
          .addColumn('last_position', 'bigint', (column) => column.notNull())
          .execute();
      }
      await db.schema
        .createIndex('events_by_feed')
        .on('events')
        .columns(['application_id', 'feed_position', 'id'])
        .execute();
      await db.schema
        .createTable('feed_readers')
        .addColumn('application_id', 'text', (column) => column.primaryKey())
        .addColumn('read_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0042-endpoint-incidents-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('endpoint_incidents')
        .addColumn('application_id', 'text', (column) => column.primaryKey())
        .addColumn('began_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('told', 'text', (column) => column.notNull())
        .addColumn('told_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0041-event-policy-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('policy', 'text').execute();
    },
  },
  '0041-event-triggers-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('triggered_by', 'text').execute();
    },
  },
  '0047-operational-webhooks-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('operational_webhooks')
        .addColumn('application_id', 'text', (column) =>
          column.primaryKey().references('applications.id').onDelete('cascade'),
        )
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .alterTable('monitors')
        .addColumn('reported_state', 'text', (column) => column.notNull().defaultTo('working'))
        .execute();
    },
  },
  // A lease changes no indexed column, so a row whose page has room gets no new index entries.
  '0048-event-leases-expand': {
    async up(db: Kysely<unknown>) {
      if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
      await sql`alter table events set (fillfactor = 70)`.execute(db);
    },
  },
};

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('monitor_id', 'text', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('callback_uri', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('is_resend', 'integer', (column) => column.notNull())
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .execute();
  await db.schema.createIndex('events_due').on('events').columns(['state', 'next_attempt_at']).execute();
  await db.schema.createIndex('events_by_monitor').on('events').columns(['monitor_id', 'occurred_at']).execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('monitor_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('latency_ms', 'integer', (column) => column.notNull())
    .addColumn('http_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('answer', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('deliveries_by_monitor').on('deliveries').columns(['monitor_id', 'started_at']).execute();
}
