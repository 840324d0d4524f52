// Each day in one card: high, low, water, snow, and sun.
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import type { DaySummary } from '../common/amounts.ts';
import { dayAmount, fallenText, isSomething } from '../common/format-measured.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import classes from './TimelineCard.module.css';

/** A last day with fewer hours has no card. */
const minLastMs = 3 * 3_600_000;

export function DayCards({ model }: { readonly model: TimelineModel }) {
  const units = useUnits();
  const { temperature } = units;
  const { times, summaries } = model;
  const isInDay = (at: number) => times.dayKey(at - 60_000) === times.dayKey(at);
  const days = summaries.filter(({ startsAt, until }, index) => index === 0 || until - startsAt >= minLastMs);
  return (
    <ul className={`rb-row rb-fixed ${classes.days}`} aria-label="Days">
      {days.map((day) => {
        const { startsAt, until, lowest, highest, rises, sets } = day;
        // Without these, "0.0 mm" would promise a dry day.
        const part = [
          isInDay(startsAt) && `from ${times.clock(startsAt)}`,
          isInDay(until) && `to ${times.clock(until)}`,
        ];
        const sun = [rises !== null && `↑${times.clock(rises)}`, sets !== null && `↓${times.clock(sets)}`];
        return (
          <li key={startsAt} className="rb-row rb-wrap">
            <b>{times.day(startsAt).split(' ').slice(0, 2).join(' ')}</b>
            <span className="rb-note">{part.filter((text) => text !== false).join(' ')}</span>
            <span className="rb-hidden">{spokenDay(day, times, units)}</span>
            {highest !== null && lowest !== null && (
              <span aria-hidden>
                <b data-kind="temperature">{temperature.whole(highest)}°</b>
                <span> / </span>
                {temperature.whole(lowest)}°
              </span>
            )}
            <b data-kind="sum" aria-hidden>
              {dayAmount(day, units)}
            </b>
            <span className={`rb-end rb-note ${classes.sun}`} aria-hidden>
              {sun.filter((time) => time !== false).join(' ')}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** For screen readers, after the name of the day. */
function spokenDay({ lowest, highest, sum, isPart, rises, sets }: DaySummary, times: ZonedTimes, units: UnitFormat) {
  const { temperature } = units;
  return [
    '',
    ...(rises === null ? [] : [`sunrise ${times.clock(rises)}`]),
    ...(sets === null ? [] : [`sunset ${times.clock(sets)}`]),
    ...(highest === null ? [] : [`high ${temperature.spoken(highest)}`]),
    ...(lowest === null ? [] : [`low ${temperature.spoken(lowest)}`]),
    ...(isSomething(sum) ? [`precipitation ${isPart ? 'of at least ' : ''}${fallenText(sum, units, 'spoken')}`] : []),
  ].join(', ');
}
