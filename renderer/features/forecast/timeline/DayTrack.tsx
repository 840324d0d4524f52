// The names of the days above a chart without a header of its own.
import type { TimelineModel } from '../common/timeline-model.ts';
import type { TimeScale } from './chart-props.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

const paddingPixels = 14;

type Props = { model: TimelineModel; bottom: number; x: TimeScale };

export function DayTrack({ model, bottom, x }: Readonly<Props>) {
  const { times, days, firstDay, to } = model;
  const starts = [{ ...firstDay, isFirst: true }, ...days.map((day) => ({ ...day, isFirst: false }))];
  return (
    <g>
      {starts.map(({ startsAt, hours, isFirst }, index) => {
        const left = x(startsAt);
        const room = x(starts[index + 1]?.startsAt ?? to) - left;
        const name = room < 148 ? times.day(startsAt) : times.longDay(startsAt);
        const change = hours === 24 ? '' : `${hours} h: clocks change`;
        const isChangeFitting = textPixels(`${name}  ${change}`, 12) + paddingPixels <= room;
        return (
          <g key={startsAt}>
            {!isFirst && <line className={classes.daySeparator} x1={left} x2={left} y1={2} y2={bottom} />}
            {room > 70 && (
              <text className={classes.dayTitle} x={left + (isFirst ? 0 : 7)} y={14}>
                {name}
                {change !== '' && (
                  <tspan className={classes.clockChange} dx={7}>
                    {isChangeFitting ? change : `${hours} h`}
                  </tspan>
                )}
                {change !== '' && (
                  <title>{`${times.longDay(startsAt)} has ${hours} hours because the clocks change`}</title>
                )}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
