// Random or fixed values that all processes on one database share, by name.
import type { Db } from '../database/tables.ts';

export async function readStoredKey(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('signing_keys').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Returns the value, and stores a new one if the database has none. Processes that start together get the same one. */
export async function ensureStoredKey(db: Db, name: string, create: () => string): Promise<string> {
  const stored = await readStoredKey(db, name);
  if (stored !== undefined) return stored;
  await db
    .insertInto('signing_keys')
    .values({ name, value: create() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const created = await readStoredKey(db, name);
  if (created !== undefined) return created;
  throw new Error(`The key ${name} could not be stored.`);
}
