// A list of IDs as one parameter, so that a statement is the same for any number of them and stays prepared.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from './open-database.ts';

/** PostgreSQL gets an array, because it plans `in (select unnest(…))` as a loop over all rows times all IDs. */
export function isAmong(engine: Database['engine'], column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`;
}
