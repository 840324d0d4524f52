// The rows of watched cells in the database, and the sweeps that read and write them.
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { Sweeper } from '#service/monitors/sweep/sweep.ts';
import { createWatchedCells, readSweep } from '#service/monitors/sweep/watched-cells.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';
import type { Evidence } from '#service/weather/reading/reading.ts';

describe('watched cells in the database', () => {
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

  test('are leased once, the longest due first, and planned again', async () => {
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

  test('are due again in an area, or everywhere', async () => {
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
});

describe('a sweep', () => {
  async function startWatch(changes: Partial<ConstructorParameters<typeof Sweeper>[0]> = {}) {
    const { db } = await openDeliveryRows();
    const clock = createManualClock(1_000_000_500);
    const calls: unknown[] = [];
    const lines: { level: number; msg: string }[] = [];
    const log = pino(
      { level: 'trace' },
      { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
    );
    const store = createWatchedCells({ db, engine: 'sqlite' });
    const watch = new Sweeper({
      clock,
      log,
      store,
      intervalMs: 300_000,
      precipitationAt: async (place) => {
        const { lat } = place;
        if (lat === 3) throw new Error('http 500');
        const metar: Evidence = {
          kind: 'station',
          source: 'metar:LIMF',
          place,
          at: 0,
          countsAt: 0,
          isWet: true,
          text: '-RA',
        };
        const observed = lat === 2 ? [metar] : [];
        return { isPrecipitating: lat === 1, observed, trigger: lat === 1 ? { source: 'radar', at: 5 } : undefined };
      },
      claim: async (cells, now, triggers) => {
        calls.push(['claim', cells, now, [...triggers]]);
        return cells.length;
      },
      observe: async (sightings, now) => void calls.push(['observe', sightings.map(({ cell }) => cell), now]),
      prepare: async (places) => void calls.push(['prepare', places]),
      ...changes,
    });
    for (const latitude of [1, 2, 3]) {
      await db
        .insertInto('watch_cells')
        .values({ cell: `cell ${latitude}`, latitude, longitude: 7, monitor_count: 1, next_look_at: 0, held_until: 0 })
        .execute();
    }
    const planned = async () =>
      (await db.selectFrom('watch_cells').select(['next_look_at', 'held_until']).orderBy('cell').execute()).map(
        ({ next_look_at, held_until }) => [next_look_at, held_until],
      );
    return { watch, clock, calls, lines, planned };
  }

  test('claims, reports, logs, and plans what it saw', async () => {
    const { watch, clock, calls, lines, planned } = await startWatch();
    const now = clock.now();
    expect(watch.lastCheck('cell 1')).toBeUndefined();
    await watch.sweepNow();
    expect(calls).toEqual([
      ['prepare', [1, 2, 3].map((lat) => ({ lat, lng: 7 }))],
      ['claim', ['cell 1'], now, [['cell 1', { source: 'radar', at: 5 }]]],
      ['observe', ['cell 2'], now],
    ]);
    expect(await planned()).toEqual(Array(3).fill([1_000_300_000, 0]));
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'no weather for a cell'],
      [30, 'precipitation near monitors'],
    ]);
    expect(lines[0]).toMatchObject({ cell: 'cell 3', reason: 'http 500' });
    expect(lines[1]).toMatchObject({ raining: 1, events: 1 });
    const check = { at: now, nextAt: 1_000_300_000 };
    expect(watch.lastCheck('cell 1')).toMatchObject({ ...check, cell: 'cell 1', isPrecipitating: true });
    expect(watch.lastCheck('cell 3')).toMatchObject({ ...check, isPrecipitating: null, reason: 'http 500' });

    // The next sweep is an interval later, or after a clock jump, and none after the end.
    calls.length = 0;
    clock.advance(299_499);
    await watch.sweepNow({ center: { lat: -45, lng: 7 }, radiusKm: 1 });
    expect(calls).toEqual([]);
    clock.advance(300_000);
    await expect.poll(() => calls.length).toBe(3);
    clock.jump(3_600_000);
    await expect.poll(() => calls.length).toBe(6);
    await watch.close();
    clock.advance(900_000);
    clock.jump(3_600_000);
    watch.wake();
    await watch.sweepNow();
    expect(calls).toHaveLength(6);
  });

  test('goes on if the batch or the evidence fails, and after a failure itself', async () => {
    const fail = () => Promise.reject(new Error('no'));
    let isFailing = true;
    const { watch, clock, lines, planned, calls } = await startWatch({
      prepare: fail,
      observe: fail,
      claim: async () => (isFailing ? fail() : 0),
    });
    await watch.sweepNow();
    const messages = () =>
      lines.filter(({ msg }) => msg !== 'no weather for a cell').map(({ level, msg }) => [level, msg]);
    const batch = [40, 'batch weather request failed; requesting each cell separately'];
    expect(messages()).toEqual([batch, [50, 'a sweep failed; trying again on the next one']]);
    // No process waits for the end of a lease.
    expect(await planned()).toEqual(Array(3).fill([1_000_000_500, 0]));
    isFailing = false;
    lines.length = 0;
    await watch.sweepNow();
    expect(messages()).toEqual([batch, [40, 'evidence was not recorded']]);
    expect(await planned()).toEqual(Array(3).fill([1_000_300_000, 0]));
    expect(calls).toEqual([]);
    expect(clock.now()).toBe(1_000_000_500);
    await watch.close();
  });
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
