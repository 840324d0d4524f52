// Describes the radar minutes in one sentence.
import { hourMs, minuteMs, plural } from '@rainbell/shared';
import type { RadarMinutes } from '@rainbell/contract/app-rpc';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { groupNeighbors, isTouching } from '../common/timed-points.ts';

/** `rate`: mm/h; null: precipitation at an unknown rate. */
export type RadarStep = { at: number; until: number; rate: number | null };

type Writers = { times: ZonedTimes; units: UnitFormat };

/** Less is not precipitation, as for the service's monitors (service/weather/sources/precipitation.ts). */
const minRate = 0.1;

export function radarSteps({ steps, stepMinutes }: RadarMinutes, now: number): readonly RadarStep[] {
  const stepMs = stepMinutes * minuteMs;
  return steps.flatMap(({ at, rate }) => {
    const from = Date.parse(at);
    return from + stepMs > now ? [{ at: from, until: from + stepMs, rate }] : [];
  });
}

/** `Precipitation from 14:20 to 14:50 CET, up to 2.4 mm/h, 0.8 mm in total, and 1 more period of precipitation` */
export function radarSentence(steps: readonly RadarStep[], now: number, { times, units }: Writers): string {
  const last = steps.at(-1);
  if (!last) return 'No radar data for the next two hours';
  const wet = steps.filter(({ rate }) => rate === null || rate >= minRate);
  const spells = groupNeighbors(wet, isTouching);
  const [spell] = spells;
  const clock = (at: number) => `${times.clock(at)} ${times.zoneName(at)}`;
  if (!spell) return `Dry until ${clock(last.until)}`;
  const [from, until] = [spell[0].at, spell.at(-1)?.until ?? spell[0].until];
  const rates = spell.map(({ rate }) => rate);
  const known = rates.filter((rate) => rate !== null);
  const sum = spell.reduce((all, one) => all + ((one.rate ?? 0) * (one.until - one.at)) / hourMs, 0);
  return [
    formatSpell(from <= now ? null : times.clock(from), clock(until), until === last.until),
    known.length === 0 ? 'rate unknown' : `up to ${formatRate(Math.max(...known), units)}`,
    ...(known.length === rates.length ? [`${units.precipitation.text(sum)} in total`] : []),
    ...(spells.length > 1
      ? [plural(spells.length - 1, ['and # more period of precipitation', 'and # more periods of precipitation'])]
      : []),
  ].join(', ');
}

/** `from` is null for precipitation that has started; `isOpen`: it may last longer than the data. */
function formatSpell(from: string | null, until: string, isOpen: boolean): string {
  if (from === null) return isOpen ? `Precipitation until ${until} or later` : `Precipitation until ${until}`;
  return isOpen ? `Precipitation from ${from} to ${until} or later` : `Precipitation from ${from} to ${until}`;
}

function formatRate(rate: number, { precipitation }: UnitFormat): string {
  return `${precipitation.text(rate)}/h`;
}
