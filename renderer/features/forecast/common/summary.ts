// The forecast in a sentence, and each point in a label, for eyes and for screen readers.
import { formatList, hourMs, plural } from '@rainbell/shared';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZoneDay, ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { countUnknownHours, type Fallen, isWet, precipitationState, type Spell, spellOf, wetSpells } from './runs.ts';
import type { TimedPoint } from './timed-points.ts';

type Forecasted = { points: readonly TimedPoint[]; to: number };

type Reading = { times: ZonedTimes; units: UnitFormat; now: number };

type Facts = Reading & { end: number };

/**
 * What precipitation comes next, in one sentence without a period: `Dry until Sunday 14:00, then rain until 17:00, 6 mm`. At its end
 * are the hours without data.
 */
export function summarySentence({ points, to }: Forecasted, reading: Reading): string {
  const unknown = unknownHours(points, reading.now);
  return [knownPart(points, { ...reading, end: to }), ...(unknown === null ? [] : [unknown])].join('; ');
}

function knownPart(points: readonly TimedPoint[], facts: Facts): string {
  const { now, end } = facts;
  const endTime = formatDay(end, facts, 'short');
  if (now >= end) return `This forecast ended ${endTime}`;
  if (points.every(({ point }) => precipitationState(point) === 'unknown'))
    return `No precipitation data through ${endTime}`;
  const next = wetSpells(points).find(({ until }) => until > now);
  const { hours, isNowUnknown } = countUnknownHours(points, now, next?.from ?? end);
  const isKnown = hours === 0 && !isNowUnknown;
  if (next) return withAmount(spellSentence(next, isKnown, facts), next, facts);
  return isKnown ? `Dry for the whole forecast (through ${endTime})` : `Dry, with data gaps (through ${endTime})`;
}

/** `Dry until Sunday 14:00, then rain until 17:00` */
function spellSentence(spell: Spell, isDryBefore: boolean, facts: Facts): string {
  const { times, now, end } = facts;
  const name = formatList(spell.names);
  const endTime = formatDay(end, facts, 'short');
  const isOpen = spell.until >= end;
  const isSameDay = times.dayKey(spell.until) === times.dayKey(Math.max(spell.from, now));
  const until = isSameDay ? formatClock(spell.until, facts) : formatDay(spell.until, facts);
  if (spell.from <= now)
    return isOpen ? `${capitalize(name)} until at least ${endTime}` : `${capitalize(name)} until ${until}`;
  const from = formatFrom(spell.from, now, facts);
  if (isDryBefore)
    return isOpen
      ? `Dry until ${from}, then ${name} until at least ${endTime}`
      : `Dry until ${from}, then ${name} until ${until}`;
  return isOpen
    ? `Dry, with data gaps, until ${from}, then ${name} until at least ${endTime}`
    : `Dry, with data gaps, until ${from}, then ${name} until ${until}`;
}

/** `14:00` on the day of `now`, otherwise `Sunday 14:00`. */
function formatFrom(at: number, now: number, facts: Facts): string {
  return facts.times.dayKey(at) === facts.times.dayKey(now) ? formatClock(at, facts) : formatDay(at, facts);
}

function formatDay(at: number, facts: Facts, length: 'short' | 'long' = 'long'): string {
  const { times } = facts;
  const weekday = length === 'short' ? times.day(at).split(' ')[0] : times.longDay(at).split(' ')[0];
  return `${weekday} ${formatClock(at, facts)}`;
}

/** With the zone's name if the clocks change within the forecast: an hour may then come twice. */
function formatClock(at: number, { times, now, end }: Facts): string {
  const isRepeatable = times.utcOffset(Math.min(now, end)) !== times.utcOffset(end);
  return isRepeatable ? `${times.clock(at)} ${times.zoneName(at)}` : times.clock(at);
}

/**
 * Adds what falls, and what contradicts it: `, 6 mm`; `, at least 6 mm` if hours lack an amount; `, 2.0 mm, though the status is
 * cloudy`; `, though the amount is 0 mm`. Adds nothing if no amount was sent.
 */
function withAmount(text: string, { amount, isAmountComplete, denials }: Spell, { units }: Facts): string {
  const shown = formatFallen(amount, units);
  if (shown !== undefined) {
    const denial = denials.length === 0 ? '' : `, though the status is ${formatList(denials)}`;
    return `${text}, ${isAmountComplete ? shown : `at least ${shown}`}${denial}`;
  }
  const isNothing = isAmountComplete && (amount.rain ?? 0) === 0 && (amount.snow ?? 0) === 0;
  return isNothing ? `${text}, though the amount is 0 ${units.precipitation.unit}` : text;
}

/** `6 mm`, `24 cm of snow`, or both, each with its unit; undefined if that rounds to nothing or no amount was sent. */
function formatFallen({ rain, snow }: Fallen, units: UnitFormat): string | undefined {
  const parts = [
    ...(rain === null ? [] : [inSentence(rain, units.precipitation)]),
    ...(snow === null ? [] : [inSentence(snow, units.snow)].map((text) => text && `${text} of snow`)),
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

function inSentence(value: number, { bare, whole, unit }: UnitFormat['snow']): string | undefined {
  const text = bare(value);
  if (!/[1-9]/.test(text)) return undefined;
  // A zero after the decimal sign says nothing in a sentence.
  return `${/^\d+\D0+$/.test(text) && text.startsWith(whole(value)) ? whole(value) : text} ${unit}`;
}

/** `no data for the current time and 2 of 72 hours`; null if every hour has data. */
function unknownHours(points: readonly TimedPoint[], now: number): string | null {
  const { hours, total, isNowUnknown } = countUnknownHours(points, now);
  if (hours === 0) return isNowUnknown ? 'no data for the current time' : null;
  return isNowUnknown
    ? plural(
        total,
        ['no data for the current time and {hours} of # hour', 'no data for the current time and {hours} of # hours'],
        { hours },
      )
    : plural(total, ['no data for {hours} of # hour', 'no data for {hours} of # hours'], { hours });
}

/** Of the day on which the evening begins, and of the next one on which the night ends. */
const [eveningHour, nightHours] = [18, 12];
const namedDays = 2;
/** Beaufort 6, in m/s: large branches move. */
const strongWind = 10.8;

/** What is left of today or the night, and the two days after it: `Tonight 1 to 4°, dry. Sunday 2 to 9°, rain 23:00 to 01:00, 1.2 mm.` */
export function daysSentences(
  { points, to, days }: Forecasted & { days: readonly ZoneDay[] },
  reading: Reading,
): string {
  const { times, now } = reading;
  const facts = { ...reading, end: to };
  const midnights = days.map(({ startsAt }) => startsAt).filter((at) => at > now);
  const [tomorrow = to] = midnights;
  const isEvening = times.hour(now) >= eveningHour;
  const spans = [
    isEvening
      ? { name: 'Tonight', from: now, until: tomorrow + (nightHours / 2) * hourMs }
      : { name: 'Today', from: now, until: tomorrow },
    ...midnights.slice(0, namedDays).map((from, index) => ({
      name: times.longDay(from).split(' ')[0] ?? '',
      from,
      until: midnights[index + 1] ?? to,
    })),
  ];
  return spans.flatMap((span) => daySentence(points, span, facts) ?? []).join(' ');
}

type DaySpan = { name: string; from: number; until: number };

/** Counts every hour of the span, the one that runs at its start, too. */
function daySentence(points: readonly TimedPoint[], { name, from, until }: DaySpan, facts: Facts): string | undefined {
  const { times, units } = facts;
  const hours = points.filter((point) => point.until > from && point.at < until);
  if (hours.length === 0) return undefined;
  const measured = (of: 'temperature' | 'wind_speed') => hours.flatMap(({ point }) => point.measured?.[of] ?? []);
  const degrees = measured('temperature');
  const [low, high] = [Math.min(...degrees), Math.max(...degrees)].map(
    (kelvin) => `${units.temperature.whole(kelvin)}°`,
  );
  const peak = Math.max(...measured('wind_speed'));
  const windiest = hours.find(({ point }) => point.measured?.wind_speed === peak);
  const [firstWet, ...otherWet] = hours.filter(isWet);
  const fallen = firstWet && spellOf([firstWet, ...otherWet]);
  const [first, ...others] = wetSpells(hours);
  const isDry = hours.every(({ point }) => precipitationState(point) === 'dry');
  const clocks = first && `${formatClock(Math.max(first.from, from), facts)} to ${formatClock(first.until, facts)}`;
  const when =
    others.length > 0 ? 'at times' : first && first.from <= from && first.until >= until ? 'throughout' : clocks;
  const parts = [
    ...(low === undefined || degrees.length === 0 ? [] : [low === high ? low : `${low.slice(0, -1)} to ${high}`]),
    ...(windiest && peak >= strongWind ? [`wind up to ${units.wind.text(peak)} at ${times.clock(windiest.at)}`] : []),
    ...(fallen ? [withAmount(`${formatList(fallen.names)} ${when}`, fallen, facts)] : isDry ? ['dry'] : []),
  ];
  return parts.length === 0 ? undefined : `${name} ${parts.join(', ')}.`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
