// Inserts many rows of one table without compiling a statement each time: the SQL for 64, 16, 4, and 1 rows is built once, and the
// database keeps it prepared. For thousands of rows, Kysely's compiling costs more than the insert.
import { CompiledQuery, type Insertable, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

const pieceSizes = [64, 16, 4, 1] as const;

export type RowInsert<Row> = (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void>;

/** `columns`: all columns of the rows, in the order of the statement. One per kind of database. */
export function createRowInsert<Name extends keyof Tables>(
  table: Name,
  columns: readonly (keyof Insertable<Tables[Name]> & string)[],
): RowInsert<Insertable<Tables[Name]>> {
  const statements = new Map<number, string>();

  function statementFor(db: Kysely<Tables>, count: number): string {
    const known = statements.get(count);
    if (known !== undefined) return known;
    const row = Object.fromEntries(columns.map((column) => [column, 0]));
    const rows = Array.from({ length: count }, () => row) as never;
    const { sql } = db.insertInto(table).values(rows).compile();
    statements.set(count, sql);
    return sql;
  }

  return async (db, rows) => {
    let start = 0;
    for (const size of pieceSizes) {
      for (; rows.length - start >= size; start += size) {
        const parameters: unknown[] = [];
        for (let index = start; index < start + size; index += 1) {
          const row = rows[index] as Readonly<Record<string, unknown>>;
          for (const column of columns) parameters.push(row[column]);
        }
        await db.executeQuery(CompiledQuery.raw(statementFor(db, size), parameters));
      }
    }
  };
}
