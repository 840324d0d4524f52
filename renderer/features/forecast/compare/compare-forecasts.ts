// Two forecasts compared: the current weather apart, then hour by hour and field by field. Values count as different only if a
// reader sees different texts.
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { hourMs } from '@rainbell/shared';
import { type MeasureKey, measures } from '../common/measures.ts';
import { pointLabel } from '../common/runs.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';

/** Neighboring hours in which a field has the same texts; `until` is the last of them. */
export type Difference = { field: FieldKey; from: number; until: number; a: string; b: string };

/** How one field differs: in how many hours, and where numbers are furthest apart. */
export type FieldSummary = {
  field: FieldKey;
  differing: number;
  widest: { at: number; a: string; b: string } | null;
};

export type Comparison = {
  /** Hours that both have, and how many of them differ in any field. */
  shared: number;
  differing: number;
  onlyA: number;
  onlyB: number;
  fields: readonly FieldSummary[];
  /** Differences of the current weather, which each service gives for the minute of its response; `from` is 0. */
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

/** What is compared. */
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

type Hour = { at: number; a: ForecastPoint; b: ForecastPoint };

export function compareForecasts(a: Forecast, b: Forecast, units: UnitFormat): Comparison {
  const fields = comparedFields(units);
  const [hoursOfA, hoursOfB] = [byHour(a), byHour(b)];
  const hours = [...hoursOfA]
    .flatMap(([at, point]): Hour[] => {
      const other = hoursOfB.get(at);
      return other ? [{ at, a: point, b: other }] : [];
    })
    .toSorted((one, other) => one.at - other.at);
  const found = fields.map((field) => ({ field: field.key, rows: rowsOf(field, hours) }));
  const [nowA, nowB] = [currentPoint(a), currentPoint(b)];
  const now = nowA && nowB ? [{ at: 0, a: nowA, b: nowB }] : [];
  return {
    shared: hours.length,
    differing: new Set(found.flatMap(({ rows }) => rows.map(({ at }) => at))).size,
    onlyA: hoursOfA.size - hours.length,
    onlyB: hoursOfB.size - hours.length,
    fields: found
      .filter(({ rows }) => rows.length > 0)
      .map(({ field, rows }) => ({ field, differing: rows.length, widest: widestOf(rows) })),
    now: fields.flatMap((field) => joined(field.key, rowsOf(field, now))),
    differences: found
      .flatMap(({ field, rows }) => joined(field, rows))
      .toSorted((one, other) => one.from - other.from),
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

/** An hour in which a field differs; `gap` is the distance of numbers, otherwise NaN. */
type Row = { place: number; at: number; a: string; b: string; gap: number };

function rowsOf({ key, value, text }: Field, hours: readonly Hour[]): readonly Row[] {
  return hours.flatMap(({ at, a, b }, place): Row[] => {
    // Writing a value costs more than comparing it.
    const values = [value(a), value(b)] as const;
    if (values[0] === values[1]) return [];
    const texts = [text(a), text(b)] as const;
    if (texts[0] === texts[1]) return [];
    // Between 350° and 10° there are 20°, so directions have no widest.
    const isNumber = values.every((one) => typeof one === 'number') && key !== 'windDirection';
    const gap = isNumber ? Math.abs(Number(values[0]) - Number(values[1])) : NaN;
    return [{ place, at, a: texts[0], b: texts[1], gap }];
  });
}

/** The first of the rows in which the numbers are furthest apart. */
function widestOf(rows: readonly Row[]): FieldSummary['widest'] {
  const gap = Math.max(...rows.flatMap((row) => (Number.isNaN(row.gap) ? [] : row.gap)));
  const row = rows.find((one) => one.gap === gap);
  return row ? { at: row.at, a: row.a, b: row.b } : null;
}

/** Neighboring hours with the same texts as one difference. */
function joined(field: FieldKey, rows: readonly Row[]): readonly Difference[] {
  return rows.reduce<Difference[]>((differences, { place, at, a, b }, index) => {
    const open = differences.at(-1);
    const isNext = rows[index - 1]?.place === place - 1;
    if (open && isNext && open.a === a && open.b === b) open.until = at;
    else differences.push({ field, from: at, until: at, a, b });
    return differences;
  }, []);
}
