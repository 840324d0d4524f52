// Days of the shown zone: the hours below, with their names at midnight, the night through all tracks, and changes of the clocks.
import { hourMs } from '@rainbell/shared';
import { type ClockChange, hourTicks } from '../../../ui/text/zoned-times.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';
import type { LinearScale } from '../common/linear-scale.ts';
import type { TrackProps } from './track-scales.ts';

/** At the left edge is the word "now". */
const nowPixels = 27;

export function NightShade({ model, layout, x }: TrackProps) {
  return model.nights.map(({ from, until }) => (
    <rect
      key={from}
      fill="var(--rb-night)"
      x={x(from)}
      width={Math.max(0, x(until) - x(from))}
      y={layout.icons.top}
      height={layout.axis.top - layout.icons.top}
    />
  ));
}

type SeparatorsProps = { days: TimelineModel['days']; x: LinearScale; bottom: number };

export function DaySeparators({ days, x, bottom }: Readonly<SeparatorsProps>) {
  return days.map(({ startsAt }) => (
    <line key={startsAt} className={classes.daySeparator} x1={x(startsAt)} x2={x(startsAt)} y1={0} y2={bottom} />
  ));
}

type ChangesProps = { changes: readonly ClockChange[]; x: LinearScale; top: number; textY: number; bottom: number };

/** A dashed line where the clocks change, with the names on both sides; the repeated hour is tinted. */
export function ClockChanges({ changes, x, top, textY, bottom }: Readonly<ChangesProps>) {
  return changes.map(({ at, before, after, shiftMs }) => (
    <g key={at}>
      {shiftMs < 0 && (
        <rect
          fill="var(--rb-warn-soft)"
          opacity={0.6}
          x={x(at + shiftMs)}
          width={x(at - shiftMs) - x(at + shiftMs)}
          y={top}
          height={bottom - top}
        />
      )}
      <line className={classes.change} x1={x(at)} x2={x(at)} y1={top} y2={bottom + 6} />
      <text className={classes.changeWord} x={x(at) - 4} y={textY} textAnchor="end">
        {before}
      </text>
      <text className={classes.changeWord} x={x(at) + 4} y={textY}>
        {after}
      </text>
    </g>
  ));
}

type AxisProps = { model: Pick<TimelineModel, 'times' | 'from' | 'to'>; top: number; x: LinearScale };

/** The whole hours that are the first of these steps apart at which they are as many pixels apart. */
export function hoursApart(
  { times, from, to }: AxisProps['model'],
  { x, pixels, steps }: { x: LinearScale; pixels: number; steps: readonly number[] },
): readonly number[] {
  const pixelsPerHour = (x(to) - x(from)) / ((to - from) / hourMs);
  return hourTicks(times, from, to, steps.find((hours) => hours * pixelsPerHour >= pixels) ?? 24);
}

export function HourAxis({ model: { times, from, to }, top, x }: Readonly<AxisProps>) {
  // 12-hour clocks write `11 PM`.
  const pixels = times.hourCycle === 'h12' ? 44 : 34;
  return (
    <g>
      {hoursApart({ times, from, to }, { x, pixels, steps: [1, 2, 3, 4, 6, 12] }).map((at) => {
        const isMidnight = times.hour(at) === 0;
        const name = isMidnight ? times.day(at).split(' ').slice(0, 2).join(' ') : times.axisHour(at);
        const half = textPixels(name) / 2;
        return (
          <g key={at} transform={`translate(${x(at)} ${top})`}>
            <line className={classes.tick} y1={0} y2={4} />
            {x(at) - x(from) > nowPixels + half && x(to) - x(at) > half && (
              <text y={15} textAnchor="middle" data-midnight={isMidnight || undefined}>
                {name}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
