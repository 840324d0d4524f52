// Open-Meteo as a provider. Terms: the free host is for non-commercial use, CC BY 4.0, with the link "Weather data by
// Open-Meteo.com" next to the data. Host and key are settings.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LatLng } from '@rainbell/contract/service-api';
import { type CellWeather, ProviderFailure, QuotaUsedUp } from '../../reading/reading.ts';
import { optionalText, type SettingValues, webAddress } from '../../../config/setting-row.ts';
import type { Provider, ProviderContext } from '../provider.ts';
import { createFreeQuota } from './free-quota.ts';
import { openMeteoName, readOpenMeteo } from './read-open-meteo.ts';

const settings = {
  openMeteoUrl: {
    environment: 'RAINBELL_OPEN_METEO_URL',
    schema: webAddress,
    default: 'https://api.open-meteo.com',
    unit: 'URL',
    meaning: 'The Open-Meteo server.',
  },
  openMeteoApiKey: {
    environment: 'RAINBELL_OPEN_METEO_API_KEY',
    schema: optionalText,
    isSecret: true,
    unit: 'text',
    meaning: 'API key for a paid Open-Meteo plan. Default: none, for the free host.',
  },
} as const;

type Config = SettingValues<typeof settings> & { readonly openMeteoBatch: number };

export const openMeteo = {
  settings,
  missing: undefined,
  create: (
    { openMeteoUrl: baseUrl, openMeteoApiKey: apiKey, openMeteoBatch: batchSize }: Config,
    context: ProviderContext,
  ) => createOpenMeteo({ ...context, baseUrl, apiKey, batchSize }),
};

const values =
  'weather_code,precipitation,temperature_2m,relative_humidity_2m,dew_point_2m,pressure_msl,wind_speed_10m,wind_direction_10m';

type Options = Parameters<typeof createFreeQuota>[0] &
  Pick<ProviderContext, 'clock' | 'fetchJson'> & {
    baseUrl: string;
    apiKey: string | undefined;
    /** Maximum places per request; the host accepts 1,000, with about 10 KB of response for each. */
    batchSize: number;
  };

const freeHost = 'api.open-meteo.com';
/** Clients don't get older data as if it were new, even if watched places keep it longer. */
const maxFreshMs = 3_600_000;

export function createOpenMeteo({ baseUrl, apiKey, fetchJson, clock, batchSize, ...needs }: Options): Provider {
  const quota = new URL(baseUrl).hostname === freeHost ? createFreeQuota(needs) : undefined;

  /** The host counts places, not requests. */
  async function request(cells: readonly LatLng[], isWatched: boolean): Promise<unknown> {
    const waitSeconds = (await quota?.take(cells.length, isWatched)) ?? 0;
    if (waitSeconds > 0) throw new QuotaUsedUp(openMeteoName, waitSeconds);
    return fetchJson(openMeteoName, openMeteoAddress(baseUrl, apiKey, cells), cells.length);
  }

  async function read(body: unknown): Promise<CellWeather> {
    const weather = readOpenMeteo(body, clock.now());
    if (!quota) return weather;
    const { dry } = await quota.intervalsMs(0);
    return { ...weather, freshUntil: weather.fetchedAt + Math.min(maxFreshMs, dry) };
  }

  return {
    name: openMeteoName,
    quota,
    fetch: async (cell, _known, isWatched = false) => read(await request([cell], isWatched)),
    batch: {
      size: batchSize,
      async fetch(cells) {
        const body = await request(cells, true);
        const bodies = Array.isArray(body) ? (body as unknown[]) : [body];
        if (bodies.length !== cells.length) {
          // One error applies to all of them.
          readOpenMeteo(body, clock.now());
          throw new ProviderFailure(openMeteoName, 'its response is for fewer places');
        }
        const readings: (CellWeather | undefined)[] = [];
        for (const one of bodies) {
          readings.push(await read(one).catch(undefinedIfUnreadable));
          // Parsing one takes about a millisecond; lets requests run in between.
          await nextTurn();
        }
        return readings;
      },
    },
  };
}

/** Leaves a place that cannot be parsed to a separate request, which throws the reason. */
function undefinedIfUnreadable(error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error;
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
    minutely_15: 'precipitation,weather_code',
    forecast_hours: '74',
    forecast_minutely_15: '12',
  };
  setQuery(address, apiKey, query);
  // Commas are allowed there; encoded, they are three times as long.
  address.search = address.search.replaceAll('%2C', ',');
  return address;
}

/** Adds what every request has: times in Unix seconds, and the key. */
export function setQuery(address: URL, apiKey: string | undefined, query: Readonly<Record<string, string>>): void {
  const common = { timezone: 'GMT', timeformat: 'unixtime', ...(apiKey === undefined ? {} : { apikey: apiKey }) };
  for (const [name, text] of Object.entries({ ...query, ...common })) address.searchParams.set(name, text);
}
