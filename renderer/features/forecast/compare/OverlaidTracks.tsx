// The measured values of all sides over each other, one track for each value that any of them has.
import type { CSSProperties } from 'react';
import { measures } from '../common/measures.ts';
import type { Run } from '../common/runs.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { Curve } from '../timeline/MeasuredTracks.tsx';
import classes from '../timeline/Timeline.module.css';
import { type CurveName, curveScale } from '../timeline/track-scales.ts';
import type { LinearScale } from '../common/linear-scale.ts';

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

export const trackHeight = 62;
export const trackGap = 22;

export function overlaidTracks(sides: readonly DrawnSide[]) {
  return measures.flatMap(({ name, field, writer }) =>
    field !== 'wind_direction' &&
    sides.some(({ points }) => points.some(({ point }) => point.measured?.[field] !== undefined))
      ? [{ name, field, writer }]
      : [],
  );
}

type Props = {
  track: { name: string; field: CurveName; writer: Exclude<keyof UnitFormat, 'number'> };
  sides: readonly DrawnSide[];
  x: LinearScale;
  top: number;
  units: UnitFormat;
};

export function OverlaidTrack({ track: { name, field, writer }, sides, x, top, units }: Readonly<Props>) {
  const { unit } = units[writer];
  const points = sides.flatMap((side) => side.points);
  const scale = curveScale([field], points, { top, height: trackHeight }, units);
  const right = x.range()[1] + 28;
  return (
    <g>
      <text x={8} y={top - 6}>
        {field === 'rainfall' || field === 'snowfall' ? `${name}, ${unit} per hour` : `${name}, ${unit}`}
      </text>
      {scale.axis.ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={8} x2={right} y1={scale.tickY(tick)} y2={scale.tickY(tick)} />
          <text x={right} y={scale.tickY(tick) - 2} textAnchor="end">
            {scale.formatTick(tick)}
          </text>
        </g>
      ))}
      {/* The first is drawn last: it is what the others are compared with. */}
      {sides.toReversed().map((side) => (
        <Curve
          key={side.index}
          data-side={side.index}
          style={sideStyle(side.index)}
          points={side.points}
          name={field}
          x={x}
          scale={scale}
        />
      ))}
    </g>
  );
}

const colors = ['var(--rb-accent)', 'var(--rb-warn)', 'var(--rb-wind)', 'var(--rb-bad)'];

/** Color and dashes of a side. Two that are beside each other in most comparisons differ by more than their color. */
export function sideStyle(index: number): CSSProperties {
  return {
    stroke: colors[index],
    strokeDasharray: index === 1 ? '5 3' : 'none',
    strokeWidth: index === 0 ? 2.2 : 1.6,
  };
}
