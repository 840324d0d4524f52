// Open-Meteo as a provider. Terms: the free host is for non-commercial use, CC BY 4.0, with the link "Weather data by
// Open-Meteo.com" beside the data. Host and key are settings.
import type { Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { FetchJson } from '#service/weather/fetch/provider-http.ts';
import { type Provider, ProviderFailure } from '#service/weather/reading/reading.ts';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { openMeteoName, readOpenMeteo } from './read-open-meteo.ts';

const values =
  'weather_code,precipitation,temperature_2m,relative_humidity_2m,dew_point_2m,pressure_msl,wind_speed_10m,wind_direction_10m';

type Options = { baseUrl: string; apiKey: string | undefined; fetchJson: FetchJson; clock: Clock };

/** The free host allows 600 a minute, 5,000 an hour and 10,000 a day, and counts ours, with over ten variables, about double. */
const freeHost = 'api.open-meteo.com';
const freeLimits = [
  { seconds: 60, most: 250 },
  { seconds: 3_600, most: 2_400 },
  { seconds: 86_400, most: 4_800 },
];

export function createOpenMeteo({ baseUrl, apiKey, fetchJson, clock }: Options): Provider {
  const budget = createRequestBudget(clock, new URL(baseUrl).hostname === freeHost ? freeLimits : []);
  return {
    name: openMeteoName,
    async fetch(cell) {
      const spent = budget.take();
      if (spent) {
        const retryAfterSeconds = spent.waitSeconds;
        throw new ProviderFailure(openMeteoName, 'our share of its requests is used up', { retryAfterSeconds });
      }
      const body = await fetchJson(openMeteoName, openMeteoAddress(baseUrl, apiKey, cell));
      return readOpenMeteo(body, clock.now());
    },
  };
}

/** `/v1/forecast` is added to the base address unless it already names a path that ends so (a mirror's). */
export function openMeteoAddress(baseUrl: string, apiKey: string | undefined, { lat, lng }: LatLng): URL {
  const address = new URL(baseUrl);
  if (!address.pathname.endsWith('/forecast')) {
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/v1/forecast`;
  }
  const query = {
    latitude: String(lat),
    longitude: String(lng),
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
  return address;
}
