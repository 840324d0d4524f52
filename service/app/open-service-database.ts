// The tables of all subjects in one database.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '@rainbell/shared';
import { databaseLocation, type Config } from '../config/config.ts';
import { type Database, type DatabaseLocation, openSqlite } from '../database/open-database.ts';
import { accountTables } from '../accounts/tables.ts';
import { choreTables } from '../database/chores.ts';
import { counterTables } from '../database/counters.ts';
import { createStatements } from '../database/table.ts';
import { inboxTables } from '../inbox/inbox.ts';
import { limitTables } from '../limits/limiter.ts';
import { mailTables } from '../mail/tables.ts';
import { metagTables } from '../metags/metag-store.ts';
import { deliveryTables } from '../monitors/delivery/tables.ts';
import { monitorTables } from '../monitors/tables.ts';
import { oauthTables } from '../oauth/tables.ts';
import { verificationTables } from '../verification/outcome-log.ts';
import { weatherTables } from '../weather/stored/weather-store.ts';

const tables = {
  ...accountTables,
  ...oauthTables,
  ...mailTables,
  ...monitorTables,
  ...deliveryTables,
  ...inboxTables,
  ...metagTables,
  ...weatherTables,
  ...verificationTables,
  ...choreTables,
  ...counterTables,
  ...limitTables,
};

/** In the order of their names. A released migration and its name never change, because the database stores the name. */
export const migrations: Readonly<Record<string, Migration>> = {
  // The numbers before it are those of databases from before the first release, which are refused.
  '0056-schema': {
    async up(db: Kysely<unknown>) {
      const engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
      // Each statement may refer to the ones before.
      for (const statement of createStatements(engine, tables)) await sql.raw(statement).execute(db);
    },
  },
};

/** Clients have seen the IDs of monitors and the positions of events that are lost, so neither is used twice. */
const afterLoss = `
  INSERT INTO counters VALUES ('monitor', 1000000), ('feed', 1000000000)
    ON CONFLICT (name) DO UPDATE SET last_number = last_number + excluded.last_number;
`;

/** Opens the service's database with the tables of all subjects. Throws a StartError with the cause if it cannot be used. */
export async function openServiceDatabase(
  options: DatabaseLocation & { clock: Clock; log: Logger; migrations?: Readonly<Record<string, Migration>> },
): Promise<Database> {
  const { migrations: chosen = migrations, ...location } = options;
  const schema = { migrations: chosen, afterLoss };
  if (!('url' in location)) return openSqlite({ ...location, schema });
  const { openPostgres } = await import('../database/postgres.ts');
  return openPostgres({ ...location, schema });
}

export async function migrateDatabase(config: Config, log: Logger): Promise<void> {
  const location = databaseLocation({ ...config, migrations: 'start' });
  const database = await openServiceDatabase({ ...location, clock: systemClock, log });
  await database.close();
}
