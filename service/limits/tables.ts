import { bigint, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

export const limitTables = {
  /**
   * What all processes on one PostgreSQL count together, as rate-limiter-flexible writes it. `expire`: in epoch milliseconds by the
   * clock of the process that started the window. A server crash loses only counts that are outdated a moment later. The fill factor
   * leaves room in each page for the next version of a row, so that counts change no index.
   */
  limits: table(
    { key: text('PRIMARY KEY'), points: integer(), expire: orNull(bigint()) },
    { isOnlyOnPostgres: true, isUnlogged: true, postgres: 'WITH (fillfactor = 50)' },
  ),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof limitTables> {}
}
