// Every migration of the service, collected from the subject folders. Names sort by their number; a name, once
// released, never changes, since the database remembers it.
import type { Migration } from 'kysely/migration';
import { deliveryMigrations } from '../delivery/migrations.ts';
import { monitorMigrations } from '../monitors/migrations.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  ...monitorMigrations,
  ...deliveryMigrations,
};
