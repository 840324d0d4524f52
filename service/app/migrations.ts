// The migrations of the service's database, run in the order of their names. A released migration and its name never change, because
// the database stores the name. Names below 0050 belong to the pre-release version, whose databases are not migrated.
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { schemaStatements } from './schema.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0050-schema': {
    async up(db: Kysely<unknown>) {
      const engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
      // oxlint-disable-next-line no-await-in-loop -- each statement may refer to the ones before
      for (const statement of schemaStatements(engine)) await sql.raw(statement).execute(db);
    },
  },
};
