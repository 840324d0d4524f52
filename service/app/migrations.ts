// Every migration of the service, collected from the subject folders. Names sort by their number; a name, once
// released, never changes, since the database remembers it.
import type { Migration } from 'kysely/migration';
import { accountMigrations } from '#service/accounts/migrations.ts';
import { deliveryMigrations } from '#service/delivery/migrations.ts';
import { mailMigrations } from '#service/mail/migrations.ts';
import { metagMigrations } from '#service/metags/migrations.ts';
import { monitorMigrations } from '#service/monitors/migrations.ts';
import { oauthMigrations } from '#service/oauth/migrations.ts';
import { weatherMigrations } from '#service/weather/sources/migrations.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  ...accountMigrations,
  ...oauthMigrations,
  ...mailMigrations,
  ...metagMigrations,
  ...monitorMigrations,
  ...deliveryMigrations,
  ...weatherMigrations,
};
