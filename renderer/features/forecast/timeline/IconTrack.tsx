// The icons that the service names, one for each three hours or more: that of their first wet point, or of their first point. One
// that can't be shown is replaced by a labeled box with the reason.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { iconProblem, useIcon } from '../common/icons-slice.ts';
import { isWet } from '../common/runs.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { hoursApart } from './DayTracks.tsx';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';
import type { LinearScale } from '../common/linear-scale.ts';
import type { TrackProps } from './track-scales.ts';

const size = 28;

export function IconTrack({ model, layout, x }: TrackProps) {
  const { top, height } = layout.icons;
  return (
    <g>
      {iconPlaces(model, x).map(({ point, left, room }) => (
        <PointIcon key={left} point={point} room={room} x={left} y={top + (height - size) / 2} />
      ))}
    </g>
  );
}

/** `room`: the pixels that an icon has for its hours. */
type IconPlace = { point: ForecastPoint; left: number; room: number };

function iconPlaces({ points, times, from, to }: TimelineModel, x: LinearScale): readonly IconPlace[] {
  const starts = [from, ...hoursApart({ times, from, to }, { x, pixels: size, steps: [3, 4, 6, 12] })];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? to;
    const hours = points.filter(({ at }) => at >= start && at < end);
    const shown = hours.find(isWet) ?? hours[0];
    const room = x(end) - x(start);
    if (!shown || room < size) return [];
    return [{ point: shown.point, left: x(start) + (room - size) / 2, room }];
  });
}

type PointIconProps = Pick<IconPlace, 'point' | 'room'> & { x: number; y: number };

function PointIcon({ point: { iconUrl: url }, room, x, y }: Readonly<PointIconProps>) {
  const icon = useIcon(url);
  const markBroken = useApp((state) => state.icons.markBroken);
  const problem = iconProblem(url, icon);
  if (problem) {
    const wordWidth = textPixels(problem.short) + 2;
    const word = wordWidth < room ? problem.short : '';
    const width = word === '' ? size : Math.max(size, wordWidth);
    return (
      <g>
        <rect className={classes.standIn} x={x + (size - width) / 2} y={y} width={width} height={size} rx={6} />
        <text className={classes.standInWord} x={x + size / 2} y={y + size / 2 + 3} textAnchor="middle">
          {word}
        </text>
      </g>
    );
  }
  if (url === null || icon?.state !== 'loaded') return <g data-loading-icon />;
  return <image href={icon.dataUrl} x={x} y={y} width={size} height={size} onError={() => markBroken(url)} />;
}
