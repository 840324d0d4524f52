// A list of ids as one parameter, so that a statement is the same whatever their number and stays prepared.
import { sql, type RawBuilder } from 'kysely';
import type { Database } from './open-database.ts';

/** For `where('id', 'in', …)`. */
export function idList(engine: Database['engine'], ids: readonly string[]): RawBuilder<string> {
  return engine === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(ids)}))`
    : sql`(select unnest(${ids}::text[]))`;
}
