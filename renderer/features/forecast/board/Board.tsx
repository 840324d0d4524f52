// The saved places at a glance: now, the next 24 hours, the next spell, and all days as bands under one axis of hours. A row opens
// the full view.
import { useElementSize } from '@mantine/hooks';
import { Button, CloseButton, Loader, UnstyledButton } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Forecast, Place } from '@rainbell/contract/app-rpc';
import { hourMs } from '@rainbell/shared';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { countryName, formatPlace } from '../../../ui/text/format-place.ts';
import { formatDuration } from '../../../ui/text/durations.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import { useUnits } from '../../../widgets/use-units.ts';
import { Attribution } from '../common/Attribution.tsx';
import { freshForMs } from '../common/auto-refresh.ts';
import { showForecastOf } from '../selectors.ts';
import { boardKey } from './board-slice.ts';
import { daySummaries } from '../common/amounts.ts';
import { dayAmount } from '../common/format-measured.ts';
import { pointLabel } from '../common/runs.ts';
import { summarySentence } from '../common/summary.ts';
import { oldSince, pointNow, serviceNow, timelineModel, type TimelineModel } from '../common/timeline-model.ts';
import { useShownTimes } from '../common/use-shown-times.ts';
import { WeatherIcon } from '../common/WeatherIcon.tsx';
import { type LinearScale, linearScale } from '../common/linear-scale.ts';
import { timedForecast } from '../common/timed-points.ts';
import { HourAxis } from '../timeline/DayTracks.tsx';
import { StatusBand } from '../timeline/StatusBand.tsx';
import timelineClasses from '../timeline/Timeline.module.css';
import { textPixels } from '../timeline/text-pixels.ts';
import classes from './Board.module.css';

export function Board() {
  const places = useApp((state) => state.settings.values.savedPlaces);
  const load = useApp((state) => state.board.load);
  const { entries, toggle } = useApp((state) => state.board);
  useEffect(() => void load(places), [load, places]);
  const shown = places.flatMap((place) => entries[boardKey(place)]?.forecast ?? []);
  const { ref, width } = useElementSize();
  const times = useShownTimes(null);
  const spans = shown.flatMap(({ points }) => timedForecast(points) ?? []);
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  const x = linearScale([from, to], [0, width]);
  return (
    <>
      <section className="rb-card rb-padded" aria-labelledby="rb-board-title">
        <header className="rb-row">
          <h2 id="rb-board-title">Saved places</h2>
          <CloseButton className="rb-end" aria-label="Close the saved places" onClick={() => toggle(false)} />
        </header>
        <div className={classes.row} data-axis aria-hidden>
          <span className={`rb-note ${classes.zone}`}>{spans.length > 0 && `Hours in ${times.zoneName(from)}`}</span>
          <div className={classes.band} ref={ref}>
            <svg className={timelineClasses.tracks} width={width} height={18}>
              {spans.length > 0 && <HourAxis model={{ times, from, to }} top={0} x={x} />}
            </svg>
          </div>
        </div>
        <ul className="rb-lines">
          {places.map((place) => (
            <BoardRow key={boardKey(place)} place={place} x={x} />
          ))}
        </ul>
      </section>
      {shown.length > 0 && <Attribution forecasts={shown} />}
    </>
  );
}

function BoardRow({ place, x }: { readonly place: Place; readonly x: LinearScale }) {
  const entry = useApp((state) => state.board.entries[boardKey(place)]);
  const load = useApp((state) => state.board.load);
  const store = useAppStore();
  const open = () => {
    const state = store.getState();
    state.forecast.wantFocus(true);
    showForecastOf(state, place);
    state.board.toggle(false);
  };
  const name = formatPlace(place);
  return (
    <li className={classes.row}>
      <UnstyledButton className="rb-lined rb-link" onClick={open} aria-label={`Open ${name}`}>
        <strong className="rb-truncate">{formatPlace({ ...place, countryCode: null })}</strong>
        <small className="rb-truncate">{place.countryCode === null ? ' ' : countryName(place.countryCode)}</small>
      </UnstyledButton>
      {entry?.forecast && <BoardForecast forecast={entry.forecast} x={x} />}
      {!entry?.forecast && entry?.request.state !== 'failed' && (
        <Loader size={16} role="img" aria-label={`Fetching the forecast for ${name}`} />
      )}
      {entry?.request.state === 'failed' && (
        <span className={`rb-tone rb-break ${classes.failed}`} data-tone="bad" role="alert">
          {entry.request.failure.message}{' '}
          <Button size="compact-xs" onClick={() => void load([place], true)} aria-label={`Retry ${name}`}>
            Retry
          </Button>{' '}
          <TrafficButton id={entry.request.failure.details.trafficId} about={name} />
        </span>
      )}
    </li>
  );
}

function BoardForecast({ forecast, x }: { readonly forecast: Forecast; readonly x: LinearScale }) {
  const times = useShownTimes(forecast);
  const units = useUnits();
  const model = useMemo(() => timelineModel(forecast, times), [forecast, times]);
  const machineNow = useNow(30_000);
  const now = serviceNow(forecast, machineNow);
  const fetchAge = machineNow - Date.parse(forecast.fetchedAt);
  const point = pointNow(forecast, model, now);
  const since = oldSince(forecast, now);
  if (!model || !point)
    return (
      <span className={`rb-tone rb-break ${classes.failed}`} data-tone="bad">
        The response has no points.
      </span>
    );
  const age = since === null ? fetchAge : now - since;
  const kelvin = point.measured?.temperature;
  const [day] = daySummaries(model.points, [Math.max(model.from, now - hourMs)], now + 24 * hourMs, []);
  const { lowest, highest } = day ?? { lowest: null, highest: null };
  return (
    <>
      <span className="rb-row">
        <WeatherIcon url={point.iconUrl} label="" size={34} />
        {kelvin !== undefined && <b className="rb-figure">{units.temperature.whole(kelvin)}°</b>}
        <span className="rb-lined">
          <strong>{pointLabel(point)}</strong>
          {age > freshForMs ? (
            <small className="rb-tone" data-tone="warn">
              {formatDuration(age)} old
            </small>
          ) : (
            <small>{`${times.clock(model.from)} ${times.zoneName(model.from)}`}</small>
          )}
        </span>
      </span>
      <span className="rb-lined">
        {lowest !== null && highest !== null && (
          <strong>
            {units.temperature.whole(highest)}° / {units.temperature.whole(lowest)}°
          </strong>
        )}
        <small>{`${(day && dayAmount(day, units)) ?? 'no amounts'} in 24 h`}</small>
      </span>
      <span>{summarySentence(model, { times, units, now })}</span>
      <Band model={model} x={x} />
    </>
  );
}

/** All days in one line, over absolute time, which the sentence puts into words. The days are those of the place. */
function Band({ model, x }: { readonly model: TimelineModel; readonly x: LinearScale }) {
  return (
    <svg className={`${timelineClasses.tracks} ${classes.band}`} height={40} data-band aria-hidden>
      <StatusBand runs={model.runs} box={{ top: 0, height: 24 }} x={x} />
      {model.days.map(({ startsAt }) => {
        const day = model.times.weekdayClock(startsAt).slice(0, 3);
        return (
          <g key={startsAt} transform={`translate(${x(startsAt)} 0)`}>
            <line className={timelineClasses.daySeparator} y1={0} y2={40} />
            {x(startsAt) + textPixels(day) + 6 <= x.range()[1] && (
              <text x={4} y={37} data-midnight>
                {day}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
