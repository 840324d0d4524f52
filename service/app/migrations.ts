// All migrations of the service, collected from the subject folders. They are sorted by number; a released name never changes,
// because the database stores it.
import type { Migration } from 'kysely/migration';
import { accountMigrations } from '#service/accounts/migrations.ts';
import { auditMigrations } from '#service/accounts/audit-log.ts';
import { choreMigrations } from '#service/database/chores.ts';
import { deliveryMigrations } from '#service/delivery/schema/migrations.ts';
import { limitMigrations } from '#service/limits/tables.ts';
import { mailMigrations } from '#service/mail/migrations.ts';
import { metagMigrations } from '#service/metags/migrations.ts';
import { monitorMigrations } from '#service/monitors/migrations.ts';
import { oauthMigrations } from '#service/oauth/migrations.ts';
import { verificationMigrations } from '#service/verification/migrations.ts';
import { weatherMigrations } from '#service/weather/stored/migrations.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  ...accountMigrations,
  ...auditMigrations,
  ...oauthMigrations,
  ...mailMigrations,
  ...metagMigrations,
  ...monitorMigrations,
  ...deliveryMigrations,
  ...weatherMigrations,
  ...choreMigrations,
  ...limitMigrations,
  ...verificationMigrations,
};
