// The rows of stored weather: which are read, how many are written at once, and which are deleted.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createWeatherStore } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const hour = 3_600_000;
const log = pino({ level: 'silent' });

async function start({ maxRows = 100 } = {}) {
  const clock = createManualClock(now);
  const location = await newDatabase('sqlite', temporaryFolder());
  const database = await openServiceDatabase({ ...location, clock, log });
  onTestFinished(() => database.close());
  const { db } = database;
  const store = createWeatherStore({ db, clock, log, maxRows });
  const save = (from: number, to: number, fetchedAt = (index: number) => now + index) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        store.save('met', `cell ${from + index}`, { fetchedAt: fetchedAt(from + index) }),
      ),
    );
  const cells = async () =>
    (await db.selectFrom('weather_cache').select('cell').orderBy('fetched_at').execute()).map(({ cell }) => cell);
  return { clock, database, db, store, save, cells };
}

describe('stored weather', () => {
  it('is read as a row of its provider, cell, and format', async () => {
    const { db, store } = await start();
    await store.save('met', 'a', { fetchedAt: now });
    expect(await db.selectFrom('weather_cache').selectAll().execute()).toEqual([
      { provider: 'met', cell: 'a', fetched_at: now, shape: 2, body: `{"fetchedAt":${now}}` },
    ]);
    await store.save('met', 'b', { fetchedAt: now + 1 });
    await store.save('x', 'a', { fetchedAt: now + 2 });
    expect(Object.fromEntries(await store.loadMany('met', ['b', 'c', 'a']))).toEqual({
      a: { fetchedAt: now },
      b: { fetchedAt: now + 1 },
    });
    await db.updateTable('weather_cache').set({ shape: 1 }).execute();
    expect(await store.load('met', 'a')).toBeUndefined();
    await store.save('met', 'a', { fetchedAt: now + 3 });
    expect(await store.load('met', 'a')).toEqual({ fetchedAt: now + 3 });
  });

  it('is written after the response, all that arrives until then together', async () => {
    const { store, save, cells } = await start({ maxRows: 1_000 });
    const writing = save(0, 120);
    expect(store.save('met', 'cell 0', { fetchedAt: now + 500 })).toBe(
      store.save('met', 'last', { fetchedAt: now + 501 }),
    );
    expect(await cells()).toEqual([]);
    await writing;
    const stored = await cells();
    expect([stored.length, stored.at(-2), stored.at(-1)]).toEqual([121, 'cell 0', 'last']);
    await store.save('met', 'next', { fetchedAt: now + 502 });
    expect((await cells()).at(-1)).toBe('next');
  });

  it('is written before the store closes', async () => {
    const { store, save, cells } = await start();
    await store.close();
    void save(0, 60);
    await store.close();
    expect(await cells()).toHaveLength(60);
  });

  it('is optional: a database that fails is as good as an empty one', async () => {
    const { store, database } = await start();
    await store.save('met', 'a', { fetchedAt: now });
    await database.close();
    await expect(store.save('met', 'b', { fetchedAt: now })).resolves.toBeUndefined();
    expect([await store.load('met', 'a'), (await store.loadMany('met', ['a'])).size]).toEqual([undefined, 0]);
  });
});

describe('old rows', () => {
  it('are deleted with the first write, if they are more than six hours old or ahead', async () => {
    const { store, cells, clock } = await start();
    const ages = { ancient: 6 * hour + 1, old: 6 * hour, far: -6 * hour, farther: -6 * hour - 1 };
    clock.advance(1_000);
    for (const [key, age] of Object.entries(ages)) void store.save('met', key, { fetchedAt: now + 1_000 - age });
    await store.close();
    expect(await cells()).toEqual(['old', 'far']);
  });

  it('are deleted beyond the limit, oldest first, with the first write and every 200th row', async () => {
    const { save, cells } = await start({ maxRows: 3 });
    await save(0, 5);
    expect(await cells()).toEqual(['cell 2', 'cell 3', 'cell 4']);
    await save(5, 204);
    expect(await cells()).toHaveLength(202);
    await save(204, 205);
    expect(await cells()).toEqual(['cell 202', 'cell 203', 'cell 204']);
  });

  it('of the same time as the last one within the limit stay', async () => {
    const { save, cells } = await start({ maxRows: 3 });
    await save(0, 5, () => now);
    expect(await cells()).toHaveLength(5);
  });

  it('stay within the limit', async () => {
    const { save, cells } = await start({ maxRows: 5 });
    await save(0, 5);
    expect(await cells()).toHaveLength(5);
  });

  it('are searched once in a twentieth of the limit', async () => {
    const { store, save, cells } = await start({ maxRows: 8_000 });
    await store.save('met', 'first', { fetchedAt: now });
    await store.save('met', 'ancient', { fetchedAt: now - 7 * hour });
    await save(0, 398);
    expect(await cells()).toContain('ancient');
    await save(398, 399);
    expect(await cells()).not.toContain('ancient');
  });
});
