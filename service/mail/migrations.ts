// The schema of emails and of launch notices.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const mailMigrations: Readonly<Record<string, Migration>> = {
  '0014-mail': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('mails')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('recipient', 'text', (column) => column.notNull())
        .addColumn('reply_to', 'text')
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_attempt_at', 'bigint')
        .execute();
      await db.schema.createIndex('mails_by_state').on('mails').columns(['state', 'next_attempt_at']).execute();
      await db.schema
        .createTable('launch_notices')
        .addColumn('email_key', 'text', (column) => column.primaryKey())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};
