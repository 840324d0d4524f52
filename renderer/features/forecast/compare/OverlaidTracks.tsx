// Temperature, precipitation, and wind of both forecasts over each other: A is a solid line, B a dashed one.
import { linearScale } from '#renderer/features/forecast/timeline/linear-scale.ts';
import { precipitationAmount } from '#renderer/features/forecast/common/runs.ts';
import { unbrokenStretches, type TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';
import type { TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { useUnits } from '#renderer/widgets/use-units.ts';
import classes from './Compare.module.css';

const trackHeight = 62;
const gap = 20;

export const overlaidTracksHeight = 3 * (trackHeight + gap);

type Props = { models: readonly TimelineModel[]; x: (at: number) => number; top: number; width: number };

export function OverlaidTracks({ models, x, top, width }: Readonly<Props>) {
  const units = useUnits();
  const tracks = [
    {
      name: 'Temperature',
      writer: units.temperature,
      value: (one: TimedPoint) => one.point.measured?.temperature ?? null,
    },
    { name: 'Precipitation', writer: units.precipitation, value: (one: TimedPoint) => precipitationAmount(one.point) },
    { name: 'Wind', writer: units.wind, value: (one: TimedPoint) => one.point.measured?.wind_speed ?? null },
  ];
  return tracks.map(({ name, writer, value }, index) => {
    const values = models.flatMap(({ points }) => points.map(value)).filter((one) => one !== null);
    const trackTop = top + index * (trackHeight + gap) + gap;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const y = linearScale([least, most], [trackTop + trackHeight, trackTop]);
    return (
      <g key={name} className={classes.track}>
        <text x={8} y={trackTop - 6}>
          {values.length === 0
            ? `${name}: not sent`
            : `${name}, ${writer.bare(least)} to ${writer.text(most)} (A solid, B dashed)`}
        </text>
        <line x1={8} x2={width - 8} y1={trackTop + trackHeight} y2={trackTop + trackHeight} />
        {models.map((model, side) => (
          // The sides are their places: A, then B.
          // oxlint-disable-next-line react/no-array-index-key
          <path key={side} data-side={side} d={linePath(model, value, (one) => x(one), y)} />
        ))}
      </g>
    );
  });
}

/** A line through the known values, broken at gaps and at values that were not sent. */
function linePath(
  { points }: TimelineModel,
  value: (point: TimedPoint) => number | null,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return unbrokenStretches(points)
    .flatMap((stretch) => {
      let isOpen = false;
      return stretch.map((point) => {
        const known = value(point);
        const command = known === null ? '' : `${isOpen ? 'L' : 'M'}${x(point.at).toFixed(1)},${y(known).toFixed(1)}`;
        isOpen = known !== null;
        return command;
      });
    })
    .join('');
}
