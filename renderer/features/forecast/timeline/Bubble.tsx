// Lists every value of the hour at the cursor, and how its forecast changed over the stored forecasts. The slider announces the same
// to screen readers, and the Point tab shows the history.
import { selectActiveId } from '../../connections/selectors.ts';
import { plural } from '@rainbell/shared';
import { IconAlertTriangle, IconPinned } from '@tabler/icons-react';
import { memo, useEffect, useMemo } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { formatRelativeTime } from '../../../ui/text/durations.ts';
import { zonedTimes } from '../../../ui/text/zoned-times.ts';
import { weatherColor } from '../../../ui/theme.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { changedValues, hourHistory } from '../common/hour-history.ts';
import { shownSources } from '../common/shown-sources.ts';
import type { TimedPoint } from '../common/timed-points.ts';
import { serviceNow, type TimelineModel } from '../common/timeline-model.ts';
import { WeatherIcon } from '../common/WeatherIcon.tsx';
import { pointValues } from './point-values.ts';
import type { TrackProps } from './chart-props.ts';
import classes from './Bubble.module.css';

const width = 236;
const aside = 12;
/** With every value, a deviation, and two changes. */
const tallest = 300;
const utc = zonedTimes('UTC');

type Props = TrackProps & { here: TimedPoint; position: number };

/** Beside the hour, on the side with more room, inside of the chart. */
export function Bubble({ here, position, model, layout, x }: Readonly<Props>) {
  const mode = useApp((state) => state.forecast.bubble);
  if (mode === 'off') return null;
  const [left, right] = x.range();
  const [start, end] = [x(here.at), x(here.until)];
  const isLeft = start > (left + right) / 2;
  const place = isLeft ? start - aside - width : end + aside;
  return (
    <div
      className={`rb-floating rb-small ${classes.bubble}`}
      aria-hidden="true"
      data-mode={mode}
      style={{
        // Between two pixels, Chromium blurs the text.
        transform: `translateX(${Math.round(Math.max(left, Math.min(right - width, place)))}px)`,
        top: Math.round(Math.max(2, Math.min(layout.band.top + layout.band.height + 4, layout.height - tallest))),
        width,
      }}
    >
      <PointSummary here={here} position={position} model={model} isShort={mode === 'short'} />
    </div>
  );
}

type LineProps = { here: TimedPoint; model: TimelineModel; isShort: boolean };

/** The same in one line, for narrow windows. Values that have no room are in the pane. */
export function PointLine({ here: { point, at }, model: { times }, isShort }: Readonly<LineProps>) {
  const values = pointValues(point, useUnits());
  const problems = point.problems.length;
  return (
    <p className={`rb-row rb-truncate ${classes.line}`}>
      <b>{times.weekdayClock(at)}</b>
      <b>{values.temperature}</b>
      {!isShort && (
        <>
          <span>{values.status}</span>
          <b>{values.precipitation}</b>
          <span>
            {values.wind} {values.windFrom}
          </span>
          <span>{values.humidity}</span>
          <span>{values.pressure}</span>
        </>
      )}
      {problems > 0 && (
        <span className="rb-tone rb-end" data-tone="warn">
          {plural(problems, ['# deviation', '# deviations'])}
        </span>
      )}
    </p>
  );
}

type SummaryProps = { here: TimedPoint; position: number; model: TimelineModel; isShort: boolean };

const PointSummary = memo(function PointSummary({ here, position, model, isShort }: Readonly<SummaryProps>) {
  const forecast = useApp((state) => state.forecast.forecast);
  const isPinned = useApp((state) => state.forecast.pinned === here.point.index);
  const machineNow = useNow(30_000);
  const units = useUnits();
  const { point, at } = here;
  const { times, sums } = model;
  const now = forecast ? serviceNow(forecast, machineNow) : at;
  const values = pointValues(point, units);
  const sum = sums[position]?.sum;
  const title = (
    <p className={`rb-row rb-tight rb-strong ${classes.title}`}>
      {times.day(at)}, {times.clock(at)} {times.zoneName(at)}
      {isPinned && <IconPinned size={14} aria-hidden />}
    </p>
  );
  if (isShort)
    return (
      <>
        {title}
        <Row kind="temperature" name="Temperature" value={values.temperature} />
      </>
    );
  return (
    <>
      <div className="rb-row">
        <WeatherIcon url={point.iconUrl} label="" size={34} />
        <div>
          {title}
          <p className="rb-note">
            {utc.clock(at)} UTC · {formatRelativeTime(at, now)}
          </p>
        </div>
      </div>
      <div className={classes.part}>
        <Row
          kind="status"
          name="Status"
          value={values.status}
          color={`var(--rb-weather-${weatherColor(values.status)})`}
        />
        <Row kind="temperature" name="Temperature" value={values.temperature} />
        <Row kind="dew_point" name="Dew point" value={values.dewPoint} />
        <Row kind="rain" name="Precipitation" value={values.precipitation ?? 'not sent'} />
        <Row
          kind="sum"
          name="Rain from now"
          value={
            point.measured?.rainfall === undefined || sum === undefined ? undefined : units.precipitation.text(sum)
          }
        />
        <Row kind="wind_speed" name="Wind" value={values.wind} more={values.windFrom} />
      </div>
      {forecast && <HourChanges forecast={forecast} at={at} />}
      <div className={`${classes.part} ${classes.pairs}`}>
        <Pair name="Humidity" value={values.humidity} />
        <Pair name="Sun" value={values.sun} />
        <Pair name="Pressure" value={values.pressure} />
        <Pair name="Source" value={sourceOf(point.sources)} />
      </div>
      {point.problems.length > 0 && (
        <p className={`rb-row rb-tight rb-tone ${classes.part}`} data-tone="warn">
          <IconAlertTriangle size={14} aria-hidden />
          {plural(point.problems.length, ['# schema deviation in this point', '# schema deviations in this point'])}
        </p>
      )}
    </>
  );
});

type ChangesProps = { forecast: Forecast; at: number };

/** `0.0 → 0.4 → 2.1 mm`, if the kept fetches of this connection differ about the hour. */
function HourChanges({ forecast, at }: Readonly<ChangesProps>) {
  const stored = useApp((state) => state.compare.stored);
  const loadStored = useApp((state) => state.compare.loadStored);
  const connection = useApp(selectActiveId);
  const units = useUnits();
  useEffect(() => void loadStored(forecast), [loadStored, forecast]);
  const { temperature, precipitation } = useMemo(
    () => changedValues(hourHistory(stored, at, units), connection),
    [stored, at, units, connection],
  );
  if (temperature === null && precipitation === null) return null;
  return (
    <div className={`${classes.part} ${classes.changes}`}>
      <p className="rb-dim">Changes across stored forecasts</p>
      {precipitation !== null && <b>{precipitation}</b>}
      {temperature !== null && <b>{`${temperature} ${units.temperature.unit}`}</b>}
    </div>
  );
}

function sourceOf(sources: readonly string[] | null): string | undefined {
  const [first, ...others] = shownSources(sources ?? []);
  return first === undefined ? undefined : `${first}${others.length > 0 ? ` +${others.length}` : ''}`;
}

type RowProps = { kind: string; name: string; value: string | undefined; more?: string | undefined; color?: string };

function Row({ kind, name, value, more, color }: Readonly<RowProps>) {
  if (value === undefined) return null;
  return (
    <p className={`rb-row rb-apart ${classes.row}`}>
      <span className="rb-row rb-dim">
        <i className="rb-swatch" data-kind={kind} {...(color !== undefined && { style: { background: color } })} />
        {name}
      </span>
      <b className="rb-truncate">
        {value}
        {more !== undefined && <span className="rb-dim"> {more}</span>}
      </b>
    </p>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <p className="rb-row">
      <span className="rb-dim">{name}</span>
      <b className="rb-truncate" title={value}>
        {value}
      </b>
    </p>
  );
}
