// From MET Norway's weather symbols to the interface's words (test/fixtures/tables/met-norway-symbol-codes.json). Only the base
// name counts: whether it is day follows from the sun, never from a symbol's `_night`.
import type { Status } from '#contract/service-api/vocabulary.ts';

const dry: ReadonlyMap<string, Status> = new Map([
  ['clearsky', 'sunny'],
  ['fair', 'sunny'],
  ['partlycloudy', 'partly cloudy'],
  ['cloudy', 'cloudy'],
  ['fog', 'foggy'],
]);

/** A symbol that is absent or that we do not know is `unknown`, never a guess. */
export function statusOfSymbol(symbolCode: string | undefined): Status {
  const base = symbolCode?.split('_')[0] ?? '';
  // Thunder first: such names hold "rain", "sleet" or "snow" as well, two of them with an official double s.
  if (base.endsWith('thunder')) return 'stormy';
  if (base === 'lightsnow' || base === 'lightsnowshowers') return 'snow flurries';
  if (base.includes('snow') || base.includes('sleet')) return 'snowy';
  if (base.includes('rain')) return 'rainy';
  return dry.get(base) ?? 'unknown';
}
