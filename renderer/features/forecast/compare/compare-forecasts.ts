// Forecasts compared with the first of them: the current weather apart, then hour by hour and field by field. Values count as
// different only if a reader sees different texts.
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { hourMs } from '@rainbell/shared';
import { type MeasureKey, measures } from '../common/measures.ts';
import { pointLabel } from '../common/runs.ts';
import { groupNeighbors } from '../common/timed-points.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';

/**
 * Neighboring hours in which a field has the same texts; `until` is the last of them. `others` has one text for each further
 * forecast, null if it does not have these hours.
 */
export type Difference = {
  field: FieldKey;
  from: number;
  until: number;
  first: string;
  others: readonly (string | null)[];
};

export type SideComparison = {
  /** Hours that both have, and how many of them differ in any field. */
  shared: number;
  differing: number;
  onlyFirst: number;
  onlyOther: number;
  /** Fields of the current weather that differ, which each service gives for the minute of its response. */
  now: readonly FieldKey[];
  fields: readonly { field: FieldKey; differing: number }[];
};

export type Comparison = {
  /** One for each forecast after the first. */
  sides: readonly SideComparison[];
  /** Differences of the current weather; `from` is 0. */
  now: readonly Difference[];
  /** In order of time, then of fields. */
  differences: readonly Difference[];
};

type Field = {
  key: FieldKey;
  /** Equal ones have equal texts. */
  value: (point: ForecastPoint) => string | number | null;
  text: (point: ForecastPoint) => string;
};

export type FieldKey = 'status' | MeasureKey;

const absent = 'not sent';

function comparedFields(units: UnitFormat): readonly Field[] {
  return [
    { key: 'status', value: pointLabel, text: pointLabel },
    ...measures.map(({ key, field, writer }) => ({
      key,
      value: ({ measured }: ForecastPoint) => measured?.[field] ?? null,
      text: ({ measured }: ForecastPoint) => {
        const value = measured?.[field];
        return value === undefined ? absent : units[writer].text(value);
      },
    })),
  ];
}

type Hour = { at: number; first: ForecastPoint; others: readonly (ForecastPoint | undefined)[] };

/** `forecasts` has two or more. */
export function compareForecasts(forecasts: readonly Forecast[], units: UnitFormat): Comparison {
  const fields = comparedFields(units);
  const [first, ...others] = forecasts.map(byHour);
  const hours = [...(first ?? [])]
    .map(([at, point]): Hour => ({ at, first: point, others: others.map((side) => side.get(at)) }))
    .toSorted((one, other) => one.at - other.at);
  const found = fields.map((field) => ({ field: field.key, rows: rowsOf(field, hours) }));
  const [nowOfFirst, ...nowOfOthers] = forecasts.map(currentPoint);
  const now = nowOfFirst ? [{ at: 0, first: nowOfFirst, others: nowOfOthers }] : [];
  const nowDifferences = fields.flatMap((field) => joined(field.key, rowsOf(field, now)));
  return {
    sides: others.map((side, index) => {
      const isOf = ({ first: text, others: texts }: Pick<Row, 'first' | 'others'>) => isOther(texts[index], text);
      const own = found.map(({ field, rows }) => ({ field, rows: rows.filter(isOf) }));
      const shared = hours.filter(({ at }) => side.has(at)).length;
      return {
        shared,
        differing: new Set(own.flatMap(({ rows }) => rows.map(({ at }) => at))).size,
        onlyFirst: hours.length - shared,
        onlyOther: side.size - shared,
        now: nowDifferences.filter(isOf).map(({ field }) => field),
        fields: own.filter(({ rows }) => rows.length > 0).map(({ field, rows }) => ({ field, differing: rows.length })),
      };
    }),
    now: nowDifferences,
    differences: found
      .flatMap(({ field, rows }) => joined(field, rows))
      .toSorted((one, other) => one.from - other.from),
  };
}

/** Whether a side's text differs from the first one's; without the hour it does not. */
export function isOther(text: string | null | undefined, first: string): boolean {
  return text !== null && text !== undefined && text !== first;
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

/** An hour in which a field differs on any side. */
type Row = { place: number; at: number; first: string; others: readonly (string | null)[] };

function rowsOf({ value, text }: Field, hours: readonly Hour[]): readonly Row[] {
  return hours.flatMap(({ at, first: point, others }, place): Row[] => {
    const own = value(point);
    // Writing a value costs more than comparing it.
    if (others.every((other) => other === undefined || value(other) === own)) return [];
    const first = text(point);
    const texts = others.map((other) => other && (value(other) === own ? first : text(other)));
    if (!texts.some((one) => isOther(one, first))) return [];
    return [{ place, at, first, others: texts.map((one) => one ?? null) }];
  });
}

/** Neighboring hours with the same texts as one difference. */
function joined(field: FieldKey, rows: readonly Row[]): readonly Difference[] {
  const textsOf = ({ first, others }: Row) => JSON.stringify([first, others]);
  const isSame = (before: Row, next: Row) => before.place === next.place - 1 && textsOf(before) === textsOf(next);
  return groupNeighbors(rows, isSame).map((group) => {
    const [{ at: from, first, others }] = group;
    return { field, from, until: group.at(-1)?.at ?? from, first, others };
  });
}
