// The schema of accounts, contracts and applications.
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sessionMigrations } from './session-migrations.ts';

export const accountMigrations: Readonly<Record<string, Migration>> = {
  ...sessionMigrations,
  '0010-accounts': {
    async up(db: Kysely<unknown>) {
      await createAccounts(db);
      await createContracts(db);
      await createApplications(db);
    },
  },
  '0018-require-pkce': {
    async up(db: Kysely<unknown>) {
      // Existing applications keep working.
      await db.schema
        .alterTable('applications')
        .addColumn('requires_pkce', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '0031-confirmed-addresses': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('accounts').addColumn('email_confirmed_at', 'bigint').execute();
      await db.schema.alterTable('accounts').addColumn('pending_email', 'text').execute();
      // Existing accounts keep their rights.
      await sql`update accounts set email_confirmed_at = created_at`.execute(db);
    },
  },
  '0032-account-limits': {
    async up(db: Kysely<unknown>) {
      for (const name of ['application_limit', 'monitor_limit']) {
        await db.schema.alterTable('accounts').addColumn(name, 'integer').execute();
      }
      await db.schema
        .alterTable('contracts')
        .addColumn('state', 'text', (column) => column.notNull().defaultTo('active'))
        .execute();
    },
  },
  '0041-old-secrets-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('applications').addColumn('previous_secret_hash', 'text').execute();
      await db.schema.alterTable('applications').addColumn('previous_secret_until', 'bigint').execute();
    },
  },
  '0043-endpoint-mails-expand': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('accounts')
        .addColumn('endpoint_mails', 'integer', (column) => column.notNull().defaultTo(1))
        .execute();
    },
  },
};

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_key', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('is_operator', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute();
}

async function createContracts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contracts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('contracts_once_per_plan', ['account_id', 'plan'])
    .execute();
}

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('applications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('contract_id', 'text', (column) => column.notNull().references('contracts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('allows_password', 'integer', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('secret_created_at', 'bigint')
    .addColumn('is_sandbox', 'integer', (column) => column.notNull())
    .addColumn('terms_accepted_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute();
  await db.schema.createIndex('applications_by_account').on('applications').column('account_id').execute();
  await db.schema
    .createTable('application_redirects')
    .addColumn('application_id', 'text', (column) => column.notNull().references('applications.id').onDelete('cascade'))
    .addColumn('uri', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('application_redirects_once', ['application_id', 'uri'])
    .execute();
}
