// A sweep whose weather comes slowly (docs/interface.md §6): processes that share the cells share the waiting, and each
// gives back in time what it did not look at, so that no cell at which one process still looks is taken by another, and
// every cell is checked once.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { Sweeper, type PrecipitationAt } from '#service/monitors/sweep/sweep.ts';
import { createWatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { type Engine, engines, newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const log = pino({ level: 'silent' });

async function cellsToWatch(engine: Engine, count: number) {
  const clock = createManualClock();
  const database = await openServiceDatabase({ ...(await newDatabase(engine, temporaryFolder())), clock, log });
  onTestFinished(() => database.close());
  const rows = Array.from({ length: count }, (_, index) => ({
    cell: `cell-${index}`,
    latitude: index,
    longitude: 7,
    monitor_count: 1,
    next_look_at: 0,
    held_until: 0,
  }));
  await database.db.insertInto('watch_cells').values(rows).execute();
  const others = createWatchedCells(database);
  const watchWith = (precipitationAt: PrecipitationAt) => {
    const store = createWatchedCells(database);
    const watch = new Sweeper({
      clock,
      log,
      store,
      intervalMs: 3_600_000,
      claim: async () => 0,
      precipitationAt,
    });
    onTestFinished(() => watch.close());
    return watch;
  };
  return { clock, rows, watchWith, takenByOthers: async () => (await others.take(clock.now(), 10_000)).length };
}

describe.each(engines)('on %s, with a second for each look', (engine) => {
  it('no cell is taken twice, and all are checked', async () => {
    const { clock, rows, watchWith, takenByOthers } = await cellsToWatch(engine, 150);
    const looked: number[] = [];
    let twice = 0;
    const watch = watchWith(async ({ lat }) => {
      looked.push(lat);
      clock.advance(1_000);
      twice += await takenByOthers();
      return { isPrecipitating: false };
    });
    await watch.sweepNow();
    expect(twice).toBe(0);
    expect(looked.toSorted((one, other) => one - other)).toEqual(rows.map(({ latitude }) => latitude));
  });

  it('other processes find cells to look at from the first moment, however few there are in all', async () => {
    const { clock, watchWith, takenByOthers } = await cellsToWatch(engine, 700);
    let found: Promise<number> | undefined;
    const watch = watchWith(async () => {
      clock.advance(1_000);
      await (found ??= takenByOthers());
      return { isPrecipitating: false };
    });
    await watch.sweepNow();
    expect(await found).toBe(200);
  });
});
