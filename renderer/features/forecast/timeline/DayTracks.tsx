// Days of the shown zone: their names and midnights, the hours below, the night through all tracks, and changes of the clocks.
import type { UnitFormat } from '../../../ui/text/units.ts';
import { hourTicks, type ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import type { DaySummary } from '../common/amounts.ts';
import { fallenText } from '../common/format-measured.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import type { TimeScale, TrackProps } from './chart-props.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

/** Three letters and the space around them. */
const minNameWidth = 44;
const minSumWidth = 150;
/** Before the name, between it and the sun, and behind. */
const aroundSunPixels = 24;
/** Nearer to the left edge is the word "now". */
const minTickPixels = 34;
const hourMs = 3_600_000;

/** Name, extremes, sum, and sun of each day. Days that pan keep their name in view. */
export function DayHeader({ model, layout, x }: TrackProps) {
  const units = useUnits();
  const { temperature } = units;
  const { times, summaries } = model;
  return (
    <ul className={`rb-small ${classes.days}`} aria-label="Days" style={{ height: layout.days.height }}>
      {summaries.map(({ startsAt, until, lowest, highest, sum, rises, sets }, index) => {
        const [left, right] = [x(startsAt), x(until)];
        const room = right - left;
        if (room < minNameWidth) return null;
        const isWide = room >= minSumWidth;
        const sunText = [rises, sets]
          .filter((at) => at !== null)
          .map((at) => `↑${times.clock(at)} `)
          .join('');
        const nameAndSun = textPixels(times.day(startsAt), 12) + textPixels(sunText, 12);
        const hasRoomForSun = isWide && nameAndSun + aroundSunPixels <= room;
        const sumText = isSomething(sum) ? (fallenText(sum, units) ?? '') : '';
        const hasRoomForSum = sumText !== '' && textPixels(`−00° / −00°${sumText}`, 12) + aroundSunPixels <= room;
        const hours = (index === 0 ? model.firstDay : model.days[index - 1])?.hours ?? 24;
        return (
          <li key={startsAt} style={{ left, width: room }} data-first={index === 0 || undefined}>
            <span className="rb-strong">
              {isWide ? times.day(startsAt) : times.day(startsAt).slice(0, room < 60 ? 3 : 6)}
              {hours !== 24 && room > 110 && <span className={classes.clockChange}> {hours} h</span>}
            </span>
            <span className="rb-hidden">{spokenDay({ lowest, highest, sum, rises, sets }, times, units)}</span>
            {hasRoomForSun && sunText !== '' && (
              <span className={classes.sunTimes} aria-hidden>
                {[rises !== null && `↑${times.clock(rises)}`, sets !== null && `↓${times.clock(sets)}`]
                  .filter((time) => time !== false)
                  .join(' ')}
              </span>
            )}
            {room >= 60 && highest !== null && lowest !== null && (
              <span className={`rb-dim ${classes.extremes}`} aria-hidden>
                <b>{temperature.whole(highest)}°</b>
                <span> / </span>
                {temperature.whole(lowest)}°
                {hasRoomForSum && (
                  <>
                    {' '}
                    <b className={classes.daySum}>{sumText}</b>
                  </>
                )}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function isSomething({ rain, snow }: DaySummary['sum']): boolean {
  return (rain ?? 0) > 0 || (snow ?? 0) > 0;
}

type DayValues = Pick<DaySummary, 'lowest' | 'highest' | 'sum' | 'rises' | 'sets'>;

/** For screen readers, after the name of the day. */
function spokenDay({ lowest, highest, sum, rises, sets }: DayValues, times: ZonedTimes, units: UnitFormat): string {
  const { temperature } = units;
  return [
    '',
    ...(rises === null ? [] : [`sunrise ${times.clock(rises)}`]),
    ...(sets === null ? [] : [`sunset ${times.clock(sets)}`]),
    ...(highest === null ? [] : [`high ${temperature.spoken(highest)}`]),
    ...(lowest === null ? [] : [`low ${temperature.spoken(lowest)}`]),
    ...(isSomething(sum) ? [`precipitation ${fallenText(sum, units, 'spoken')}`] : []),
  ].join(', ');
}

export function NightShade({ model, layout, x }: TrackProps) {
  return model.nights.map(({ from, until }) => (
    <rect
      key={from}
      className={classes.night}
      x={x(from)}
      width={Math.max(0, x(until) - x(from))}
      y={layout.icons.top}
      height={layout.axis.top - layout.icons.top}
    />
  ));
}

/** A dashed line where the clocks change, with the names on both sides; the repeated hour is tinted. */
export function ClockChanges({ model, layout, x }: TrackProps) {
  const top = layout.icons.top;
  // In the row of the first legend, which is at the right.
  const textY = layout.band.top + layout.band.height + 18;
  return model.clockChanges.map(({ at, before, after, shiftMs }) => (
    <g key={at}>
      {shiftMs < 0 && (
        <rect
          className={classes.repeated}
          x={x(at + shiftMs)}
          width={x(at - shiftMs) - x(at + shiftMs)}
          y={top}
          height={layout.axis.top - top}
        />
      )}
      <line className={classes.change} x1={x(at)} x2={x(at)} y1={top} y2={layout.axis.top + 6} />
      <text className={classes.changeWord} x={x(at) - 4} y={textY} textAnchor="end">
        {before}
      </text>
      <text className={classes.changeWord} x={x(at) + 4} y={textY}>
        {after}
      </text>
    </g>
  ));
}

/** Returns the hours that the axis labels, and the width of a label in pixels. */
export function axisHours(
  { times, from, to }: TimelineModel,
  x: TimeScale,
): { ticks: readonly number[]; textWidth: number } {
  const pixelsPerHour = (x(to) - x(from)) / ((to - from) / hourMs);
  // 12-hour clocks write `11 PM`.
  const textWidth = times.hourCycle === 'h12' ? 44 : 30;
  const every = [1, 2, 3, 4, 6, 12].find((hours) => hours * pixelsPerHour >= textWidth) ?? 24;
  return { ticks: hourTicks(times, from, to, every), textWidth };
}

export function HourAxis({ model, layout, x }: TrackProps) {
  const { times, from, to } = model;
  const { top } = layout.axis;
  return (
    <g>
      {axisHours(model, x).ticks.map((at) => (
        <g key={at} transform={`translate(${x(at)} ${top})`}>
          <line className={classes.tick} y1={0} y2={4} />
          {x(at) - x(from) > minTickPixels && x(to) - x(at) > textPixels(times.axisHour(at)) / 2 && (
            <text y={15} textAnchor="middle" data-midnight={times.hour(at) === 0 || undefined}>
              {times.axisHour(at)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
