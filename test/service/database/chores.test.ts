// Work that one process does for all on a database.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { doChore } from '#service/database/chores.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const hourMs = 3_600_000;

describe.each(engines)('a chore on %s', (engine) => {
  async function start() {
    const clock = createManualClock();
    const location = await newDatabase(engine, temporaryFolder());
    const { db, close } = await openServiceDatabase({ ...location, clock, log: pino({ level: 'silent' }) });
    onTestFinished(close);
    const done: { by: string; since: number }[] = [];
    const hour = (by: string, aheadMs = 0, isDue = async () => true) => {
      const own = { ...clock, now: () => clock.now() + aheadMs };
      return doChore({ db, clock: own, name: 'sweep', isDue, work: async (since) => void done.push({ by, since }) });
    };
    return { clock, db, done, hour };
  }

  it('is done by one of three processes, once an hour', async () => {
    const { clock, done, hour } = await start();
    const startedAt = clock.now();
    for (let count = 0; count < 3; count += 1) {
      await Promise.all(['one', 'two', 'three'].map((name) => hour(name)));
      clock.advance(hourMs);
    }
    expect(done.map(({ since }) => since)).toEqual([0, startedAt, startedAt + hourMs]);
  });

  it('is done anyway when a process with a wrong clock took it in a year from now', async () => {
    const { clock, done, hour } = await start();
    await hour('wrong', 365 * 24 * hourMs);
    clock.advance(hourMs);
    await hour('right');
    expect(done.map(({ by }) => by)).toEqual(['wrong', 'right']);
  });

  it('that is not due writes nothing, and is done as soon as it is', async () => {
    const { db, done, hour } = await start();
    await hour('early', 0, async () => false);
    expect(await db.selectFrom('chores').selectAll().execute()).toEqual([]);
    await hour('due');
    expect(done).toHaveLength(1);
  });
});
