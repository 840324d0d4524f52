// Builds and combines `weather.measured`: omits undefined members, and is undefined without any.
import type { Measured, Status } from '@rainbell/contract/service-api';

type Values = { readonly [Name in keyof Measured]: number | undefined };

export function measuredOf(values: Values): { measured?: Measured } {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return known.length === 0 ? {} : { measured: Object.fromEntries(known) };
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
  return measuredOf(values as Values);
}
