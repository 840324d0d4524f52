// The forecast as a table: the same points, for screen readers and for reading off.
import { useEffect, useRef } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { formatRelativeTime } from '#renderer/ui/text/durations.ts';
import { ScrollRegion } from '#renderer/ui/controls/ScrollRegion.tsx';
import { weatherColor } from '#renderer/ui/theme.ts';
import { formatSources } from './PointReadout.tsx';
import { pointLabel, precipitationAmount } from '#renderer/features/forecast/common/runs.ts';
import type { TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';
import { keyTarget } from './timeline-keys.ts';
import type { TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { useWantedFocus } from './use-wanted-focus.ts';
import { useUnits } from '#renderer/widgets/use-units.ts';
import classes from './TimelineCard.module.css';

type Props = { model: TimelineModel; now: number };

export function TimelineTable({ model, now }: Readonly<Props>) {
  const cursor = useApp((state) => state.forecast.cursor);
  const moveCursor = useApp((state) => state.forecast.moveCursor);
  const { togglePin, pinned } = useApp((state) => state.forecast);
  const { temperature, precipitation, wind } = useUnits();
  const columns = [
    'Time',
    'From now',
    'Status',
    'Sun',
    `Rain + snow, ${precipitation.unit}`,
    temperature.unit,
    `Wind, ${wind.unit}`,
    'Sources',
    'Deviations',
  ];
  const frame = useRef<HTMLDivElement>(null);
  const position = Math.max(
    0,
    model.points.findIndex(({ point }) => point.index === cursor),
  );
  useEffect(() => {
    frame.current?.querySelector('tr[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [position]);
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  useWantedFocus(frame);
  const onKeyDown = (event: { key: string; shiftKey: boolean; preventDefault: () => void }) => {
    const key = event.key === 'ArrowDown' ? 'ArrowRight' : event.key === 'ArrowUp' ? 'ArrowLeft' : event.key;
    const target = keyTarget(model, position, key, event.shiftKey);
    const chosen = target === undefined ? undefined : model.points[target];
    if (chosen) moveCursor(chosen.point.index);
    else if (event.key === 'Enter' || (event.key === 'Escape' && pinned !== null)) togglePin();
    else return;
    event.preventDefault();
  };
  return (
    <ScrollRegion className={classes.tableFrame} ref={frame} label="Forecast points as a table" onKeyDown={onKeyDown}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.points.map((timed, index) => (
            <PointRow
              key={timed.point.index}
              timed={timed}
              model={model}
              now={now}
              isHere={index === position}
              onChoose={() => moveCursor(timed.point.index)}
            />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

type RowProps = { timed: TimedPoint; model: TimelineModel; now: number; isHere: boolean; onChoose: () => void };

function PointRow({ timed: { point, at }, model, now, isHere, onChoose }: Readonly<RowProps>) {
  const units = useUnits();
  const label = pointLabel(point);
  const amount = precipitationAmount(point);
  const { measured } = point;
  return (
    // Keys move the selection from the frame around the table.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <tr aria-selected={isHere} onClick={onChoose}>
      <td>{model.times.dayClock(at)}</td>
      <td>{formatRelativeTime(at, now)}</td>
      <td>
        <span className={classes.swatch} style={{ background: `var(--rb-weather-${weatherColor(label)})` }} />
        {label}
      </td>
      <td>{point.sunAltitude === null ? '–' : `${units.number(point.sunAltitude, 1)}°`}</td>
      <td>{amount === null ? '–' : units.precipitation.bare(amount)}</td>
      <td>{measured?.temperature === undefined ? '–' : units.temperature.bare(measured.temperature)}</td>
      <td>{measured?.wind_speed === undefined ? '–' : units.wind.bare(measured.wind_speed)}</td>
      <td>{formatSources(point.sources)}</td>
      <td>{point.problems.length === 0 ? '' : point.problems.map(({ field }) => field).join(', ')}</td>
    </tr>
  );
}
