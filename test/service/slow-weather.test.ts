// A sweep whose weather comes slowly (§6): it gives back in time what it did not look at, so that no cell that one process still
// looks at is taken by another, and every cell is looked at once.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#service/database/open-database.ts';
import { createPrecipitationWatch } from '#service/watch/precipitation-watch.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { engines, newDatabase } from './engines.ts';
import { temporaryFolder } from './monitor-service.ts';

const log = pino({ level: 'silent' });
const cellCount = 150;

describe.each(engines)('on %s, with a second for each look', (engine) => {
  it('no cell is taken twice, and all are looked at', async () => {
    const clock = createManualClock();
    const database = await openDatabase({ ...(await newDatabase(engine, await temporaryFolder())), clock, log });
    onTestFinished(() => database.close());
    const rows = Array.from({ length: cellCount }, (_, index) => ({
      cell: `cell-${index}`,
      latitude: index,
      longitude: 7,
      monitor_count: 1,
      next_look_at: 0,
      held_until: 0,
    }));
    await database.db.insertInto('watch_cells').values(rows).execute();
    const [own, others] = [createWatchStore(database), createWatchStore(database)];
    const looked: number[] = [];
    const takenByOthers: string[] = [];
    const watch = createPrecipitationWatch({
      clock,
      log,
      store: own,
      intervalMs: 3_600_000,
      claim: async () => 0,
      async precipitationAt({ lat }) {
        looked.push(lat);
        clock.advance(1_000);
        takenByOthers.push(...(await others.take(clock.now(), 10)).map(({ cell }) => cell));
        return { isPrecipitating: false };
      },
    });
    onTestFinished(() => watch.close());
    await watch.sweepNow();
    expect(takenByOthers).toEqual([]);
    expect(looked.toSorted((one, other) => one - other)).toEqual(rows.map(({ latitude }) => latitude));
  });
});
