// The schema of sessions, signing keys, and counted requests.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const sessionMigrations: Readonly<Record<string, Migration>> = {
  '0012-sessions': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('sessions')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();
      await db.schema
        .createTable('dialogs')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('session_hash', 'text', (column) => column.notNull())
        .addColumn('application_id', 'text', (column) =>
          column.notNull().references('applications.id').onDelete('cascade'),
        )
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('response_type', 'text', (column) => column.notNull())
        .addColumn('redirect_uri', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('raw_state', 'text')
        .addColumn('code_challenge', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('dialogs_by_expiry').on('dialogs').column('expires_at').execute();
    },
  },
  '0013-usage': {
    async up(db: Kysely<unknown>) {
      // Without a reference: the record must outlast the application.
      await db.schema
        .createTable('usage')
        .addColumn('application_id', 'text', (column) => column.notNull())
        .addColumn('day', 'integer', (column) => column.notNull())
        .addColumn('requests', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_per_day', ['application_id', 'day'])
        .execute();
    },
  },
  '0016-signing-keys': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('signing_keys')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
      // Pending authorization requests were rows here; now the forms carry them (pending-request.ts).
      await db.schema.dropTable('dialogs').execute();
    },
  },
};
