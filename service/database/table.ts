// Tables, each declared once: the statements that create it, the type of its rows, and fast inserts follow from its columns. Until the
// first release, a change here changes the first migration (app/open-service-database.ts). After it, that must stay as it is: what a later
// migration adds then gets a mark that leaves it out of these statements.
import type { Generated } from 'kysely';
import type { Database } from './open-database.ts';

type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision';

/** `rules`: the rest of its definition in SQL. `value` exists only as a type: what the service reads. */
export type Column<Value> = { readonly type: ColumnType; readonly rules: string; readonly value?: Value };
export type Columns = Readonly<Record<string, Column<unknown>>>;

const columnOf =
  <Any>(type: ColumnType) =>
  <Value extends Any = Any>(rules = ''): Column<Value> => ({ type, rules: `NOT NULL ${rules}`.trim() });

export const text = columnOf<string>('text');
export const integer = columnOf<number>('integer');
/** Times and counters; below 2^53, so they are read as numbers. */
export const bigint = columnOf<number>('bigint');
export const double = columnOf<number>('double precision');

export function orNull<Value>({ type, rules }: Column<Value>): Column<Value | null> {
  return { type, rules: rules.replace(/^NOT NULL ?/, '') };
}

export function byDefault({ type, rules }: Column<number>, value: number): Column<Generated<number>> {
  return { type, rules: `${rules} DEFAULT ${value}` };
}

type Options = {
  /** Of several columns. */
  constraint?: string;
  /** By name; what follows `ON` and the table. */
  indexes?: Readonly<Record<string, string>>;
  isUnlogged?: boolean;
  isOnlyOnPostgres?: boolean;
  /** What only one engine has, after the columns. */
  sqlite?: string;
  postgres?: string;
};
type Table<Own extends Columns = Columns> = Options & { readonly columns: Own };
type TableSet = Readonly<Record<string, Table>>;

export function table<Own extends Columns>(columns: Own, options: Options = {}): Table<Own> {
  return { columns, ...options };
}

export type RowsOf<Declared extends TableSet> = {
  [Name in keyof Declared]: {
    [One in keyof Declared[Name]['columns']]: Declared[Name]['columns'][One] extends Column<infer Value>
      ? Value
      : never;
  };
};

/** In the order of the tables, because some refer to those before. */
export function createStatements(engine: Database['engine'], tables: TableSet): string[] {
  return Object.entries(tables).flatMap(([name, { columns, constraint, indexes = {}, isUnlogged, ...rest }]) => {
    const isPostgres = engine === 'postgres';
    if (rest.isOnlyOnPostgres && !isPostgres) return [];
    const lines = Object.entries(columns).map(([column, { type, rules }]) => `${column} ${type} ${rules}`);
    const all = constraint === undefined ? lines : [...lines, constraint];
    const kind = isPostgres && isUnlogged ? 'UNLOGGED TABLE' : 'TABLE';
    return [
      `CREATE ${kind} ${name} (${all.join(', ')}) ${rest[engine] ?? ''}`,
      ...Object.entries(indexes).map(([index, on]) => `CREATE INDEX ${index} ON ${name} ${on}`),
    ];
  });
}
