// The forecast as a table, day by day: the same points, for screen readers and for reading off.
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { shownCursor } from '../common/forecast-slice.ts';
import { type Layer, measures } from '../common/measures.ts';
import { pointLabel } from '../common/runs.ts';
import { formatSources } from '../common/shown-sources.ts';
import { placeOf, type TimedPoint } from '../common/timed-points.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { WeatherIcon } from '../common/WeatherIcon.tsx';
import { keyTarget } from './timeline-keys.ts';
import { useWantedFocus } from './use-wanted-focus.ts';
import classes from './TimelineCard.module.css';

type Props = { model: TimelineModel };

type Column = {
  name: (units: UnitFormat) => string;
  value: (timed: TimedPoint, units: UnitFormat) => string;
  layer?: Layer;
  isNeeded?: (points: readonly TimedPoint[]) => boolean;
  isText?: true;
};

const none = '–';

/** What the wind blows to, from north by eighths of the circle. */
const arrows = '↑↗→↘↓↙←↖';

const measureColumns = measures.map(({ name, layer, field, writer }): Column => {
  const write = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? none : format(value);
  if (field === 'wind_direction')
    return {
      name: () => 'From',
      value: ({ point }, { direction }) =>
        write(
          point.measured?.[field],
          (degrees) =>
            `${arrows.charAt(Math.round(degrees / 45 + 4) % 8)} ${direction.text(degrees)} ${Math.round(degrees)}°`,
        ),
      layer,
      isText: true,
    };
  return {
    name: (units) => `${name}, ${units[writer].unit}`,
    value: ({ point }, units) => write(point.measured?.[field], units[writer].bare),
    layer,
    ...(field === 'snowfall' && {
      isNeeded: (points) => points.some(({ point }) => (point.measured?.[field] ?? 0) > 0),
    }),
  };
});

/** After the status. */
const columns: readonly Column[] = [
  ...measureColumns,
  {
    name: () => 'Sources',
    value: ({ point }) => formatSources(point.sources),
    isNeeded: (points) => new Set(points.map(({ point }) => formatSources(point.sources))).size > 1,
    isText: true,
  },
  {
    name: () => 'Deviations',
    value: ({ point }) => point.problems.map(({ field }) => field).join(', '),
    isNeeded: (points) => points.some(({ point }) => point.problems.length > 0),
    isText: true,
  },
];

export function TimelineTable({ model }: Readonly<Props>) {
  const cursor = useApp((state) => shownCursor(state.forecast));
  const { moveCursor, inspect } = useAppStore().getState().forecast;
  const units = useUnits();
  const shown = useApp((state) => state.forecast.layers);
  const shownColumns = useMemo(
    () =>
      columns.filter(
        ({ layer, isNeeded }) => (layer === undefined || shown.has(layer)) && isNeeded?.(model.points) !== false,
      ),
    [shown, model],
  );
  const frame = useRef<HTMLDivElement>(null);
  const position = placeOf(model.points, cursor);
  useEffect(() => {
    frame.current?.querySelector('tr[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [position]);
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  useWantedFocus(frame);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key === 'ArrowDown' ? 'ArrowRight' : event.key === 'ArrowUp' ? 'ArrowLeft' : event.key;
    const target = keyTarget(model, position, key, event.shiftKey);
    const chosen = target === undefined ? undefined : model.points[target];
    if (chosen) moveCursor(chosen.point.index);
    else if (event.key === 'Enter') inspect(cursor);
    else return;
    event.preventDefault();
  };
  return (
    <ScrollRegion
      className={`rb-fill rb-surface ${classes.tableFrame}`}
      ref={frame}
      label="Forecast points as a table"
      onKeyDown={onKeyDown}
    >
      <table className={`rb-figures rb-whole ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            {shownColumns.map(({ name, isText }) => (
              <th key={name(units)} scope="col" data-number={!isText || undefined}>
                {name(units)}
              </th>
            ))}
          </tr>
        </thead>
        {model.summaries.map(({ startsAt, until }) => (
          <tbody key={startsAt}>
            <tr className={classes.day}>
              <th scope="rowgroup" colSpan={shownColumns.length + 2}>
                {model.times.longDay(startsAt)}
              </th>
            </tr>
            {model.points.map((timed, index) =>
              timed.at >= startsAt && timed.at < until ? (
                <PointRow
                  key={timed.point.index}
                  timed={timed}
                  model={model}
                  units={units}
                  shownColumns={shownColumns}
                  isHere={index === position}
                  onChoose={moveCursor}
                />
              ) : null,
            )}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

type RowProps = {
  timed: TimedPoint;
  model: TimelineModel;
  units: UnitFormat;
  shownColumns: readonly Column[];
  isHere: boolean;
  onChoose: (index: number) => void;
};

const PointRow = memo(function PointRow(props: Readonly<RowProps>) {
  const { timed, model, units, shownColumns, isHere, onChoose } = props;
  const { point, at } = timed;
  const label = pointLabel(point);
  const { times, clockChanges } = model;
  return (
    // Keys move the selection from the frame around the table.
    <tr aria-selected={isHere} onClick={() => onChoose(point.index)}>
      <th scope="row">
        {times.clock(at)}
        {/* An hour may come twice. */}
        {clockChanges.length > 0 && ` ${times.zoneName(at)}`}
      </th>
      <td>
        <span className="rb-row rb-tight">
          <WeatherIcon url={point.iconUrl} label="" size={20} /> {label}
        </span>
      </td>
      {shownColumns.map(({ name, value, isText }) => (
        <td key={name(units)} data-number={!isText || undefined}>
          {value(timed, units)}
        </td>
      ))}
    </tr>
  );
});
