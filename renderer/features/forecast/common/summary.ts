// The forecast in a sentence, and each point in a label, for eyes and for screen readers.
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { formatRelativeTime } from '#renderer/ui/text/durations.ts';
import { countUnknownHours, type Forecasted, nextPrecipitation, type Spell, wetSpells } from './runs.ts';

const maxNamedSpells = 3;

/** `unknown` is `no data for 2 of 72 hours`, or null if every hour has data. */
type Facts = { times: ZonedTimes; units: UnitFormat; now: number; end: number; unknown: string | null };

/**
 * What precipitation comes, in one sentence without a period: `Dry until Sunday 14:00, then rain until 17:00, 6 mm`.
 * It names at most three spells, and at its end the hours without data.
 */
export function summarySentence(
  forecast: Forecasted & { to: number },
  { times, units, now }: { times: ZonedTimes; units: UnitFormat; now: number },
): string {
  const facts = { times, units, now, end: forecast.to, unknown: unknownHours(forecast, now) };
  return [knownPart(forecast, facts), ...(facts.unknown === null ? [] : [facts.unknown])].join('; ');
}

function knownPart(forecast: Forecasted, facts: Facts): string {
  const { times, now, end } = facts;
  const endTime = formatDay(end, facts, 'short');
  if (now >= end) return `This forecast ended ${endTime}`;
  if (forecast.runs.every(({ precipitation }) => precipitation === 'unknown'))
    return `No precipitation data (to ${endTime})`;
  const spells = wetSpells(forecast).filter(({ until }) => until > now);
  const [first, ...later] = spells;
  const isKnownUntil = (at: number) => {
    const { hours, isNowUnknown } = countUnknownHours(forecast, now, at);
    return hours === 0 && !isNowUnknown;
  };
  if (!first) return `Dry ${isKnownUntil(end) ? 'for the whole forecast' : 'as far as known'} (to ${endTime})`;
  const begins =
    first.from <= now
      ? capitalize(precipitationName(first))
      : `Dry ${isKnownUntil(first.from) ? '' : 'as far as known '}until ${formatFrom(first.from, now, facts)}, then ${precipitationName(first)}`;
  const reference = Math.max(first.from, now);
  const ends =
    first.until >= end
      ? ` to the end (${endTime})`
      : ` until ${times.dayKey(first.until) === times.dayKey(reference) ? formatClock(first.until, facts) : formatDay(first.until, facts)}`;
  const named = later.slice(0, maxNamedSpells - 1).map((spell) => laterSpell(spell, facts));
  const rest = spells.length > maxNamedSpells ? [`and ${spells.length - maxNamedSpells} more`] : [];
  return [`${begins}${ends}${formatAmount(first, facts)}`, ...named, ...rest].join('; ');
}

/** `rain Monday 02:00 to 05:00, 1.2 mm` */
function laterSpell(spell: Spell, facts: Facts): string {
  const { times, end } = facts;
  const isSameDay = times.dayKey(spell.from) === times.dayKey(spell.until);
  const until =
    spell.until >= end ? 'the end' : isSameDay ? formatClock(spell.until, facts) : formatDay(spell.until, facts);
  return `${precipitationName(spell)} ${formatDay(spell.from, facts)} to ${until}${formatAmount(spell, facts)}`;
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

/** `, 6 mm`; empty if no amount was sent, and `, at least 6 mm` if hours lack one. */
function formatAmount({ amount, isAmountComplete }: Spell, { units: { precipitation } }: Facts): string {
  if (amount === null) return '';
  const bare = precipitation.bare(amount);
  if (!/[1-9]/.test(bare)) return '';
  const whole = precipitation.whole(amount);
  // A zero after the decimal sign says nothing in a sentence.
  const isWhole = /^\d+\D0+$/.test(bare) && bare.startsWith(whole);
  return `, ${isAmountComplete ? '' : 'at least '}${isWhole ? whole : bare} ${precipitation.unit}`;
}

const precipitationNames: Readonly<Record<string, string>> = {
  rainy: 'rain',
  snowy: 'snow',
  'snow flurries': 'snow flurries',
  hailing: 'hail',
  stormy: 'thunderstorms',
};

/** `rain, snow flurries, and hail` */
export function precipitationName({ statuses }: Pick<Spell, 'statuses'>): string {
  const names = statuses.map((status) => precipitationNames[status] ?? 'precipitation');
  const last = names.at(-1) ?? 'precipitation';
  if (names.length < 2) return last;
  return names.length === 2 ? `${names[0]} and ${last}` : `${names.slice(0, -1).join(', ')}, and ${last}`;
}

/** `no data for now and 2 of 72 hours`; null if every hour has data. */
function unknownHours(forecast: Forecasted, now: number): string | null {
  const { hours, total, isNowUnknown } = countUnknownHours(forecast, now);
  const parts = [
    ...(isNowUnknown ? ['now'] : []),
    ...(hours > 0 ? [`${hours} of ${total} ${total === 1 ? 'hour' : 'hours'}`] : []),
  ];
  return parts.length === 0 ? null : `no data for ${parts.join(' and ')}`;
}

/** What comes next, and when, for a strip or a row: `rain in 2 h`, `Sat 02:00 → 03:00, 1.2 mm`. */
export function nextPrecipitationText(
  forecast: Forecasted & { to: number },
  { times, units, now }: { times: ZonedTimes; units: UnitFormat; now: number },
): { headline: string; detail: string } {
  const facts = { times, units, now, end: forecast.to, unknown: unknownHours(forecast, now) };
  const next = nextPrecipitation(forecast, now);
  const end = formatDay(facts.end, facts, 'short');
  if (next.kind === 'none')
    return {
      headline: forecast.runs.every(({ precipitation }) => precipitation === 'unknown') ? 'No data' : 'None',
      detail: facts.unknown ?? `dry to ${end}`,
    };
  const { spell } = next;
  const name = capitalize(precipitationName(spell));
  const isSameDay = times.dayKey(spell.until) === times.dayKey(spell.from);
  const until = isSameDay ? formatClock(spell.until, facts) : formatDay(spell.until, facts, 'short');
  const amount = formatAmount(spell, facts);
  if (next.kind === 'now')
    return { headline: `${name} now`, detail: `until ${formatDay(spell.until, facts, 'short')}${amount}` };
  return {
    headline: `${name} ${formatRelativeTime(spell.from, now)}`,
    detail: `${formatDay(spell.from, facts, 'short')} → ${until}${amount}`,
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
