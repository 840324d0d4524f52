// The rows of watched cells in the database. Sweeps, which read and write them: sweeps.test.ts.
import { expect, test } from 'vitest';
import { createWatchedCells, readSweep } from '#service/monitors/sweep/watched-cells.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';

async function startCells() {
  const { db } = await openDeliveryRows();
  const store = createWatchedCells({ db, engine: 'sqlite' });
  const add = (cell: string, next_look_at: number, place = { latitude: 45, longitude: 7 }, held_until = 0) =>
    db
      .insertInto('watch_cells')
      .values({ cell, ...place, monitor_count: 1, next_look_at, held_until })
      .execute();
  const rows = async () =>
    (await db.selectFrom('watch_cells').selectAll().orderBy('cell').execute()).map(
      ({ cell, next_look_at, held_until }) => [cell, next_look_at, held_until > 0],
    );
  return { db, store, add, rows };
}

test('watched cells are leased once, the longest due first, and planned again', async () => {
  const { store, add, rows, db } = await startCells();
  for (const [cell, due] of [
    ['a', 3],
    ['b', 1],
    ['c', 4],
    ['d', 2],
  ] as const) {
    await add(cell, due);
  }
  const taken = await store.take(3, 2);
  expect(new Set(taken.map(({ cell }) => cell))).toEqual(new Set(['b', 'd']));
  expect(taken[0]).toEqual({ cell: expect.any(String), latitude: 45, longitude: 7 });
  expect(await store.take(3, 9)).toEqual([{ cell: 'a', latitude: 45, longitude: 7 }]);
  expect(await store.take(3, 9)).toEqual([]);
  await store.plan([
    { cell: 'a', at: 7 },
    { cell: 'b', at: 7 },
    { cell: 'd', at: 8 },
  ]);
  expect(await rows()).toEqual([
    ['a', 7, false],
    ['b', 7, false],
    ['c', 4, false],
    ['d', 8, false],
  ]);
  await store.resetAfter(7, 5);
  expect(await rows()).toEqual([
    ['a', 7, false],
    ['b', 7, false],
    ['c', 4, false],
    ['d', 5, false],
  ]);
  // A lease that can only be from before a reboot is ignored.
  await db.updateTable('watch_cells').set({ held_until: Number.MAX_SAFE_INTEGER }).where('cell', '=', 'c').execute();
  expect((await store.take(4, 9)).map(({ cell }) => cell)).toEqual(['c']);
});

test('watched cells are due again in an area, or everywhere', async () => {
  const { store, add, rows } = await startCells();
  await add('near', 9, { latitude: 45.05, longitude: 7 }, 5);
  await add('north', 9, { latitude: 45.2, longitude: 7 }, 5);
  await add('east', 9, { latitude: 45, longitude: 7.2 }, 5);
  await store.markDue(2, { center: { lat: 45, lng: 7 }, radiusKm: 10 });
  expect(await rows()).toEqual([
    ['east', 9, true],
    ['near', 2, false],
    ['north', 9, true],
  ]);
  await store.markDue(3, undefined);
  expect(await rows()).toEqual([
    ['east', 3, false],
    ['near', 3, false],
    ['north', 3, false],
  ]);
});

test('metrics have the number of watched cells, and how long the oldest has been due', async () => {
  const { db } = await openDeliveryRows();
  const now = 1_000_000_500;
  expect(await readSweep(db, now)).toEqual({ lagSeconds: 0, cells: 0 });
  const cell = { latitude: 45, longitude: 7, monitor_count: 1, held_until: 0 };
  const add = (name: string, next_look_at: number) =>
    db
      .insertInto('watch_cells')
      .values({ ...cell, cell: name, next_look_at })
      .execute();
  await add('x', now + 1);
  expect(await readSweep(db, now)).toEqual({ lagSeconds: 0, cells: 1 });
  await add('y', now - 2_500);
  expect(await readSweep(db, now)).toEqual({ lagSeconds: 2.5, cells: 2 });
});
