// All sources of a cell together, over HTTP: forecast, radar, and airports.
import { describe, expect, it } from 'vitest';
import type { Config } from '#service/config/config.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import { instant, metDocument, symbol } from '#test/service/weather/providers/met-norway/met-documents.ts';
import { openMeteoBody } from '#test/service/weather/providers/open-meteo/open-meteo-body.ts';
import { nowhere, serveWeatherOf } from '#test/service/weather/weather-harness.ts';
import { now, openWeather } from '#test/service/weather/weather-parts.ts';

const oslo = { lat: 59.9, lng: 10.7 };
const turin = { lat: 45.1, lng: 7.7 };
const time = new Date(now).toISOString();
const step = { time, data: { ...instant({ precipitation_rate: 0.7 }), next_1_hours: symbol('rain') } };
const radar = metDocument([step], { radar_coverage: 'ok', updated_at: time });
const airport = { icaoId: 'ENGM', lat: 59.9, lon: 10.7, obsTime: now / 1_000, wxString: '-RA', rawOb: 'ENGM -RA' };

/** Serves as every provider. */
async function start(changes: Partial<Config> = {}) {
  const requests: string[] = [];
  const url = await serveWeatherOf((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any.test');
    requests.push(`${pathname} by ${request.headers['user-agent']}`);
    if (pathname.includes('nowcast')) response.end(JSON.stringify(radar));
    else if (pathname.includes('locationforecast')) response.end(JSON.stringify(metDocument([step])));
    else response.end(pathname.includes('metar') ? JSON.stringify([airport]) : openMeteoBody(oslo, now));
  });
  const urls = { openMeteoUrl: url, metNorwayUrl: url, metarUrl: url, metNorwayContact: 'tester@example.org' };
  const { weather, clock, logged } = await openWeather({ provider: 'auto', ...urls, ...changes });
  const paths = () => requests.map((each) => each.replace(/ by .*/, '')).toSorted();
  return { clock, weather: weather.observed, requests, paths, logged };
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

  it('of a provider without a contact is missing; the log and the response name the setting', async () => {
    const { logged, weather, requests } = await start({ provider: 'met-norway', metNorwayContact: undefined });
    await expect(weather.weatherOf(oslo)).rejects.toThrow('RAINBELL_MET_NORWAY_CONTACT');
    expect(requests.filter((request) => !request.startsWith(paths.airports))).toEqual([]);
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
  it('are none beside a chosen provider without radar', async () => {
    const chosen = await start({ provider: 'open-meteo', openMeteoUrl: nowhere });
    expect(await chosen.weather.radarMinutesOf(oslo)).toBeUndefined();
    expect(chosen.requests).toEqual([]);
  });

  it('are simulated if the weather is', async () => {
    const chosen = await start({ provider: 'simulation' });
    const fallback = await start({ openMeteoUrl: nowhere, metNorwayUrl: nowhere, metarUrl: nowhere });
    for (const { weather, clock } of [chosen, fallback]) {
      const simulated = createSimulation({ clock, isDry: true }).radarMinutes(turin);
      expect(await weather.radarMinutesOf(turin)).toEqual(simulated);
    }
  });
});

describe('the end of a service', () => {
  it('ends requests without counting them as failures', async () => {
    const { weather, requests } = await start();
    await weather.endRequests();
    expect((await weather.weatherOf(turin)).source).toBe('simulation');
    expect(weather.source.describe().provider).toEqual({ choice: 'auto', lastAnswered: 'simulation', lastErrors: [] });
    expect([weather.source.pause(), requests]).toEqual([undefined, []]);
  });
});
