// Counters of all processes. The row of one stays locked until the transaction ends, so its numbers appear in the order of commits.
import { bigint, type RowsOf, table, text } from './table.ts';
import type { Db } from './tables.ts';

export const counterTables = {
  /**
   * `monitor`: the highest assigned number, which outlives the monitors. `feed`: the last position of the feed. `revocation`: the last
   * revocation. `sandbox`: only locked. The ID of an application: how often its monitors changed. The fill factor leaves
   * room in each page for the next version of a row.
   */
  counters: table({ name: text('PRIMARY KEY'), last_number: bigint() }, { postgres: 'WITH (fillfactor = 50)' }),
};

declare module './tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends RowsOf<typeof counterTables> {}
}

/** Returns the first of `count` new numbers, in a transaction. With 0, it only waits until no other transaction takes any. */
export async function takeNumbers(trx: Db, name: string, count = 1): Promise<number> {
  const { last_number: last } = await trx
    .insertInto('counters')
    .values({ name, last_number: count })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ last_number: row('counters.last_number', '+', count) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last - count + 1;
}
