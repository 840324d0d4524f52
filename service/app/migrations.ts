// The migrations of the service's database, run in the order of their names. A released migration and its name never change, because
// the database stores the name.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
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
