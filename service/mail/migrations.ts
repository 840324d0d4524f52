// The schema of emails, the links in them, and launch notices.
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
  '0030-mail-links': {
    async up(db: Kysely<unknown>) {
      const mails = () => db.schema.alterTable('mails');
      await mails()
        .addColumn('recipient_key', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
      await mails()
        .addColumn('counted_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await mails().addColumn('link', 'text').execute();
      await db.schema.createIndex('mails_by_recipient').on('mails').columns(['recipient_key', 'counted_at']).execute();
      await db.schema
        .createTable('mail_recipients')
        .addColumn('recipient_key', 'text', (column) => column.primaryKey())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('mail_links')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used', 'integer', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('mail_links_by_account').on('mail_links').column('account_id').execute();
      // Earlier addresses were never confirmed by their owners.
      await db.schema.alterTable('launch_notices').addColumn('confirmed_at', 'bigint').execute();
    },
  },
};
