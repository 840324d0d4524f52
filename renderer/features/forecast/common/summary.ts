// The forecast in a sentence, and each point in a label, for eyes and for screen readers.
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { formatDuration, formatRelativeTime } from '#renderer/ui/text/durations.ts';
import { isPrecipitationUnknown, type NextPrecipitation, pointLabel, type Run, type Spell, wetSpells } from './runs.ts';
import type { TimedPoint } from './timed-points.ts';

const named = 3;

/** `Rainy from Sun 02:00 to 08:00; dry for 12 h before.` */
export function summarySentence(runs: readonly Run[], times: ZonedTimes, now: number): string {
  const last = runs.at(-1);
  if (!last) return 'There is nothing to sum up.';
  const spells = wetSpells(runs).filter(({ until }) => until > now);
  const first = spells[0];
  const unsure = runs.some(isPrecipitationUnknown) ? ' Some hours are not known.' : '';
  const end = times.weekdayClock(last.until);
  if (!first && runs.every(({ precipitation }) => precipitation === 'unknown'))
    return `Precipitation until ${end} is not known.`;
  if (!first) return `No precipitation until ${end}.${unsure}`;
  const told = spells.slice(0, named).map((spell, index, all) => {
    const words = joinLabels(spell.labels);
    const isSame = index > 0 && joinLabels(all[index - 1]?.labels ?? []) === words;
    return `${index === 0 ? '' : isSame ? ', ' : '; '}${isSame ? '' : `${words} `}${spellTime(spell, times, now, last.until)}`;
  });
  const rest = spells.length > named ? `, and ${spells.length - named} more` : '';
  return `${capital(told.join(''))}${rest}${dryBefore(runs, first, now)}.${unsure}`;
}

function spellTime(spell: Spell, times: ZonedTimes, now: number, end: number): string {
  const isOpen = spell.until >= end;
  const isSameDay = times.dayKey(spell.from) === times.dayKey(spell.until);
  const until = isSameDay && spell.from > now ? times.clock(spell.until) : times.weekdayClock(spell.until);
  if (spell.from <= now) return isOpen ? 'now and to the end' : `now, until ${until}`;
  return `from ${times.weekdayClock(spell.from)} ${isOpen ? 'to the end' : `to ${until}`}`;
}

/** `snow flurries, snowy and hailing` */
function joinLabels(labels: readonly string[]): string {
  const last = labels.at(-1) ?? 'wet';
  return labels.length < 2 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
}

function dryBefore(runs: readonly Run[], first: Spell, now: number): string {
  const isKnownDry = !runs.some((run, index) => run.from < first.from && isPrecipitationUnknown(run, index, runs));
  return isKnownDry && first.from > now ? `; dry for ${formatDuration(first.from - now)} before` : '';
}

/** The words of the card: what comes next, and when. */
export function nextPrecipitationText(
  next: NextPrecipitation,
  times: ZonedTimes,
  now: number,
): { headline: string; detail: string } {
  if (next.kind === 'none') return { headline: 'none in sight', detail: 'dry to the end' };
  if (next.kind === 'unknown') return { headline: 'not known', detail: 'some hours tell nothing about it' };
  const { spell } = next;
  const words = spell.labels[0] ?? 'wet';
  const until =
    times.dayKey(spell.until) === times.dayKey(spell.from) ? times.clock(spell.until) : times.weekdayClock(spell.until);
  if (next.kind === 'now') return { headline: `${words} now`, detail: `until ${times.weekdayClock(spell.until)}` };
  return {
    headline: `${words} ${formatRelativeTime(spell.from, now)}`,
    detail: `${times.weekdayClock(spell.from)} → ${until}`,
  };
}

/** `Sat 24 Oct 03:00, cloudy, night, in 17 h` */
export function pointSentence({ point, at }: TimedPoint, times: ZonedTimes, now: number): string {
  const sun = point.isDay === null ? [] : [point.isDay ? 'day' : 'night'];
  const problems = point.problems.length === 0 ? [] : [`${point.problems.length} deviations from the interface`];
  return [
    `${times.day(at)} ${times.clock(at)}`,
    pointLabel(point),
    ...sun,
    formatRelativeTime(at, now),
    ...problems,
  ].join(', ');
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
