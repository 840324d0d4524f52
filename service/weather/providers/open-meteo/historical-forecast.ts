// Open-Meteo's historical forecasts: the first hours of each past forecast, joined
// (https://open-meteo.com/en/docs/historical-forecast-api). They are forecasts, not observations.
import { z } from 'zod';
import { formatTimestamp, hourMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import type { FetchJson } from '../../fetch/provider-http.ts';
import type { Config } from '../../../config/config.ts';
import type { Fleet } from '../../../limits/limiter.ts';
import { createRequestBudget } from '../../fetch/request-budget.ts';
import { ProviderFailure, QuotaUsedUp, type Rainfall } from '../../reading/reading.ts';
import { openMeteo, setQuery } from './open-meteo.ts';
import { quarterMs, readSums } from './read-open-meteo.ts';

export const historicalName = 'Open-Meteo';

type Options = { config: Pick<Config, 'openMeteoUrl' | 'openMeteoApiKey'>; fetchJson: FetchJson; fleet: Fleet };

export const historicalUrl = 'https://historical-forecast-api.open-meteo.com';
/** Two weeks count as one request at the free host. */
const freeLimits = [
  { seconds: 60, max: 60 },
  { seconds: 3_600, max: 600 },
  { seconds: 86_400, max: 1_500 },
];

const column = z.array(z.unknown()).max(10_000);
const block = z.looseObject({ time: column, precipitation: column, weather_code: column.optional() }).optional();
const inUtc = { utc_offset_seconds: 0 };
/** Requested without units: the default is mm. */
const inMillimetres = { precipitation: 'mm' };
const bodySchema = z.looseObject({ hourly: block, minutely_15: block });

/** Throws a ProviderFailure. Ascending; without hours that have no data. */
export type HistoricalForecast = (cell: LatLng, from: number, until: number) => Promise<Rainfall[]>;

export function createHistoricalForecast({ config, fetchJson, fleet }: Options): HistoricalForecast {
  const { openMeteoUrl, openMeteoApiKey: apiKey } = config;
  // An own instance serves both; the public ones are separate.
  const isPublic = openMeteoUrl === openMeteo.settings.openMeteoUrl.default;
  const baseUrl = isPublic ? historicalUrl : openMeteoUrl;
  const budget = createRequestBudget(fleet, 'open-meteo-history', isPublic ? freeLimits : []);
  return async (cell, from, until) => {
    const waitSeconds = await budget.take(3);
    if (waitSeconds > 0) throw new QuotaUsedUp(historicalName, waitSeconds);
    const address = new URL(`${baseUrl}/v1/forecast`);
    setQuery(address, apiKey, {
      latitude: String(cell.lat),
      longitude: String(cell.lng),
      start_date: formatTimestamp(from).slice(0, 10),
      end_date: formatTimestamp(until).slice(0, 10),
      hourly: 'precipitation,weather_code',
      minutely_15: 'precipitation,weather_code',
    });
    const parsed = bodySchema.safeParse(await fetchJson(historicalName, address));
    if (!parsed.success) throw new ProviderFailure(historicalName, 'its response has no past forecasts');
    const { hourly, minutely_15: quarters } = parsed.data;
    const ofQuarters = readSums(inUtc, quarters, inMillimetres, quarterMs);
    const known = ofQuarters.length > 0 ? ofQuarters : readSums(inUtc, hourly, inMillimetres, hourMs);
    return known
      .filter((rate) => rate.until > from && rate.from < until)
      .toSorted((one, other) => one.from - other.from);
  };
}
