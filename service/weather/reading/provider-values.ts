// Converts providers' values to the units of `measured` and drops what cannot be measured on Earth. A sentinel for a missing value
// (−9999, −3276.8, 9.96921e36), an unknown unit, and anything that is not a number are missing values.
import type { Measured, Status } from '@rainbell/contract/service-api';

type Quantity = {
  units: Readonly<Record<string, (value: number) => number>>;
  min: number;
  max: number;
};

const as = (value: number) => value;
const times = (factor: number) => (value: number) => value * factor;
const kelvins = {
  '°C': (celsius: number) => celsius + 273.15,
  celsius: (celsius: number) => celsius + 273.15,
};
const speeds = {
  'm/s': as,
  'km/h': times(1 / 3.6),
  kt: times(0.514444),
};
const millimetres = { mm: as, cm: times(10) };

/**
 * The bounds are just beyond the records of the World Meteorological Organization (https://wmo.int/asu-map): −89.2 to 56.7 °C, a dew
 * point of 35 °C, 870 to 1,085 hPa, gusts of 113 m/s, 305 mm of rain in an hour, 198 mm in 15 minutes (800 mm/h).
 */
const quantities = {
  temperature: { units: kelvins, min: 178, max: 333 },
  dew_point: { units: kelvins, min: 178, max: 313 },
  // Models exceed saturation slightly.
  humidity: { units: { '%': as }, min: 0, max: 105 },
  pressure: { units: { hPa: as }, min: 850, max: 1_100 },
  wind_speed: { units: speeds, min: 0, max: 115 },
  wind_direction: { units: { '°': as, degrees: as }, min: 0, max: 360 },
  /** Millimeters of water, at most an hour's. */
  precipitation: { units: millimetres, min: 0, max: 400 },
  precipitation_rate: { units: { 'mm/h': as }, min: 0, max: 800 },
  /** Depth of an hour's fresh snow in millimeters. */
  snowfall: { units: millimetres, min: 0, max: 500 },
} satisfies Record<string, Quantity>;

/** Returns `value`, which may be a number as text, in our unit with two decimals; undefined if it is missing or impossible. */
export function inUnit(name: keyof typeof quantities, value: unknown, unit: unknown): number | undefined {
  const { units, min, max }: Quantity = quantities[name];
  const number = asNumber(value);
  if (number === undefined || typeof unit !== 'string' || !Object.hasOwn(units, unit)) return undefined;
  const converted = units[unit]?.(number) ?? Number.NaN;
  return converted >= min && converted <= max ? Math.round(converted * 100) / 100 + 0 : undefined;
}

const decimalForm = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Some mirrors and older formats send numbers as text. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && decimalForm.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The year 5138; a larger number is not a time in seconds. */
const latestSecond = 1e11;

/** Converts Unix seconds to epoch milliseconds; undefined if the number cannot be a time. */
export function instantOfUnixSeconds(seconds: number): number | undefined {
  return Math.abs(seconds) < latestSecond ? Math.round(seconds * 1000) : undefined;
}

/** Builds `weather.measured` without undefined members; absent if it has none. */
export function measuredOf(values: { readonly [Name in keyof Measured]: unknown } = {}): { measured?: Measured } {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return known.length === 0 ? {} : { measured: Object.fromEntries(known) };
}

/** Returns the other values: the hour's amounts belong to the status they came with. */
export function withoutAmounts(measured: Measured = {}): Measured {
  const { rainfall: _rain, snowfall: _snow, ...others } = measured;
  return others;
}

/** Values that only mean something together: relative humidity is that of this temperature. The last are an hour's amounts. */
const groups = [
  ['temperature', 'dew_point', 'humidity'],
  ['pressure'],
  ['wind_speed', 'wind_direction'],
  ['rainfall', 'snowfall'],
] as const;

type Observed = { status: Status; measured?: Measured | undefined };

/** Adds to an observation the groups of values that it has none of; amounts only if they belong to the same status. */
export function withOtherValues(observed: Observed, other: Observed | undefined): { measured?: Measured } {
  const isOfSameStatus = observed.status === other?.status;
  const missing = groups.filter((names) => names.every((name) => observed.measured?.[name] === undefined));
  const added = missing.flat().filter((name) => isOfSameStatus || (name !== 'rainfall' && name !== 'snowfall'));
  const values = { ...observed.measured };
  for (const name of added) values[name] = other?.measured?.[name];
  return measuredOf(values);
}
