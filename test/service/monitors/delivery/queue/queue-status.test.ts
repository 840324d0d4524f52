// What metrics and operators see of the queue and of the checks of cells.
import { describe, expect, it } from 'vitest';
import { busiestHosts, readQueue } from '#service/monitors/delivery/outbox.ts';
import { readSweep } from '#service/monitors/sweep/watched-cells.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

describe('the queue', () => {
  it('has the number of pending events, and how long the oldest has been due', async () => {
    const { db, addEvent } = await openDeliveryRows();
    expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 0, waiting: 0 });
    await addEvent('later', { due_at: startMs + 1 });
    expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 0, waiting: 1 });
    await addEvent('due', { due_at: startMs - 1_500 });
    await addEvent('sent', { due_at: startMs - 9_000, state: 'delivered' });
    expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 1.5, waiting: 2 });
  });

  it('has the hosts with the most pending events', async () => {
    const { db, addEvent } = await openDeliveryRows();
    for (const [index, host] of ['c', 'b', 'b', 'a', 'd', 'd', 'd', 'd'].entries()) {
      await addEvent(`e${index}`, { host, state: host === 'd' ? 'failed' : 'waiting' });
    }
    const all = [
      { host: 'b', waiting: 2 },
      { host: 'a', waiting: 1 },
      { host: 'c', waiting: 1 },
    ];
    expect(await busiestHosts(db, 9)).toEqual(all);
    expect(await busiestHosts(db, 2)).toEqual(all.slice(0, 2));
  });
});

describe('the checks of cells', () => {
  it('have the number of cells, and how long the oldest has been due', async () => {
    const { db } = await openDeliveryRows();
    expect(await readSweep(db, startMs)).toEqual({ lagSeconds: 0, cells: 0 });
    const add = (cell: string, next_look_at: number) =>
      db
        .insertInto('watch_cells')
        .values({ cell, latitude: 45, longitude: 7, monitor_count: 1, next_look_at, held_until: 0 })
        .execute();
    await add('x', startMs + 1);
    expect(await readSweep(db, startMs)).toEqual({ lagSeconds: 0, cells: 1 });
    await add('y', startMs - 2_500);
    expect(await readSweep(db, startMs)).toEqual({ lagSeconds: 2.5, cells: 2 });
  });
});
