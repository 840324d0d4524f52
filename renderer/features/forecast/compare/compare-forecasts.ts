// Two forecasts held against each other: the current weather apart, then hour by hour and field by field. Values count as
// different only if a reader sees different texts.
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { pointLabel, precipitationAmount } from '#renderer/features/forecast/common/runs.ts';
import { compassPoint } from '#renderer/features/forecast/common/wind-words.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';

/** Neighboring hours in which the same field differs in the same way; `until` is the last of them. */
export type Difference = { field: string; from: number; until: number; first: string; second: string };

/** Of one field: in how many hours it differs, and where numbers are furthest apart. */
export type FieldSummary = { field: string; differing: number; widest: Difference | null };

export type Comparison = {
  /** Hours that both have, and how many of them differ in any field. */
  shared: number;
  differing: number;
  onlyFirst: number;
  onlySecond: number;
  /** What differs in the current weather, which each service gives for the minute of its response. */
  now: readonly Difference[];
  fields: readonly FieldSummary[];
  /** In order of time, then of fields. */
  differences: readonly Difference[];
};

type Field = {
  name: string;
  text: (point: ForecastPoint) => string;
  /** For the widest difference. */
  value?: (point: ForecastPoint) => number | null;
};
type Pair = { at: number; first: ForecastPoint; second: ForecastPoint };

const absent = 'not sent';
const hourMs = 3_600_000;

function comparedFields(units: UnitFormat): readonly Field[] {
  const measured = (
    name: string,
    value: (point: ForecastPoint) => number | null | undefined,
    write: (value: number) => string,
  ): Field => ({
    name,
    value: (point) => value(point) ?? null,
    text: (point) => {
      const known = value(point);
      return known === null || known === undefined ? absent : write(known);
    },
  });
  return [
    { name: 'Status', text: pointLabel },
    measured('Temperature', ({ measured: values }) => values?.temperature, units.temperature.text),
    measured('Precipitation', precipitationAmount, units.precipitation.text),
    measured('Wind', ({ measured: values }) => values?.wind_speed, units.wind.text),
    {
      name: 'Wind direction',
      text: ({ measured: values }) =>
        values?.wind_direction === undefined ? absent : compassPoint(values.wind_direction),
    },
    measured(
      'Humidity',
      ({ measured: values }) => values?.humidity,
      (value) => `${units.number(value, 0)} %`,
    ),
    measured('Dew point', ({ measured: values }) => values?.dew_point, units.temperature.text),
    measured('Pressure', ({ measured: values }) => values?.pressure, units.pressure.text),
  ];
}

export function compareForecasts(first: Forecast, second: Forecast, units: UnitFormat): Comparison {
  const fields = comparedFields(units);
  const [ours, theirs] = [byHour(first), byHour(second)];
  const pairs = [...ours]
    .flatMap(([at, point]): Pair[] => {
      const other = theirs.get(at);
      return other ? [{ at, first: point, second: other }] : [];
    })
    .toSorted((one, other) => one.at - other.at);
  const perField = fields.map((field) => ({ field, found: differencesOf(field, pairs) }));
  const [nowOfFirst, nowOfSecond] = [currentPoint(first), currentPoint(second)];
  return {
    shared: pairs.length,
    differing: pairs.filter((pair) => fields.some((field) => field.text(pair.first) !== field.text(pair.second)))
      .length,
    onlyFirst: ours.size - pairs.length,
    onlySecond: theirs.size - pairs.length,
    now:
      nowOfFirst && nowOfSecond
        ? fields.flatMap((field) => differencesOf(field, [{ at: 0, first: nowOfFirst, second: nowOfSecond }]))
        : [],
    fields: perField.flatMap(({ field, found }) => {
      const differing = pairs.filter((pair) => field.text(pair.first) !== field.text(pair.second)).length;
      return found.length === 0 ? [] : [{ field: field.name, differing, widest: widestOf(field, pairs) }];
    }),
    differences: perField.flatMap(({ found }) => found).toSorted((one, other) => one.from - other.from),
  };
}

/** The first point, if it is the weather of a minute and not of an hour (docs/interface.md §4.3). */
function currentPoint({ points }: Forecast): ForecastPoint | undefined {
  const [first] = points;
  return first?.at !== null && first?.at !== undefined && !isFullHour(Date.parse(first.at)) ? first : undefined;
}

/** The first point of each time, without the current one. */
function byHour(forecast: Forecast): Map<number, ForecastPoint> {
  const current = currentPoint(forecast);
  const known = new Map<number, ForecastPoint>();
  for (const point of forecast.points) {
    const at = point.at === null || point === current ? undefined : Date.parse(point.at);
    if (at !== undefined && !known.has(at)) known.set(at, point);
  }
  return known;
}

function isFullHour(at: number): boolean {
  return at % hourMs === 0;
}

function differencesOf({ name, text }: Field, pairs: readonly Pair[]): Difference[] {
  const groups: Difference[] = [];
  let isOpen = false;
  for (const pair of pairs) {
    const [first, second] = [text(pair.first), text(pair.second)];
    if (first === second) {
      isOpen = false;
      continue;
    }
    const last = groups.at(-1);
    if (isOpen && last && last.first === first && last.second === second) last.until = pair.at;
    else groups.push({ field: name, from: pair.at, until: pair.at, first, second });
    isOpen = true;
  }
  return groups;
}

function widestOf({ name, text, value }: Field, pairs: readonly Pair[]): Difference | null {
  let widest: { gap: number; pair: Pair } | null = null;
  for (const pair of pairs) {
    const [first, second] = [value?.(pair.first) ?? null, value?.(pair.second) ?? null];
    if (first === null || second === null || text(pair.first) === text(pair.second)) continue;
    const gap = Math.abs(first - second);
    if (widest === null || gap > widest.gap) widest = { gap, pair };
  }
  if (widest === null) return null;
  const { pair } = widest;
  return { field: name, from: pair.at, until: pair.at, first: text(pair.first), second: text(pair.second) };
}
