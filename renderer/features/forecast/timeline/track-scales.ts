// Axis and scale of each measured track, in the user's units. d3-scale has axes, too, with colors, formats, and time scales that nothing
// here needs.
import { fallenIn } from '../common/runs.ts';
import { type MeasuredField, measures } from '../common/measures.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { type LinearScale, linearScale } from '../common/linear-scale.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import type { TimelineLayout, TrackBox, TrackName } from './timeline-layout.ts';

/** `x`: epoch milliseconds to pixels. */
export type TrackProps = { model: TimelineModel; layout: TimelineLayout; x: LinearScale };

export type ChartScales = Readonly<Partial<Record<TrackName, TrackScale>>>;
export type ChartProps = TrackProps & { scales: ChartScales; shown: ReadonlySet<string> };

type Axis = { low: number; high: number; ticks: readonly number[] };

export type TrackScale = {
  axis: Axis;
  /** Pixels of a value as the service sent it (K, mm, m/s, hPa, %). */
  y: (value: number) => number;
  tickY: (tick: number) => number;
  formatTick: (tick: number) => string;
};

export type CurveName = Exclude<MeasuredField, 'wind_direction'>;

type Range = {
  /** What the axis covers at least. */
  least?: readonly [low: number, high: number];
  maxTicks?: number;
  factors?: readonly number[];
};

const degrees: Range = { factors: [1, 2, 5, 10] };
/** In the service's units. A drizzle must not be drawn as a cloudburst. */
const ranges: Readonly<Record<CurveName, Range>> = {
  temperature: degrees,
  dew_point: degrees,
  rainfall: { least: [0, 2.5], maxTicks: 3 },
  snowfall: { least: [0, 10], maxTicks: 3 },
  wind_speed: { least: [0, 5] },
  humidity: { least: [0, 100], maxTicks: 2 },
  pressure: { maxTicks: 3 },
};

const tickPixels = 26;
/** Low tracks have their ticks closer, so that their scale needs no coarse steps. */
const minTickPixels = 18;
const maxTicksOfLow = 5;

function scaleOf(box: TrackBox, axis: Axis, convert: (value: number) => number, units: UnitFormat): TrackScale {
  const tickY = linearScale([axis.low, axis.high], [box.top + box.height, box.top]);
  const step = (axis.ticks[1] ?? 0) - (axis.ticks[0] ?? 0);
  const digits =
    step > 0 ? [0, 1, 2, 3].find((count) => Math.abs(step * 10 ** count - Math.round(step * 10 ** count)) < 1e-6) : 0;
  return {
    axis,
    y: (value) => tickY(convert(value)),
    tickY,
    formatTick: (tick) => units.number(tick, digits ?? 0),
  };
}

function max(box: TrackBox): number {
  const ofLow = Math.min(maxTicksOfLow, Math.floor(box.height / minTickPixels));
  return Math.max(1, ofLow, Math.floor(box.height / tickPixels));
}

/** One axis for curves of the same unit. `room` is free above and below their values. */
export function curveScale(
  names: readonly [CurveName, ...CurveName[]],
  points: readonly TimedPoint[],
  box: TrackBox,
  units: UnitFormat,
  room = 0,
): TrackScale {
  const { least = [], maxTicks = Infinity, factors } = ranges[names[0]];
  const writer = measures.find(({ field }) => field === names[0])?.writer ?? 'temperature';
  const { convert } = units[writer];
  const values = [...least, ...points.flatMap(({ point }) => names.flatMap((name) => point.measured?.[name] ?? []))];
  const [low, high] = [convert(Math.min(...values) - room), convert(Math.max(...values) + room)];
  return scaleOf(box, axisOf(low, high, Math.min(maxTicks, max(box)), factors), convert, units);
}

/** What the brackets over the bars take. */
const bracketHeight = 26;

/** Rain and snow on one axis, each in its own unit (mm and cm). */
export function rainScale(
  points: readonly TimedPoint[],
  box: TrackBox,
  units: UnitFormat,
): TrackScale & { ySnow: (millimeters: number) => number } {
  const { precipitation, snow } = units;
  const fallen = points.map(({ point }) => fallenIn(point));
  const peak = Math.max(
    precipitation.convert(ranges.rainfall.least?.[1] ?? 0),
    ...fallen.map((one) => Math.max(precipitation.convert(one.rain ?? 0), snow.convert(one.snow ?? 0))),
  );
  const axis = axisOf(0, peak * (1 + bracketHeight / box.height), Math.min(3, max(box)));
  const scale = scaleOf(box, axis, precipitation.convert, units);
  return { ...scale, ySnow: (millimeters) => scale.tickY(snow.convert(millimeters)) };
}

const defaultFactors = [1, 2, 2.5, 5, 10];

/** Returns an axis that covers `low` to `high` by whole steps, with at most `max` of them. */
export function axisOf(low: number, high: number, max: number, factors: readonly number[] = defaultFactors): Axis {
  const step = roundStep((high - low) / Math.max(1, max), factors);
  const from = Math.floor(low / step + 1e-9);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - from);
  const ticks = Array.from({ length: count + 1 }, (_, index) => clean((from + index) * step));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks };
}

/** The smallest factor times a power of ten that is not below `min`. */
function roundStep(min: number, factors: readonly number[]): number {
  if (!(min > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(min));
  const factor = factors.find((one) => one * power >= min * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12));
}
