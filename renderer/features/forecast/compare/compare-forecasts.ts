// Forecasts compared with the first of them: the current weather apart, then hour by hour and field by field. Values count as
// different only if a reader sees different texts.
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { type MeasureKey, measures } from '../common/measures.ts';
import { pointLabel } from '../common/runs.ts';
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

/** How one field differs: in how many hours, and where numbers are furthest apart. */
export type FieldSummary = {
  field: FieldKey;
  differing: number;
  widest: { at: number; first: string; other: string } | null;
};

/** One forecast beside the first. */
export type SideComparison = {
  /** Hours that both have, and how many of them differ in any field. */
  shared: number;
  differing: number;
  onlyFirst: number;
  onlyOther: number;
  /** Fields of the current weather that differ, which each service gives for the minute of its response. */
  now: readonly FieldKey[];
  fields: readonly FieldSummary[];
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

/** What is compared. */
export type FieldKey = 'status' | MeasureKey;

const absent = 'not sent';
const hourMs = 3_600_000;

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
  const counts = others.map((side) => countsFor(hours.filter(({ at }) => side.has(at)).length));
  const differences = fields.flatMap((field) => differencesOf(field, hours, counts));
  const [nowOfFirst, ...nowOfOthers] = forecasts.map(currentPoint);
  const now = nowOfFirst ? [{ at: 0, first: nowOfFirst, others: nowOfOthers }] : [];
  const nowDifferences = fields.flatMap((field) => differencesOf(field, now, []));
  return {
    sides: others.map((side, index) => {
      const { shared, differing, fields: found } = counts[index] ?? countsFor(0);
      return {
        shared,
        differing: differing.size,
        onlyFirst: hours.length - shared,
        onlyOther: side.size - shared,
        now: nowDifferences
          .filter(({ first: text, others: texts }) => isOther(texts[index], text))
          .map(({ field }) => field),
        fields: [...found].map(([field, { count, widest }]) => ({
          field,
          differing: count,
          widest: widest && { at: widest.at, first: widest.first, other: widest.other },
        })),
      };
    }),
    now: nowDifferences,
    differences: differences.toSorted((one, other) => one.from - other.from),
  };
}

/** Whether a side's text differs from the first one's; without the hour it does not. */
export function isOther(text: string | null | undefined, first: string): boolean {
  return text !== null && text !== undefined && text !== first;
}

type Widest = { gap: number; at: number; first: string; other: string };
type FieldCounts = {
  shared: number;
  differing: Set<number>;
  fields: Map<FieldKey, { count: number; widest: Widest | null }>;
};

function countsFor(shared: number): FieldCounts {
  return { shared, differing: new Set(), fields: new Map() };
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

/** Counts what it finds in `comparisons`, one for each further forecast. */
function differencesOf(field: Field, hours: readonly Hour[], counts: readonly FieldCounts[]): Difference[] {
  const rows: Difference[] = [];
  let open: Difference | undefined;
  for (const { at, first: point, others } of hours) {
    const value = field.value(point);
    // Writing a value costs more than comparing it.
    if (others.every((other) => other === undefined || field.value(other) === value)) {
      open = undefined;
      continue;
    }
    const first = field.text(point);
    const texts = others.map((other) => {
      if (other === undefined) return null;
      return field.value(other) === value ? first : field.text(other);
    });
    texts.forEach((text, index) => {
      const other = others[index];
      const counted = counts[index];
      if (other && counted && isOther(text, first))
        count(counted, field, { at, first, point, text: text ?? '', other });
    });
    if (!texts.some((text) => isOther(text, first))) {
      open = undefined;
    } else if (open && open.first === first && isSameTexts(open.others, texts)) {
      open.until = at;
    } else {
      open = { field: field.key, from: at, until: at, first, others: texts };
      rows.push(open);
    }
  }
  return rows;
}

type Found = { at: number; first: string; point: ForecastPoint; text: string; other: ForecastPoint };

function count({ differing, fields }: FieldCounts, field: Field, { at, first, point, text, other }: Found): void {
  differing.add(at);
  const entry = fields.get(field.key) ?? { count: 0, widest: null };
  entry.count += 1;
  const [one, two] = [field.value(point), field.value(other)];
  // Between 350° and 10° there are 20°, so directions have no widest.
  if (typeof one === 'number' && typeof two === 'number' && field.key !== 'windDirection') {
    const gap = Math.abs(one - two);
    if (gap > (entry.widest?.gap ?? -1)) entry.widest = { gap, at, first, other: text };
  }
  fields.set(field.key, entry);
}

function isSameTexts(one: readonly (string | null)[], other: readonly (string | null)[]): boolean {
  return one.every((text, index) => text === other[index]);
}
