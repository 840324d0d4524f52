// Migrates a database to this program's schema: only forward; rejects a newer database.
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Logger } from 'pino';
import { StartError } from '../errors/start-error.ts';

/** `newer`: applied by a newer version, and compatible with this one. */
export type MigrationPlan = { executed: string[]; pending: string[]; newer: string[] };

/** Such a migration adds only what earlier versions don't need, so they may start on a PostgreSQL database with it (docs/operations.md). */
const expansionEnding = '-expand';

type Migrations = Readonly<Record<string, Migration>>;

/** Returns the applied and pending migrations. Throws a StartError if the database has incompatible newer ones. */
export async function planMigrations<Schema>(
  db: Kysely<Schema>,
  migrations: Migrations,
  name: string,
  { acceptsExpansions = false } = {},
): Promise<MigrationPlan> {
  const executed = await executedMigrations(db);
  const pending = Object.keys(migrations).filter((migration) => !executed.includes(migration));
  const newer = executed.filter((migration) => !Object.hasOwn(migrations, migration));
  // A version that lacks migrations itself would have to change an unknown schema.
  const isAccepted = acceptsExpansions && pending.length === 0;
  refuseNewer(isAccepted ? newer.filter((migration) => !migration.endsWith(expansionEnding)) : newer, name);
  return { executed, pending, newer };
}

export async function executedMigrations<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const records = db as unknown as Kysely<{ kysely_migration: { name: string } }>;
  try {
    const rows = await records.selectFrom('kysely_migration').select('name').execute();
    return rows.map((row) => row.name);
  } catch (error) {
    // A new database has no such table. Listing all tables is slow, so existing databases skip it.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.some((table) => table.name === 'kysely_migration')) throw error;
    return [];
  }
}

/** Runs all pending migrations or none. Several processes may call it at once: one works, the others wait. */
export async function migrate<Schema>(db: Kysely<Schema>, migrations: Migrations, log: Logger): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  const migrator = new Migrator({ db, provider });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    const message =
      failed === undefined
        ? 'The database could not be brought up to date.'
        : `The database could not be brought up to date: migration ${failed} failed.`;
    throw new Error(message, { cause: error });
  }
  const names = results?.map((result) => result.migrationName) ?? [];
  if (names.length > 0) log.info({ migrations: names }, 'database brought up to date');
}

function refuseNewer(unknown: readonly string[], name: string): void {
  if (unknown.length === 0) return;
  throw new StartError(
    'start',
    `The database ${name} was written by another version of Rainbell (unknown migrations: ${unknown.join(', ')}). ` +
      'Start that version, move the database away, or choose another one with --data or --database.',
  );
}
