// The schema of grants, codes and tokens.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const oauthMigrations: Readonly<Record<string, Migration>> = {
  '0011-oauth': {
    async up(db: Kysely<unknown>) {
      await createGrants(db);
      await createCodes(db);
      await createTokens(db);
      await db.schema
        .createTable('revocations')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('number', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0017-allowed-requests': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('allowed_requests')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  // Compatible with processes of the previous version: they only increment the number of revocations.
  '0035-revoked': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('revoked')
        .addColumn('number', 'bigint', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0036-client-grants': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('applications').addColumn('client_grant', 'text').execute();
      await db.schema.alterTable('access_tokens').addColumn('family', 'text').execute();
      await db.schema.dropIndex('access_tokens_by_grant').execute();
      await db.schema
        .createIndex('access_tokens_by_family')
        .on('access_tokens')
        .columns(['grant_id', 'family'])
        .execute();
      await db.schema
        .createTable('ended_families')
        .addColumn('family', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ended_families_by_expiry').on('ended_families').column('expires_at').execute();
    },
  },
  '0038-device-requests': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('device_requests')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('user_code_hash', 'text', (column) => column.notNull().unique())
        .addColumn('application_id', 'text', (column) =>
          column.notNull().references('applications.id').onDelete('cascade'),
        )
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('interval_seconds', 'integer', (column) => column.notNull())
        .addColumn('polled_at', 'bigint')
        .addColumn('grant_id', 'text', (column) => column.references('grants.id').onDelete('cascade'))
        .addColumn('is_denied', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('device_requests_by_application')
        .on('device_requests')
        .columns(['application_id', 'expires_at'])
        .execute();
      await db.schema.createIndex('device_requests_by_grant').on('device_requests').column('grant_id').execute();
    },
  },
};

async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) => column.notNull().references('applications.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('grants_by_application').on('grants').column('application_id').execute();
  await db.schema.createIndex('grants_by_account').on('grants').column('account_id').execute();
}

async function createCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('codes')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('grant_id', 'text', (column) => column.notNull().references('grants.id').onDelete('cascade'))
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('code_challenge', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('codes_by_grant').on('codes').column('grant_id').execute();
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('grant_id', 'text', (column) => column.notNull().references('grants.id').onDelete('cascade'))
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('access_tokens_by_grant').on('access_tokens').column('grant_id').execute();
  await db.schema.createIndex('access_tokens_by_expiry').on('access_tokens').column('expires_at').execute();
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('grant_id', 'text', (column) => column.notNull().references('grants.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('replaced_at', 'bigint')
    .execute();
  await db.schema.createIndex('refresh_tokens_by_grant').on('refresh_tokens').column('grant_id').execute();
  await db.schema.createIndex('refresh_tokens_by_expiry').on('refresh_tokens').column('expires_at').execute();
}
