// The measured values (our optional addition to Weather) in the user's units.
import type { Measured } from '@rainbell/contract/service-api';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { DaySummary } from './amounts.ts';
import { measures } from './measures.ts';
import type { Fallen } from './runs.ts';

export function formatMeasured(measured: Measured, units: UnitFormat): string {
  const texts = measures.flatMap(({ name, field, writer }) => {
    const value = measured[field];
    return value === undefined ? [] : `${name.toLowerCase()} ${units[writer].text(value)}`;
  });
  return texts.join(' · ') || 'an empty object';
}

/** `3.0 mm`, `1.2 cm snow`, or `3.0 mm + 1.2 cm snow`; snow only if some falls or no rain was sent. */
export function fallenText(
  { rain, snow }: Fallen,
  { precipitation, snow: depth }: UnitFormat,
  form: 'text' | 'spoken' = 'text',
): string | undefined {
  const isSnowShown = snow !== null && (snow > 0 || rain === null);
  const parts = [
    ...(rain !== null && (rain > 0 || !isSnowShown) ? [precipitation[form](rain)] : []),
    ...(isSnowShown ? [`${depth[form](snow)} ${form === 'text' ? 'snow' : 'of snow'}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(form === 'text' ? ' + ' : ' and ');
}

export function isSomething({ rain, snow }: Fallen): boolean {
  return (rain ?? 0) > 0 || (snow ?? 0) > 0;
}

/** `3.0 mm`; with an hour whose amount is unknown `≥ 3.0 mm`, and undefined in place of `0.0 mm`, which would promise a dry day. */
export function dayAmount({ sum, isPart }: Pick<DaySummary, 'sum' | 'isPart'>, units: UnitFormat): string | undefined {
  if (!isPart) return fallenText(sum, units);
  return isSomething(sum) ? `≥ ${fallenText(sum, units)}` : undefined;
}
