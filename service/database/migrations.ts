// Every migration of the service, collected from the subject folders. Names sort by their number; a name, once
// released, never changes, since the database remembers it.
import type { Migration } from 'kysely/migration';
import { accountMigrations } from '../accounts/migrations.ts';
import { deliveryMigrations } from '../delivery/migrations.ts';
import { mailMigrations } from '../mail/migrations.ts';
import { metagMigrations } from '../metags/migrations.ts';
import { monitorMigrations } from '../monitors/migrations.ts';
import { oauthMigrations } from '../oauth/migrations.ts';
import { weatherMigrations } from '../weather/migrations.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  ...accountMigrations,
  ...oauthMigrations,
  ...mailMigrations,
  ...metagMigrations,
  ...monitorMigrations,
  ...deliveryMigrations,
  ...weatherMigrations,
};
