// Axis and scale of each measured track, in the user's units.
import { fallenIn } from '../common/runs.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { type Axis, axisOf } from '../common/axis-ticks.ts';
import { linearScale } from '../common/linear-scale.ts';
import type { TrackBox } from './timeline-layout.ts';

export type TrackScale = {
  axis: Axis;
  /** Pixels of a value as the service sent it (K, mm, m/s, hPa, %). */
  y: (value: number) => number;
  /** Pixels of a tick. */
  tickY: (tick: number) => number;
  formatTick: (tick: number) => string;
};

export type CurveName = 'temperature' | 'dew_point' | 'wind_speed' | 'humidity' | 'pressure';
const tickPixels = 26;
/** Low tracks have their ticks closer, so that their scale needs no coarse steps. */
const minTickPixels = 18;
const maxTicksOfLow = 5;
const wholeDegrees = [1, 2, 5, 10];

function scaleOf(
  box: TrackBox,
  axis: Axis,
  convert: (value: number) => number,
  units: Pick<UnitFormat, 'number'>,
): TrackScale {
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

function valuesOf(points: readonly TimedPoint[], names: readonly CurveName[]): readonly number[] {
  return points.flatMap(({ point }) => names.flatMap((name) => point.measured?.[name] ?? []));
}

/** With room for the labels of the highest and the lowest. */
export function temperatureScale(
  points: readonly TimedPoint[],
  names: readonly CurveName[],
  box: TrackBox,
  units: UnitFormat,
): TrackScale {
  const { convert, unit } = units.temperature;
  const values = valuesOf(points, names).map(convert);
  const room = unit === '°F' ? 7 : 4;
  const [low, high] = [Math.min(...values) - room, Math.max(...values) + room];
  return scaleOf(box, axisOf(low, high, max(box), wholeDegrees), convert, units);
}

/** Rain and snow on one axis, each in its own unit (mm and cm). At least 0 to 2.5 mm, so that a drizzle is not drawn as a cloudburst. */
export function rainScale(
  points: readonly TimedPoint[],
  box: TrackBox,
  { precipitation, snow, number }: UnitFormat,
): TrackScale & { ySnow: (millimeters: number) => number } {
  const fallen = points.map(({ point }) => fallenIn(point));
  const peak = Math.max(
    precipitation.convert(2.5),
    ...fallen.map((one) => Math.max(precipitation.convert(one.rain ?? 0), snow.convert(one.snow ?? 0))),
  );
  const scale = scaleOf(
    box,
    axisOf(0, peak * (1 + bracketHeight / box.height), Math.min(3, max(box))),
    precipitation.convert,
    { number },
  );
  return { ...scale, ySnow: (millimeters) => scale.tickY(snow.convert(millimeters)) };
}

/** What the numbers on the curve take, and the brackets over the bars. */
const labelHeight = 16;
const bracketHeight = 26;

export function windScale(points: readonly TimedPoint[], track: TrackBox, units: UnitFormat): TrackScale {
  const { convert } = units.wind;
  const peak = Math.max(5, ...valuesOf(points, ['wind_speed']));
  const box = { top: track.top + labelHeight, height: track.height - labelHeight };
  return scaleOf(box, axisOf(0, convert(peak), max(box)), convert, units);
}

export function humidityScale(box: TrackBox, units: UnitFormat): TrackScale {
  return scaleOf(box, axisOf(0, 100, Math.min(2, max(box))), (percent) => percent, units);
}

export function pressureScale(points: readonly TimedPoint[], box: TrackBox, units: UnitFormat): TrackScale {
  const { convert } = units.pressure;
  const values = valuesOf(points, ['pressure']);
  return scaleOf(
    box,
    axisOf(convert(Math.min(...values) - 1), convert(Math.max(...values) + 1), Math.min(3, max(box))),
    convert,
    units,
  );
}
