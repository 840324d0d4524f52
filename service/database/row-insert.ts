// Inserts many rows of one table without compiling a statement each time. For thousands of rows, Kysely's compiling costs more than
// the insert. PostgreSQL gets an array for each column, in one statement for any number of rows. SQLite gets statements for 64, 16, 4,
// and 1 rows, which it keeps prepared.
import { CompiledQuery, type Insertable } from 'kysely';
import type { Database } from './open-database.ts';
import { nameStatement } from './prepared-statement.ts';
import type { Columns } from './table.ts';
import type { Db, Tables } from './tables.ts';

const pieceSizes = [64, 16, 4, 1] as const;

export type RowInsert<Row> = (db: Db, rows: readonly Row[]) => Promise<void>;

/** `skipsKnown`: leaves out rows that the table has, so that a write whose confirmation was lost can be repeated. */
export function createRowInsert<Name extends keyof Tables>(
  engine: Database['engine'],
  table: Name,
  columns: Columns,
  { skipsKnown = false } = {},
): RowInsert<Insertable<Tables[Name]>> {
  const ending = skipsKnown ? ' on conflict do nothing' : '';
  return engine === 'postgres'
    ? insertArrays(table, columns, ending)
    : insertPieces(table, Object.keys(columns), ending);
}

type Row = Readonly<Record<string, unknown>>;

function insertArrays(table: string, columns: Columns, ending: string) {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map(({ type }, index) => `$${index + 1}::${type}[]`);
  const list = names.map((name) => `"${name}"`).join(', ');
  const text = `insert into "${table}" (${list}) select * from unnest(${arrays.join(', ')})${ending}`;
  const statement = nameStatement(`insert-${table}`, text);
  return async (db: Db, rows: readonly unknown[]): Promise<void> => {
    if (rows.length === 0) return;
    const parameters = names.map((name) => rows.map((row) => (row as Row)[name] ?? null));
    await db.executeQuery(CompiledQuery.raw(statement, parameters));
  };
}

function insertPieces(table: keyof Tables, names: readonly string[], ending: string) {
  const statements = new Map<number, string>();

  function statementFor(db: Db, count: number): string {
    const known = statements.get(count);
    if (known !== undefined) return known;
    const row = Object.fromEntries(names.map((name) => [name, 0]));
    const rows = Array.from({ length: count }, () => row) as never;
    const { sql } = db.insertInto(table).values(rows).compile();
    statements.set(count, sql + ending);
    return sql + ending;
  }

  return async (db: Db, rows: readonly unknown[]): Promise<void> => {
    let start = 0;
    for (const size of pieceSizes) {
      for (; rows.length - start >= size; start += size) {
        const parameters: unknown[] = [];
        for (let index = start; index < start + size; index += 1) {
          const row = rows[index] as Row;
          for (const name of names) parameters.push(row[name]);
        }
        await db.executeQuery(CompiledQuery.raw(statementFor(db, size), parameters));
      }
    }
  };
}
