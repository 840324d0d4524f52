// The migrations of the service's database, run in the order of their names. A released migration and its name never change, because
// the database stores the name.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { schemaStatements } from './schema.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0050-schema': {
    async up(db: Kysely<unknown>) {
      const engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
      // Each statement may refer to the ones before.
      for (const statement of schemaStatements(engine)) await sql.raw(statement).execute(db);
    },
  },
  '0051-rain-events-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('monitors').addColumn('rules', 'text').execute();
      await db.schema.alterTable('monitors').addColumn('episode', 'text').execute();
      // A sweep asks for the few monitors with rules in its cells.
      await sql`CREATE INDEX monitors_with_rules ON monitors (cell) WHERE rules IS NOT NULL`.execute(db);
    },
  },
  '0052-event-record-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('attempts').addColumn('request', 'text').execute();
      // A delivery changes nothing in it.
      await sql`CREATE INDEX events_undelivered ON events (application_id, feed_position) WHERE undelivered IS NOT NULL`.execute(
        db,
      );
    },
  },
  '0053-inbox-expand': {
    async up(db: Kysely<unknown>) {
      const statements = [
        'CREATE TABLE inboxes (application_id text PRIMARY KEY, opened_at bigint NOT NULL, held_bytes bigint NOT NULL)',
        `CREATE TABLE inbox_requests (id text PRIMARY KEY, application_id text NOT NULL, received_at bigint NOT NULL,
         feed_position bigint NOT NULL, request text NOT NULL)`,
        'CREATE INDEX inbox_requests_by_feed ON inbox_requests (application_id, feed_position)',
        'CREATE INDEX inbox_requests_by_time ON inbox_requests (received_at)',
      ];
      // Each statement may refer to the ones before.
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  },
  '0054-mail-counts-expand': {
    async up(db: Kysely<unknown>) {
      // Nothing deletes these addresses anymore.
      await sql`DELETE FROM mail_recipients`.execute(db);
    },
  },
};
