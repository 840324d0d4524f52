// What providers said survives a restart, on SQLite and on PostgreSQL, within bounds.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createWeatherStore } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { engines, newDatabase, type Engine } from '#test/service/engines.ts';
import { nowhere, serveWeatherOf, startWeatherService } from './weather-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const recorded = readFileSync(
  new URL('../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url),
  'utf8',
);
const now = Date.parse('2025-02-05T20:15:00Z');
const hour = 3_600_000;
const log = pino({ level: 'silent' });

describe('a service that starts again', () => {
  it('serves what it has stored: at once without a request, hours later with its own times, and not after six', async () => {
    let requests = 0;
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      requests += 1;
      response.end(recorded);
    });
    const dataFolder = temporaryFolder();
    const pointsAfter = async (ms: number, url = openMeteoUrl) => {
      const service = await startWeatherService({ openMeteoUrl: url, dataFolder }, createManualClock(now + ms));
      const points = await service.points(48, 15);
      await service.close();
      return points;
    };
    const known = await pointsAfter(0);
    const [first, ...hours] = await pointsAfter(60_000);
    expect(requests).toBe(1);
    expect(first?.timestamp).toBe('2025-02-05T20:16:00');
    expect(hours.map((point) => point.weather)).toEqual(known.slice(1).map((point) => point.weather));
    const [old] = await pointsAfter(3 * hour, nowhere);
    expect(old).toMatchObject({ timestamp: '2025-02-05T23:15:00', sources: ['open-meteo', 'stored'] });
    expect((await pointsAfter(9 * hour, nowhere))[0]?.sources).toEqual(['simulation']);
  });
});

async function openStore(engine: Engine, maxRows: number) {
  const clock = createManualClock(now);
  const database = await openServiceDatabase({ ...(await newDatabase(engine, temporaryFolder())), clock, log });
  onTestFinished(() => database.close());
  const { db } = database;
  const store = createWeatherStore({ db, clock, log, maxRows: async () => maxRows });
  const save = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        store.save('met', `cell ${from + index}`, { fetchedAt: now + from + index }),
      ),
    );
  const cells = async () =>
    (await db.selectFrom('weather_cache').select('cell').orderBy('fetched_at').execute()).map(({ cell }) => cell);
  return { database, db, store, save, cells };
}

describe.each(engines)('stored weather on %s', (engine) => {
  it('comes back as it was, the latest of a cell, each provider its own, and only in the present format', async () => {
    const { db, store } = await openStore(engine, 100);
    const weather = { fetchedAt: now + 1, steps: [{ at: now, status: 'sunny', measured: { temperature: 280.15 } }] };
    void store.save('met', 'a', { fetchedAt: now });
    void store.save('met', 'a', weather);
    void store.save('other', 'a', { fetchedAt: now + 2 });
    await store.close();
    expect(Object.fromEntries(await store.loadMany('met', ['b', 'a']))).toEqual({ a: weather });
    expect(await store.load('other', 'a')).toEqual({ fetchedAt: now + 2 });
    await db.updateTable('weather_cache').set({ shape: 1 }).execute();
    expect(await store.load('met', 'a')).toBeUndefined();
    await store.save('met', 'a', { fetchedAt: now + 3 });
    expect(await store.load('met', 'a')).toEqual({ fetchedAt: now + 3 });
  });

  it('is deleted beyond the limit, oldest first, with the first write and every 200th row, and when it is too old', async () => {
    const { store, save, cells } = await openStore(engine, 3);
    const ages = { ancient: 6 * hour + 1, old: 6 * hour, far: -6 * hour, farther: -6 * hour - 1 };
    for (const [key, age] of Object.entries(ages)) void store.save('met', key, { fetchedAt: now - age });
    await store.close();
    expect(await cells()).toEqual(['old', 'far']);
    await save(0, 199);
    expect(await cells()).toHaveLength(201);
    await save(199, 200);
    expect(await cells()).toEqual(['cell 198', 'cell 199', 'far']);
  });
});

describe('the store', () => {
  it('writes after the response, all that arrives until then together, and before it closes', async () => {
    const { store, save, cells } = await openStore('sqlite', 1_000);
    void save(0, 120);
    expect(store.save('met', 'cell 0', { fetchedAt: now + 500 })).toBe(
      store.save('met', 'last', { fetchedAt: now + 501 }),
    );
    expect(await cells()).toEqual([]);
    await store.close();
    const stored = await cells();
    expect([stored.length, stored.at(-2), stored.at(-1)]).toEqual([121, 'cell 0', 'last']);
  });

  it('is optional: a database that fails is as good as an empty one', async () => {
    const { store, database } = await openStore('sqlite', 100);
    await store.save('met', 'a', { fetchedAt: now });
    await database.close();
    await expect(store.save('met', 'b', { fetchedAt: now })).resolves.toBeUndefined();
    expect([await store.load('met', 'a'), (await store.loadMany('met', ['a'])).size]).toEqual([undefined, 0]);
  });
});
