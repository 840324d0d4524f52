// Days of the shown zone: their names and midnights, the hours below, and the night through all tracks.
import { hourTicks } from '#renderer/ui/text/zoned-times.ts';
import type { TrackProps } from './Timeline.tsx';
import { wordPixels } from './word-pixels.ts';
import classes from './Timeline.module.css';

const leastNameWidth = 108;
const paddingPixels = 14;
/** Nearer to the left edge stands the word "now". */
const leastTickPixels = 44;

/** `isFromNow`: the first day is today; a kept fetch may begin on any day. */
export function DayTrack({ model, layout, x, isFromNow = true }: TrackProps & { isFromNow?: boolean }) {
  const { times, days, firstDay, to } = model;
  const starts = [{ ...firstDay, isFirst: true }, ...days.map((day) => ({ ...day, isFirst: false }))];
  return (
    <g>
      {starts.map(({ startsAt, hours, isFirst }, index) => {
        const left = x(startsAt);
        const room = x(starts[index + 1]?.startsAt ?? to) - left;
        const long = room < leastNameWidth + 40 ? times.day(startsAt) : times.longDay(startsAt);
        const today = `Today · ${times.day(startsAt)}`;
        const isToday = isFirst && isFromNow && wordPixels(today, 13) + paddingPixels <= room;
        const name = isToday ? today : long;
        const change = hours === 24 ? '' : `${hours} h: clocks change`;
        const isChangeFitting = wordPixels(`${name}  ${change}`, 13) + paddingPixels <= room;
        return (
          <g key={startsAt}>
            {!isFirst && <line className={classes.daySeparator} x1={left} x2={left} y1={2} y2={layout.axis.top} />}
            {room > 70 && (
              <text className={classes.dayName} x={left + (isFirst ? 0 : 7)} y={14}>
                {name}
                {change !== '' && (
                  <tspan className={classes.clockChange} dx={7}>
                    {isChangeFitting ? change : `${hours} h`}
                  </tspan>
                )}
                {change !== '' && <title>{`${times.longDay(startsAt)} has ${change}`}</title>}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

export function NightShade({ model, layout, x }: TrackProps) {
  const { icons, axis } = layout;
  return (
    <g>
      <rect
        className={classes.sky}
        x={x(model.from)}
        width={x(model.to) - x(model.from)}
        y={icons.top}
        height={icons.height}
        rx={8}
      />
      {model.nights.map(({ from, until }) => (
        <rect
          key={from}
          className={classes.night}
          x={x(from)}
          width={Math.max(0, x(until) - x(from))}
          y={icons.top}
          height={axis.top - icons.top}
        />
      ))}
    </g>
  );
}

export function HourAxis({ model, layout, x }: TrackProps) {
  const pixelsPerHour = (x(model.to) - x(model.from)) / ((model.to - model.from) / 3_600_000);
  const every = pixelsPerHour > 22 ? 2 : pixelsPerHour > 13 ? 3 : pixelsPerHour > 6 ? 6 : 12;
  const { top } = layout.axis;
  return (
    <g>
      {hourTicks(model.times, model.from, model.to, every).map((at) => (
        <g key={at} transform={`translate(${x(at)} ${top})`}>
          <line className={classes.tick} y1={0} y2={4} />
          {x(at) - x(model.from) > leastTickPixels && (
            <text y={16} textAnchor="middle">
              {model.times.axisHour(at)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
