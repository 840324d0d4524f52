// What providers said survives a restart, on SQLite and on PostgreSQL, within bounds.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { createWeatherStore } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { nowhere, serveWeatherOf, startWeatherService } from './weather-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const recorded = readFileSync(
  new URL('../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url),
  'utf8',
);
const recordedNow = Date.parse('2025-02-05T20:15:00Z');
const log = pino({ level: 'silent' });

describe('a service that starts again', () => {
  it('serves at once what it has stored, without a request', async () => {
    let asked = 0;
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      asked += 1;
      response.end(recorded);
    });
    const dataFolder = temporaryFolder();
    const before = await startWeatherService({ openMeteoUrl, dataFolder }, createManualClock(recordedNow));
    const known = await before.points(48, 15);
    await before.close();
    const after = await startWeatherService({ openMeteoUrl, dataFolder }, createManualClock(recordedNow + 60_000));
    const [first, ...hours] = await after.points(48, 15);
    expect(asked).toBe(1);
    expect(first?.timestamp).toBe('2025-02-05T20:16:00');
    expect(hours.map((point) => point.weather)).toEqual(known.slice(1).map((point) => point.weather));
  });

  it('shows it with its own times when it is hours old and the provider is gone, and drops it after six', async () => {
    const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(recorded));
    const dataFolder = temporaryFolder();
    const before = await startWeatherService({ openMeteoUrl, dataFolder }, createManualClock(recordedNow));
    await before.points(48, 15);
    await before.close();
    const threeHours = 3 * 3_600_000;
    const settings = { openMeteoUrl: nowhere, dataFolder };
    const after = await startWeatherService(settings, createManualClock(recordedNow + threeHours));
    expect((await after.points(48, 15))[0]).toMatchObject({
      timestamp: '2025-02-05T23:15:00',
      sources: ['open-meteo', 'stored'],
    });
    await after.close();
    const late = await startWeatherService(settings, createManualClock(recordedNow + 3 * threeHours));
    expect((await late.points(48, 15))[0]?.sources).toEqual(['simulation']);
  });
});

describe.each(engines)('stored weather on %s', (engine) => {
  async function openStore(mostRows: number) {
    const location = await newDatabase(engine, temporaryFolder());
    const clock = createManualClock(recordedNow);
    const database = await openServiceDatabase({ ...location, clock, log });
    onTestFinished(() => database.close());
    const open = () => createWeatherStore({ db: database.db, clock, log, maxRows: mostRows });
    const count = async () => (await database.db.selectFrom('weather_cache').select('cell').execute()).length;
    return { open, count };
  }

  const weather: CellWeather = {
    source: 'open-meteo',
    grid: { lat: 48, lng: 15 },
    fetchedAt: recordedNow,
    freshUntil: recordedNow + 60_000,
    validators: { lastModified: 'Wed, 05 Feb 2025 20:00:00 GMT' },
    steps: [{ at: recordedNow, status: 'sunny', measured: { temperature: 280.15 } }],
    rainfall: [],
  };

  it('comes back as it was, the latest of a cell and each provider its own', async () => {
    const { open } = await openStore(100);
    const store = open();
    void store.save('open-meteo', '48.0,15.0', { ...weather, steps: [] });
    void store.save('open-meteo', '48.0,15.0', weather);
    void store.save('met-norway', '48.0,15.0', { ...weather, source: 'met-norway' });
    await store.close();
    void store.save('open-meteo', '48.0,15.0', { ...weather, fetchedAt: recordedNow + 1 });
    await store.close();
    const reader = open();
    expect(await reader.load<CellWeather>('open-meteo', '48.0,15.0')).toEqual({
      ...weather,
      fetchedAt: recordedNow + 1,
    });
    expect((await reader.load<CellWeather>('met-norway', '48.0,15.0'))?.source).toBe('met-norway');
    expect(await reader.load('met-norway', '48.0,15.1')).toBeUndefined();
  });

  it('stays within its number of rows, the oldest leave first, and what is too old to be shown leaves too', async () => {
    const { open, count } = await openStore(50);
    const store = open();
    void store.save('open-meteo', 'ancient', { ...weather, fetchedAt: recordedNow - 7 * 3_600_000 });
    void store.save('open-meteo', 'future', { ...weather, fetchedAt: recordedNow + 7 * 3_600_000 });
    for (let index = 0; index < 450; index += 1) {
      void store.save('open-meteo', `cell ${index}`, { ...weather, fetchedAt: recordedNow - 450_000 + index * 1000 });
    }
    await store.close();
    expect(await count()).toBeLessThanOrEqual(250);
    expect(await store.load('open-meteo', 'ancient')).toBeUndefined();
    expect(await store.load('open-meteo', 'future')).toBeUndefined();
    expect(await store.load('open-meteo', 'cell 449')).toBeDefined();
    expect(await store.load('open-meteo', 'cell 0')).toBeUndefined();
  });
});

describe('two processes on one database', () => {
  it('ask a provider once', async () => {
    let asked = 0;
    const openMeteoUrl = await serveWeatherOf((_request, response) => {
      asked += 1;
      response.end(recorded);
    });
    const dataFolder = temporaryFolder();
    const clock = createManualClock(recordedNow);
    const [one, other] = [
      await startWeatherService({ openMeteoUrl, dataFolder }, clock),
      await startWeatherService({ openMeteoUrl, dataFolder }, clock),
    ];
    await one.points(48, 15);
    await expect
      .poll(async () => ((await one.sandbox('GET', 'state')) as { cache: { cells: number } }).cache.cells)
      .toBe(1);
    await other.points(48, 15);
    expect(asked).toBe(1);
  });
});
