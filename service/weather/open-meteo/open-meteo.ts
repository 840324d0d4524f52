// Open-Meteo as a provider. Terms: the free host is for non-commercial use, CC BY 4.0, with the link "Weather data by
// Open-Meteo.com" next to the data. Host and key are settings.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { FetchJson } from '#service/weather/fetch/provider-http.ts';
import { type CellWeather, type Provider, ProviderFailure } from '#service/weather/reading/reading.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Fleet } from '#service/limits/limiter.ts';
import { createRequestBudget, type RequestBudget } from '#service/weather/fetch/request-budget.ts';
import { openMeteoName, readOpenMeteo } from './read-open-meteo.ts';

const values =
  'weather_code,precipitation,temperature_2m,relative_humidity_2m,dew_point_2m,pressure_msl,wind_speed_10m,wind_direction_10m';

type Options = {
  clock: Clock;
  fleet?: Fleet;
  baseUrl: string;
  apiKey: string | undefined;
  fetchJson: FetchJson;
  /** Maximum places per request; the host accepts 1,000, with about 10 KB of response for each. */
  batchSize: number;
};

/**
 * The free host allows 600 a minute, 5,000 an hour, and 10,000 a day, and counts our requests, with over ten variables, about
 * double.
 */
const freeHost = 'api.open-meteo.com';
const freeLimits = [
  { seconds: 60, max: 250 },
  { seconds: 3_600, max: 2_400 },
  { seconds: 86_400, max: 4_800 },
];

type OpenMeteo = Provider & { budget: RequestBudget };

export function createOpenMeteo({ baseUrl, apiKey, fetchJson, clock, fleet, batchSize }: Options): OpenMeteo {
  const hostname = new URL(baseUrl).hostname;
  const budget = createRequestBudget(fleet, openMeteoName, hostname === freeHost ? freeLimits : []);

  /** The host counts places, not requests. */
  async function request(cells: readonly LatLng[]): Promise<unknown> {
    const spent = await budget.take(cells.length);
    if (spent) {
      const retryAfterSeconds = spent.waitSeconds;
      throw new ProviderFailure(openMeteoName, 'its request quota for this service is used up', { retryAfterSeconds });
    }
    return fetchJson(openMeteoName, openMeteoAddress(baseUrl, apiKey, cells), cells.length);
  }

  return {
    name: openMeteoName,
    budget,
    fetch: async (cell) => readOpenMeteo(await request([cell]), clock.now()),
    batch: {
      size: batchSize,
      async fetch(cells) {
        const body = await request(cells);
        const bodies = Array.isArray(body) ? (body as unknown[]) : [body];
        // One error applies to all of them.
        if (bodies.length !== cells.length) readOpenMeteo(body, clock.now());
        const readings: (CellWeather | undefined)[] = [];
        for (const one of bodies) {
          readings.push(tryToRead(one, clock.now()));
          // Parsing one takes about a millisecond; lets requests run in between.
          await nextTurn();
        }
        return readings;
      },
    },
  };
}

/** Leaves a place that cannot be parsed to a separate request, which throws the reason. */
function tryToRead(body: unknown, now: number): CellWeather | undefined {
  try {
    return readOpenMeteo(body, now);
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}

/** Appends `/v1/forecast` to the base URL unless it already ends with such a path (a mirror's). */
export function openMeteoAddress(baseUrl: string, apiKey: string | undefined, cells: readonly LatLng[]): URL {
  const address = new URL(baseUrl);
  if (!address.pathname.endsWith('/forecast')) {
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/v1/forecast`;
  }
  const query = {
    latitude: cells.map(({ lat }) => lat).join(),
    longitude: cells.map(({ lng }) => lng).join(),
    current: values,
    hourly: `${values},snowfall`,
    minutely_15: 'precipitation',
    forecast_hours: '74',
    forecast_minutely_15: '12',
    timezone: 'GMT',
    timeformat: 'unixtime',
    ...(apiKey === undefined ? {} : { apikey: apiKey }),
  };
  for (const [name, text] of Object.entries(query)) address.searchParams.set(name, text);
  // Commas are allowed there; encoded, they are three times as long.
  address.search = address.search.replaceAll('%2C', ',');
  return address;
}
