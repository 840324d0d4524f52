import type { Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '@rainbell/shared';
import { databaseLocation, type Config } from '../config/config.ts';
import { type Database, type DatabaseLocation, openSqlite } from '../database/open-database.ts';
import { migrations as ownMigrations } from './migrations.ts';

/** Clients have seen the IDs of monitors and the positions of events that are lost, so neither is used twice. */
const afterLoss = `
  INSERT INTO counters VALUES ('monitor', 1000000), ('feed', 1000000000)
    ON CONFLICT (name) DO UPDATE SET last_number = last_number + excluded.last_number;
`;

/** Opens the service's database with the tables of all subjects. Throws a StartError with the cause if it cannot be used. */
export async function openServiceDatabase(
  options: DatabaseLocation & { clock: Clock; log: Logger; migrations?: Readonly<Record<string, Migration>> },
): Promise<Database> {
  const { migrations = ownMigrations, ...location } = options;
  const schema = { migrations, afterLoss };
  if (!('url' in location)) return openSqlite({ ...location, schema });
  const { openPostgres } = await import('../database/postgres.ts');
  return openPostgres({ ...location, schema });
}

/** Migrates the database and closes it: `service migrate`. */
export async function migrateDatabase(config: Config, log: Logger): Promise<void> {
  const location = databaseLocation({ ...config, migrations: 'start' });
  const database = await openServiceDatabase({ ...location, clock: systemClock, log });
  await database.close();
}
