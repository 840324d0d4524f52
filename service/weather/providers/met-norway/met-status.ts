// Maps MET Norway's weather symbols to the interface's statuses (test/fixtures/tables/met-norway-symbol-codes.json). Only the base
// name matters: day or night follows from the sun, never from a symbol's `_night`.
import type { Status } from '@rainbell/contract/service-api';

const dry: ReadonlyMap<string, Status> = new Map([
  ['clearsky', 'sunny'],
  ['fair', 'sunny'],
  ['partlycloudy', 'partly cloudy'],
  ['cloudy', 'cloudy'],
  ['fog', 'foggy'],
]);

/** Returns `unknown` for a missing or unknown symbol, never a guess. */
export function statusOfSymbol(symbolCode: string | undefined): Status {
  const base = symbolCode?.split('_')[0] ?? '';
  // Thunder first: such names also contain "rain", "sleet", or "snow", two of them with an official double s.
  if (base.endsWith('thunder')) return 'stormy';
  if (base === 'lightsnow' || base === 'lightsnowshowers') return 'snow flurries';
  if (base.includes('snow') || base.includes('sleet')) return 'snowy';
  if (base.includes('rain')) return 'rainy';
  return dry.get(base) ?? 'unknown';
}
