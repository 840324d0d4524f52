// Processes on one PostgreSQL ask a provider once for a cell, and a sweep asks for many cells in one request.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { type Config, configWith } from '#service/config/config.ts';
import { ObservedWeather } from '#service/weather/sources/observed-weather.ts';
import { createWeatherStore } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '#test/service/engines.ts';
import { instant, metDocument } from './providers/met-norway/met-documents.ts';
import { bodyFor, openMeteoBody, placesOf } from './providers/open-meteo/open-meteo-body.ts';
import { nowhere, serveWeatherOf } from './weather-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const clock = createManualClock(Date.parse('2025-02-05T20:15:00Z'));
const log = pino({ level: 'silent' });

/** Answers for all requested places, and records them. */
async function startOpenMeteo() {
  const requests: string[][] = [];
  const url = await serveWeatherOf((request, response) => {
    const places = placesOf(request);
    requests.push(places.map(({ lng }) => String(lng)));
    response.end(bodyFor(places, (place) => openMeteoBody(place, clock.now())));
  });
  return { url, requests };
}

/** On a busy machine, everything takes longer, so the service waits for all and shows no older weather instead. */
const patientClock: Clock = {
  ...systemClock,
  after: (ms, run) => (ms < 100 ? systemClock.after(ms, run) : () => {}),
};

async function startTwo(changes: Partial<Config>) {
  const location = await newDatabase('postgres', temporaryFolder());
  const held: (() => Promise<number>)[] = [];
  const config = configWith({ openMeteoUrl: nowhere, metNorwayUrl: nowhere, metarUrl: nowhere, ...changes });
  const processes = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const database = await openServiceDatabase({ ...location, clock: systemClock, log });
      const weather = new ObservedWeather({
        config,
        clock,
        machineClock: patientClock,
        log,
        store: createWeatherStore({ db: database.db, clock, log, maxRows: async () => 10_000 }),
        fleet: database.db,
        random: () => 0.5,
        countPlaces: async () => 0,
      });
      held.push(async () => (await database.db.selectFrom('weather_lookups').select('cell').execute()).length);
      onTestFinished(async () => {
        await weather.endRequests();
        await weather.close();
        await database.close();
      });
      return weather;
    }),
  );
  /** How many cells a process has claimed to request them. */
  return { processes, held: held[0] };
}

const placesApart = (count: number): LatLng[] => Array.from({ length: count }, (_, index) => ({ lat: 45, lng: index }));

it('two processes that want the same cells at the same time ask once for each', async () => {
  const { url, requests } = await startOpenMeteo();
  const { processes, held } = await startTwo({ provider: 'open-meteo', openMeteoUrl: url, openMeteoBatch: 20 });
  const places = placesApart(10);
  const readings = await Promise.all(processes.flatMap((weather) => places.map((place) => weather.weatherOf(place))));
  expect(readings.map(({ source }) => source)).toEqual(Array(20).fill('open-meteo'));
  expect(requests.flat().toSorted()).toEqual(places.map(({ lng }) => String(lng)).toSorted());
  await expect.poll(async () => held?.()).toBe(0);
  // What is stored by then is old.
  clock.advance(20 * 60_000);
  const renewed = await Promise.all(processes.flatMap((weather) => places.map((place) => weather.weatherOf(place))));
  expect(new Set(renewed.map(({ fetchedAt }) => fetchedAt))).toEqual(new Set([clock.now()]));
});

it('a process whose requests fail, of one cell or of many, releases the cells', async () => {
  const openMeteoUrl = await serveWeatherOf((_request, response) => response.writeHead(400).end());
  const { processes, held } = await startTwo({ provider: 'open-meteo', openMeteoUrl });
  await expect(processes[0]?.weatherOf({ lat: 45, lng: 0 })).rejects.toThrow('it returned 400');
  await processes[0]?.prepare(placesApart(10));
  await expect.poll(async () => held?.()).toBe(0);
});

it('cells that are due together are requested in batches, by one of the processes, and checked without a request', async () => {
  const { url, requests } = await startOpenMeteo();
  const { processes } = await startTwo({ provider: 'open-meteo', openMeteoUrl: url, openMeteoBatch: 20 });
  const places = placesApart(40);
  await Promise.all(processes.map((weather) => weather.prepare(places)));
  const readings = await Promise.all(processes.flatMap((weather) => places.map((place) => weather.weatherOf(place))));
  expect(readings.every(({ source }) => source === 'open-meteo')).toBe(true);
  expect(requests.flat().toSorted()).toEqual(places.map(({ lng }) => String(lng)).toSorted());
  expect(requests.length).toBeLessThanOrEqual(4);
});

it('two processes that want the same airports and radar at the same time ask once for each', async () => {
  const asked: string[] = [];
  const serve = (name: string, body: unknown) =>
    serveWeatherOf((_request, response) => {
      asked.push(name);
      response.end(JSON.stringify(body));
    });
  const cell: LatLng = { lat: 60, lng: 10 };
  const time = new Date(clock.now()).toISOString();
  const step = { time, data: instant({ precipitation_rate: 1 }) };
  const radar = metDocument([step], { radar_coverage: 'ok', updated_at: time }, [10, 60, 20]);
  const station = {
    icaoId: 'ENXX',
    lat: 60,
    lon: 10,
    obsTime: clock.now() / 1000,
    rawOb: 'METAR ENXX -RA',
    wxString: '-RA',
  };
  const { processes } = await startTwo({
    provider: 'auto',
    openMeteoUrl: (await startOpenMeteo()).url,
    metarUrl: await serve('airports', [station]),
    metNorwayUrl: await serve('radar', radar),
    metNorwayContact: 'tests@rainbell.example',
  });
  const kindsOf = async (weather: (typeof processes)[number]) =>
    (await weather.weatherOf(cell, true)).observed?.map(({ kind }) => kind);
  const bothKinds = async () => Promise.all(processes.map(kindsOf));
  const all: unknown = expect.arrayContaining(['station', 'radar']);
  await expect.poll(bothKinds).toEqual([all, all]);
  expect(asked.toSorted()).toEqual(['airports', 'radar']);
});
