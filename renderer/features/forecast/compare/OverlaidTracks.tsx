// The measured values of all sides over each other, one track for each value that any of them has.
import { axisOf } from '../common/axis-ticks.ts';
import { linearScale } from '../common/linear-scale.ts';
import type { Run } from '../common/runs.ts';
import { unbrokenRuns, type TimedPoint } from '../common/timed-points.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import classes from './Compare.module.css';
import { seriesStyle } from './CompareSidePicker.tsx';
import { tenth } from '../common/tenth.ts';

/** A side whose points can be placed in time. `order` is its place among those that have loaded. */
export type DrawnSide = {
  index: number;
  order: number;
  name: string;
  points: readonly TimedPoint[];
  runs: readonly Run[];
  from: number;
  to: number;
};

const trackHeight = 62;
const gap = 22;

type Track = {
  name: string;
  unit: string;
  value: (one: TimedPoint) => number | null;
  convert: (value: number) => number;
  /** What the axis covers at least, in the user's unit. */
  min?: readonly [low: number, high: number];
};

/** The tracks that any side has values for. */
export function overlaidTracks(sides: readonly DrawnSide[], units: UnitFormat): readonly Track[] {
  const { temperature, precipitation, snow, wind, pressure } = units;
  const measured =
    (name: 'temperature' | 'dew_point' | 'wind_speed' | 'humidity' | 'pressure') =>
    ({ point }: TimedPoint) =>
      point.measured?.[name] ?? null;
  const percent = (value: number) => value;
  const tracks: readonly Track[] = [
    { name: 'Temperature', value: measured('temperature'), unit: temperature.unit, convert: temperature.convert },
    { name: 'Dew point', value: measured('dew_point'), unit: temperature.unit, convert: temperature.convert },
    {
      name: 'Rain',
      value: ({ point }) => point.measured?.rainfall ?? null,
      unit: `${precipitation.unit} per hour`,
      convert: precipitation.convert,
      min: [0, precipitation.convert(1)],
    },
    {
      name: 'Snow',
      value: ({ point }) => point.measured?.snowfall ?? null,
      unit: `${snow.unit} per hour`,
      convert: snow.convert,
      min: [0, snow.convert(10)],
    },
    {
      name: 'Wind',
      value: measured('wind_speed'),
      unit: wind.unit,
      convert: wind.convert,
      min: [0, wind.convert(2)],
    },
    { name: 'Humidity', value: measured('humidity'), unit: '%', convert: percent, min: [0, 100] },
    { name: 'Pressure', value: measured('pressure'), unit: pressure.unit, convert: pressure.convert },
  ];
  return tracks.filter(({ value }) => sides.some(({ points }) => points.some((point) => value(point) !== null)));
}

export function overlaidTracksHeight(count: number): number {
  return count * (trackHeight + gap);
}

type Props = {
  tracks: readonly Track[];
  sides: readonly DrawnSide[];
  x: (at: number) => number;
  top: number;
  width: number;
  units: UnitFormat;
};

export function OverlaidTracks({ tracks, sides, x, top, width, units }: Readonly<Props>) {
  const placed = sides.map(({ index, points }) => ({
    index,
    runs: unbrokenRuns(points),
    places: placesOf(points, x),
  }));
  return tracks.map(({ name, unit, value, convert, min }, order) => {
    const trackTop = top + order * (trackHeight + gap) + gap;
    const lines = placed.map(({ index, runs, places }) => ({
      index,
      places,
      runs: runs.map((run) => run.map((point) => numberOr(value(point), convert))),
    }));
    const axis = axisFor(lines, min);
    const y = linearScale([axis.low, axis.high], [trackTop + trackHeight, trackTop]);
    return (
      <g key={name} className={classes.track}>
        <text x={8} y={trackTop - 6}>{`${name}, ${unit}`}</text>
        {axis.ticks.map((tick) => (
          <g key={tick}>
            <line x1={8} x2={width - 8} y1={y(tick)} y2={y(tick)} />
            <text x={width - 4} y={y(tick) - 2} textAnchor="end">
              {units.number(tick, Number.isInteger(tick) ? 0 : 1)}
            </text>
          </g>
        ))}
        {/* The first is drawn last: it is what the others are compared with. */}
        {lines.toReversed().map((line) => (
          <path key={line.index} data-side={line.index} {...seriesStyle(line.index)} d={linePath(line, y)} />
        ))}
      </g>
    );
  });
}

type Line = {
  /** Values in the user's unit, cut at gaps; null was not sent. */
  runs: readonly (readonly (number | null)[])[];
  /** Their horizontal positions, in the order of time. */
  places: readonly number[];
};

function placesOf(points: readonly TimedPoint[], x: (at: number) => number): readonly number[] {
  return points.map(({ at }) => tenth(x(at)));
}

function numberOr(value: number | null, convert: (value: number) => number): number | null {
  return value === null ? null : convert(value);
}

function axisFor(lines: readonly Line[], min: readonly [low: number, high: number] | undefined) {
  let [low, high] = min ?? [Infinity, -Infinity];
  for (const { runs } of lines)
    for (const run of runs)
      for (const known of run) {
        if (known === null) continue;
        if (known < low) low = known;
        if (known > high) high = known;
      }
  return axisOf(low, high > low ? high : low + 1, 2);
}

/** A line through the known values, broken at gaps and at values that were not sent. */
function linePath({ runs, places }: Line, y: (value: number) => number): string {
  let path = '';
  let place = 0;
  for (const run of runs) {
    let isOpen = false;
    for (const known of run) {
      if (known !== null) path += `${isOpen ? 'L' : 'M'}${places[place]},${tenth(y(known))}`;
      isOpen = known !== null;
      place += 1;
    }
  }
  return path;
}
