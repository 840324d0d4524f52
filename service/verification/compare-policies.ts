// The difference of two policies on the same recorded weather, with an interval: a bootstrap over whole days, because the places of
// one day share a front and are not independent. https://doi.org/10.1175/1520-0434(1999)014<0155:HTFETS>2.0.CO;2 (Hamill 1999)
import alea from 'alea';
import { type ContingencyTable, estimateMedian, scoreTable } from './contingency.ts';
import { dayOf } from './archive-format.ts';
import type { ReplayedPlace } from './replay.ts';

const scoreNames = ['pod', 'far', 'csi', 'lead'] as const;
export type ScoreName = (typeof scoreNames)[number];

/** `second − first`; an interval without 0 is a significant difference. */
export type Difference = { value: number; low: number; high: number };

/** A score is undefined if one of the policies has none, or in too many of the samples. */
export type Comparison = { days: number; differences: Readonly<Record<ScoreName, Difference | undefined>> };

type Day = { table: ContingencyTable; leads: number[] };

const samples = 2_000;
/** Fewer days do not show their variation. */
const minDays = 6;

export function comparePolicies(
  first: readonly ReplayedPlace[],
  second: readonly ReplayedPlace[],
  seed: string,
): Comparison {
  const [one, other] = [byDay(first), byDay(second)];
  const days = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  const pairs = days.map((day) => [one.get(day) ?? emptyDay(), other.get(day) ?? emptyDay()] as const);
  const value = differencesOf(pairs);
  if (days.length < minDays) return { days: days.length, differences: each(() => undefined) };
  const random = alea(seed);
  const drawn = Array.from({ length: samples }, () =>
    differencesOf(pairs.map((pair) => pairs[Math.floor(random() * pairs.length)] ?? pair)),
  );
  return {
    days: days.length,
    differences: each((name) => {
      const known = drawn.flatMap((sample) => sample[name] ?? []).toSorted((a, b) => a - b);
      const [low, high] = [0.025, 0.975].map((share) => known[Math.round(share * (known.length - 1))]);
      const center = value[name];
      if (center === undefined || low === undefined || high === undefined || known.length < samples * 0.9) return;
      return { value: center, low, high };
    }),
  };
}

function each<Value>(valueOf: (name: ScoreName) => Value): Record<ScoreName, Value> {
  return { pod: valueOf('pod'), far: valueOf('far'), csi: valueOf('csi'), lead: valueOf('lead') };
}

function emptyDay(): Day {
  return { table: { hits: 0, falseAlarms: 0, misses: 0 }, leads: [] };
}

/** Groups by day with at least one observation, including days without events. */
function byDay(places: readonly ReplayedPlace[]): Map<string, Day> {
  const days = new Map<string, Day>();
  const at = (day: string): Day => {
    const known = days.get(day) ?? emptyDay();
    days.set(day, known);
    return known;
  };
  for (const { events, misses, looks } of places) {
    for (const day of looks.keys()) at(day);
    for (const { at: instant, isConfirmed, leadMinutes } of events) {
      const { table, leads } = at(dayOf(instant));
      if (isConfirmed === true) table.hits += 1;
      if (isConfirmed === false) table.falseAlarms += 1;
      if (leadMinutes !== undefined) leads.push(leadMinutes);
    }
    for (const instant of misses) at(dayOf(instant)).table.misses += 1;
  }
  return days;
}

function differencesOf(pairs: readonly (readonly [Day, Day])[]): Record<ScoreName, number | undefined> {
  const [one, other] = [scoresOf(pairs.map(([day]) => day)), scoresOf(pairs.map(([, day]) => day))];
  return each((name) => {
    const [from, to] = [one[name], other[name]];
    return from === undefined || to === undefined ? undefined : to - from;
  });
}

function scoresOf(days: readonly Day[]): Record<ScoreName, number | undefined> {
  const table = emptyDay().table;
  for (const day of days) {
    table.hits += day.table.hits;
    table.falseAlarms += day.table.falseAlarms;
    table.misses += day.table.misses;
  }
  const { pod, far, csi } = scoreTable(table);
  const lead = estimateMedian(days.flatMap(({ leads }) => leads));
  return { pod: pod?.value, far: far?.value, csi: csi?.value, lead: lead?.value };
}
