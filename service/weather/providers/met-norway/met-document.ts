// Common parts of Locationforecast and Nowcast: a GeoJSON Feature with a series of steps, units in its `meta`, and for each step
// current values and summaries of the following hours.
import { z } from 'zod';
import type { LatLng, PrecipitationType, Status } from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import { measuredOf, inUnit } from '../../reading/provider-values.ts';
import { ProviderFailure } from '../../reading/reading.ts';

// What is invalid is missing, and leaves the rest.
const details = z.record(z.string(), z.unknown()).optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const summary = z.looseObject({ symbol_code: z.string() }).optional().catch(undefined);
const period = z.looseObject({ summary, details }).optional().catch(undefined);

const stepSchema = z.looseObject({
  time: z.string(),
  data: z.looseObject({
    instant: z.looseObject({ details }).optional().catch(undefined),
    next_1_hours: period,
    next_6_hours: period,
    next_12_hours: period,
  }),
});
export type MetStep = z.infer<typeof stepSchema>;

const documentSchema = z.looseObject({
  geometry: z.looseObject({
    coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.unknown()),
  }),
  properties: z.looseObject({
    meta: z.looseObject({ units: z.record(z.string(), z.unknown()).catch({}), radar_coverage: text, updated_at: text }),
    timeseries: z.array(z.unknown()),
  }),
});

export type MetDocument = {
  grid: { lat: number; lng: number };
  units: Readonly<Record<string, unknown>>;
  radarCoverage: string | undefined;
  updatedAt: number | undefined;
  steps: readonly (MetStep & { at: number })[];
};

/** Returns steps in ascending order. Throws a ProviderFailure if the body is not such a document. */
export function readMetDocument(provider: string, body: unknown): MetDocument {
  const parsed = documentSchema.safeParse(body);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ProviderFailure(provider, `its response is not a forecast (at "${field}")`);
  }
  const { geometry, properties } = parsed.data;
  const [lng, lat] = geometry.coordinates;
  const { units, radar_coverage: radarCoverage, updated_at: updated } = properties.meta;
  const steps = properties.timeseries.flatMap((candidate) => {
    const step = stepSchema.safeParse(candidate).data;
    const at = step && parseTimestamp(step.time);
    return step === undefined || at === undefined ? [] : [{ ...step, at }];
  });
  return {
    grid: { lat: lat + 0, lng: lng + 0 },
    units,
    radarCoverage,
    updatedAt: updated === undefined ? undefined : parseTimestamp(updated),
    steps: steps.toSorted((one, other) => one.at - other.at),
  };
}

export function instantValue(
  { data }: MetStep,
  units: MetDocument['units'],
  name: string,
  into: Parameters<typeof inUnit>[0],
): number | undefined {
  return inUnit(into, data.instant?.details?.[name], units[name]);
}

export function instantValues(step: MetStep, units: MetDocument['units']) {
  return {
    temperature: instantValue(step, units, 'air_temperature', 'temperature'),
    dew_point: instantValue(step, units, 'dew_point_temperature', 'dew_point'),
    humidity: instantValue(step, units, 'relative_humidity', 'humidity'),
    pressure: instantValue(step, units, 'air_pressure_at_sea_level', 'pressure'),
    wind_speed: instantValue(step, units, 'wind_speed', 'wind_speed'),
    wind_direction: instantValue(step, units, 'wind_from_direction', 'wind_direction'),
  } satisfies Parameters<typeof measuredOf>[0];
}

const dry: ReadonlyMap<string, Status> = new Map([
  ['clearsky', 'sunny'],
  ['fair', 'sunny'],
  ['partlycloudy', 'partly cloudy'],
  ['cloudy', 'cloudy'],
  ['fog', 'foggy'],
]);

/**
 * Maps a weather symbol to the interface's status (test/fixtures/tables/met-norway-symbol-codes.json); `unknown` for a missing or
 * unknown one, never a guess. Day or night follows from the sun, never from a symbol's `_night`.
 */
export function statusOfSymbol(symbolCode: string | undefined): Status {
  const base = symbolCode?.split('_')[0] ?? '';
  // Thunder first: such names also contain "rain", "sleet", or "snow", two of them with an official double s.
  if (base.endsWith('thunder')) return 'stormy';
  if (base === 'lightsnow' || base === 'lightsnowshowers') return 'snow flurries';
  if (base.includes('snow') || base.includes('sleet')) return 'snowy';
  if (base.includes('rain')) return 'rainy';
  return dry.get(base) ?? 'unknown';
}

export function kindOfSymbol(symbolCode: string | undefined): PrecipitationType {
  const base = symbolCode ?? '';
  return base.includes('sleet') ? 'sleet' : base.includes('snow') ? 'snow' : base.includes('rain') ? 'rain' : 'unknown';
}

/** Appends the product's path to the base URL unless that already has a product (a mirror's). */
export function metNorwayAddress(baseUrl: string, product: string, { lat, lng }: LatLng): URL {
  const address = new URL(baseUrl);
  if (!/\/(compact|complete|classic)$/.test(address.pathname)) {
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/weatherapi/${product}`;
  }
  address.searchParams.set('lat', String(Number(lat.toFixed(4))));
  address.searchParams.set('lon', String(Number(lng.toFixed(4))));
  return address;
}
