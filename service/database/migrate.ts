// Brings a database to the schema that this program knows: forward only, with a refusal where the database is newer.
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Logger } from 'pino';
import { readDamagedTable } from '#storage/rescue-database.ts';
import { StartError } from '#service/errors/start-error.ts';

export type MigrationPlan = { executed: string[]; pending: string[] };

type Migrations = Readonly<Record<string, Migration>>;

/** What has been done to this database and what is still to do. Throws a StartError where it knows more than we do. */
export async function planMigrations<Schema>(
  db: Kysely<Schema>,
  migrations: Migrations,
  name: string,
): Promise<MigrationPlan> {
  const executed = await executedMigrations(db);
  refuseUnknown(executed, migrations, name);
  return { executed, pending: Object.keys(migrations).filter((migration) => !executed.includes(migration)) };
}

async function executedMigrations<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const records = db as unknown as Kysely<{ kysely_migration: { name: string } }>;
  try {
    const rows = await records.selectFrom('kysely_migration').select('name').execute();
    return rows.map((row) => row.name);
  } catch (error) {
    // A new database has no such table. Asking for all tables takes a while, so a database of ours is not asked.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.some((table) => table.name === 'kysely_migration')) throw error;
    return [];
  }
}

/** Runs what is pending, all of it or nothing. Several processes may call it at once: one works, the others wait. */
export async function migrate<Schema>(db: Kysely<Schema>, migrations: Migrations, log: Logger): Promise<void> {
  // Unordered, because the subjects number their migrations independently of each other.
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    throw new Error(`The database could not be brought up to date${failed ? ` at ${failed}` : ''}.`, { cause: error });
  }
  const names = results?.map((result) => result.migrationName) ?? [];
  if (names.length > 0) log.info({ migrations: names }, 'database brought up to date');
}

/** Throws a StartError if a newer version wrote the damaged file, because its rows may have another meaning. */
export function refuseNewerFile(file: string, migrations: Migrations): void {
  const executed = readDamagedTable(file, 'kysely_migration').map(({ values: [name] }) => String(name));
  refuseUnknown(executed, migrations, file);
}

function refuseUnknown(executed: readonly string[], migrations: Migrations, name: string): void {
  const unknown = executed.filter((migration) => !Object.hasOwn(migrations, migration));
  if (unknown.length === 0) return;
  throw new StartError(
    'start',
    `The database ${name} was written by a newer Rainbell (it has ${unknown.join(', ')}). ` +
      'Start that newer version, or give this one another data folder with --data.',
  );
}
