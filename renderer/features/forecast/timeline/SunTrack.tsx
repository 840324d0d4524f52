// The sun's altitude as sent, the horizon, and the times at which the sun crosses it.
import { linearScale } from './linear-scale.ts';
import type { TrackProps } from './Timeline.tsx';
import { sunSamples } from '#renderer/features/forecast/common/nights.ts';
import { smoothArea, smoothLine } from './smooth-path.ts';
import { unbrokenStretches } from '#renderer/features/forecast/common/timed-points.ts';
import classes from './Timeline.module.css';

export function SunTrack({ model, layout, x }: TrackProps) {
  const { sun, sunEvents, times } = model;
  const { top, height } = layout.sun;
  if (sun.length < 2) return <NoSun top={top + height / 2} left={x(model.from)} hasOne={sun.length === 1} />;
  const y = linearScale(
    [
      -Math.max(10, ...sun.map(({ altitude }) => Math.abs(altitude))),
      Math.max(10, ...sun.map(({ altitude }) => Math.abs(altitude))),
    ],
    [top + height, top],
  );
  const stretches = unbrokenStretches(model.points.filter(({ point }) => point.sunAltitude !== null)).map(sunSamples);
  const path = stretches.map((stretch) => smoothLine(stretch.map(({ at, altitude }) => [x(at), y(altitude)])));
  const lit = stretches.map((stretch) =>
    smoothArea(
      stretch.map(({ at, altitude }) => [x(at), y(Math.max(0, altitude))]),
      y(0),
    ),
  );
  return (
    <g>
      <path className={classes.sunArea} d={lit.join('')} />
      <line className={classes.horizon} x1={x(model.from)} x2={x(model.to)} y1={y(0)} y2={y(0)} />
      <path className={classes.sunLine} d={path.join('')} />
      {sunEvents.map(({ kind, at }) => (
        <text key={at} className={classes.sunTime} {...besideCrossing(kind, x(at), x.range(), y(0))}>
          {kind === 'rises' ? '↑' : '↓'} {times.clock(at)}
        </text>
      ))}
    </g>
  );
}

const sunTimePixels = 46;

/** Above the horizon on the night's side of the crossing; where the edge would cut it there, below on the day's side. */
function besideCrossing(kind: 'rises' | 'sets', at: number, [left = 0, right = 0]: readonly number[], horizon: number) {
  const isOnNight = kind === 'rises' ? at - sunTimePixels >= left : at + sunTimePixels <= right;
  const isBefore = (kind === 'rises') === isOnNight;
  return {
    x: isBefore ? at - 4 : at + 4,
    y: isOnNight ? horizon - 5 : horizon + 12,
    textAnchor: isBefore ? ('end' as const) : ('start' as const),
  };
}

function NoSun({ top, left, hasOne }: { readonly top: number; readonly left: number; readonly hasOne: boolean }) {
  return (
    <text x={left + 4} y={top + 4}>
      {hasOne ? 'one sun_altitude only: no curve' : 'no sun_altitude was sent'}
    </text>
  );
}
