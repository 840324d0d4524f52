// All sources of a cell together, over HTTP: forecast, radar, and airports.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { type Config, configWith } from '#service/config/config.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import { ObservedWeather } from '#service/weather/sources/observed-weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { instant, metDocument, symbol } from '#test/service/weather/providers/met-norway/met-documents.ts';
import { memoryStoredWeather } from '#test/service/weather/memory-weather-store.ts';
import { nowhere, serveWeatherOf } from '#test/service/weather/weather-harness.ts';

const recorded = readFileSync(
  new URL('../../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url),
  'utf8',
);
const now = Date.parse('2025-02-05T20:15:00Z');
const minute = 60_000;
const oslo = { lat: 59.9, lng: 10.7 };
const turin = { lat: 45.1, lng: 7.7 };
const time = new Date(now).toISOString();
const later = new Date(now + 5 * minute).toISOString();
const radar = metDocument(
  [
    { time, data: { ...instant({ precipitation_rate: 0.7 }), next_1_hours: symbol('rain') } },
    { time: later, data: instant({ precipitation_rate: 0.1 }) },
  ],
  { radar_coverage: 'ok', updated_at: time },
);
const forecast = metDocument([{ time, data: { ...instant(), next_1_hours: symbol('fog') } }]);
const airport = { icaoId: 'ENGM', lat: 59.9, lon: 10.7, obsTime: now / 1_000, wxString: '-RA', rawOb: 'ENGM -RA' };

/** Serves as every provider; `gone` are not running. */
async function start(changes: Partial<Config> = {}, gone: readonly ('open-meteo' | 'met' | 'metar')[] = []) {
  const requests: string[] = [];
  const url = await serveWeatherOf((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any.test');
    requests.push(`${pathname} by ${request.headers['user-agent']}`);
    if (pathname.includes('nowcast')) response.end(JSON.stringify(radar));
    else if (pathname.includes('locationforecast')) response.end(JSON.stringify(forecast));
    else response.end(pathname.includes('metar') ? JSON.stringify([airport]) : recorded);
  });
  const urlOf = (name: (typeof gone)[number]) => (gone.includes(name) ? nowhere : url);
  const clock = createManualClock(now);
  let isClosed = false;
  const logged: string[] = [];
  const weather = new ObservedWeather({
    config: configWith({
      provider: 'auto',
      openMeteoUrl: urlOf('open-meteo'),
      metNorwayUrl: urlOf('met'),
      metarUrl: urlOf('metar'),
      metNorwayContact: 'tester@example.org',
      ...changes,
    }),
    clock,
    machineClock: clock,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    stored: memoryStoredWeather(() => (isClosed = true)),
    random: () => 0,
    countPlaces: async () => 0,
  });
  onTestFinished(() => weather.endRequests());
  const paths = () => requests.map((each) => each.replace(/ by .*/, '')).toSorted();
  return { clock, weather, requests, paths, logged, isClosed: () => isClosed };
}

const paths = {
  openMeteo: '/v1/forecast',
  forecast: '/weatherapi/locationforecast/2.0/compact',
  radar: '/weatherapi/nowcast/2.0/complete',
  airports: '/api/data/metar',
};

describe('the weather of a cell', () => {
  it('combines forecast, radar, and airports, each asked by its own name, with the evidence of each if it is watched', async () => {
    const { weather, requests } = await start();
    const { current, observed, wetBy } = weatherAt(await weather.weatherOf(oslo), oslo, now);
    expect(current?.sources).toEqual(['metar:ENGM', 'met-norway-nowcast', 'open-meteo']);
    expect([wetBy?.source, observed]).toEqual(['metar:ENGM', undefined]);
    const service = 'Rainbell/0.1 (a weather service for developers)';
    expect(requests.toSorted()).toEqual([
      `${paths.airports} by ${service}`,
      `${paths.openMeteo} by ${service}`,
      `${paths.radar} by Rainbell/0.1 tester@example.org`,
    ]);
    const watched = await weather.weatherOf(oslo, true);
    expect(watched.rainfallBy?.source).toBe('met-norway-nowcast');
    expect(watched.observed?.map(({ kind, source }) => [kind, source])).toEqual([
      ['station', 'metar:ENGM'],
      ['radar', 'met-norway-nowcast'],
      ['analysis', 'open-meteo'],
    ]);
  });

  it('has radar only in the Nordic area, and not beside a chosen Open-Meteo', async () => {
    const auto = await start();
    await auto.weather.weatherOf(turin);
    const chosen = await start({ provider: 'open-meteo' });
    await chosen.weather.weatherOf(oslo);
    for (const { paths: asked } of [auto, chosen]) expect(asked()).toEqual([paths.airports, paths.openMeteo]);
    const met = await start({ provider: 'met-norway' });
    expect((await met.weather.weatherOf(oslo)).source).toBe('met-norway');
    expect(met.paths()).toEqual([paths.airports, paths.forecast, paths.radar]);
  });

  it('of a provider without a contact is missing, which is logged with the setting', async () => {
    const { logged } = await start({ provider: 'met-norway', metNorwayContact: undefined });
    expect(logged).toEqual([expect.stringContaining('RAINBELL_MET_NORWAY_CONTACT')]);
    const others = [await start({ provider: 'met-norway' }), await start({ metNorwayContact: undefined })];
    expect(others.flatMap((other) => other.logged)).toEqual([]);
  });

  it('of the chosen simulation asks no one, and is its own evidence if it is watched', async () => {
    const { weather, requests } = await start({ provider: 'simulation' });
    const unwatched = await weather.weatherOf(turin);
    expect(unwatched).toMatchObject({ source: 'simulation' });
    expect(unwatched.observed).toBeUndefined();
    const { observed } = await weather.weatherOf(turin, true);
    expect(observed).toMatchObject([{ kind: 'analysis', source: 'simulation' }]);
    await weather.prepare([turin]);
    expect(requests).toEqual([]);
  });
});

describe('the radar’s minutes', () => {
  const simulated = (cell: LatLng, at = now) => createSimulation({ clock: createManualClock(at) }).radarMinutes(cell);

  it('are none elsewhere, or beside a chosen provider without radar', async () => {
    const { weather } = await start();
    expect(await weather.radarMinutesOf(turin)).toBeUndefined();
    const chosen = await start({ provider: 'open-meteo' }, ['open-meteo']);
    expect(await chosen.weather.radarMinutesOf(oslo)).toBeUndefined();
    expect(chosen.requests).toEqual([]);
  });

  it('are simulated if the weather is', async () => {
    const chosen = await start({ provider: 'simulation' });
    expect(await chosen.weather.radarMinutesOf(oslo)).toEqual(simulated(oslo));
    const fallback = await start({}, ['open-meteo', 'met', 'metar']);
    expect(await fallback.weather.radarMinutesOf(turin)).toEqual(simulated(turin));
  });
});

describe('the end of a service', () => {
  it('ends requests without counting them as failures, and closes the store', async () => {
    const { weather, isClosed, requests } = await start();
    await weather.endRequests();
    expect((await weather.weatherOf(turin)).source).toBe('simulation');
    expect(weather.source.describe().provider).toEqual({ choice: 'auto', lastAnswered: 'simulation', lastErrors: [] });
    expect([weather.source.pause(), requests]).toEqual([undefined, []]);
    await weather.close();
    expect(isClosed()).toBe(true);
  });
});
