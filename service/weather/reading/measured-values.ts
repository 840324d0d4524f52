// Builds `weather.measured` from known values: omits undefined members; returns undefined without any.
import type { Measured } from '#contract/service-api/weather.ts';

type Values = { readonly [Name in keyof Measured]: number | undefined };

export function measuredOf(values: Values): { measured?: Measured } {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return known.length === 0 ? {} : { measured: Object.fromEntries(known) };
}
