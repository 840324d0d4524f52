// The saved places at a glance: now, the next 24 hours, what falls next, and three days as one band each. A row opens the full view.
import { useElementSize } from '@mantine/hooks';
import { Button, CloseButton, Loader, UnstyledButton } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Forecast, Place } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { countryName, formatPlace } from '../../../ui/text/format-place.ts';
import { formatDuration } from '../../../ui/text/durations.ts';
import { weatherColor } from '../../../ui/theme.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import { useTimes, useUnits } from '../../../widgets/use-units.ts';
import { Attribution } from '../common/Attribution.tsx';
import { freshForMs } from '../common/auto-refresh.ts';
import { boardKey } from './board-slice.ts';
import { daySummaries } from '../common/amounts.ts';
import { fallenText } from '../common/format-measured.ts';
import { pointLabel, type Run, totalFallen } from '../common/runs.ts';
import { nextPrecipitationText, summarySentence } from '../common/summary.ts';
import { oldSince, pointNow, serviceNow, timelineModel, type TimelineModel } from '../common/timeline-model.ts';
import { useShownZone } from '../common/use-shown-zone.ts';
import { WeatherIcon } from '../common/WeatherIcon.tsx';
import { textPixels } from '../timeline/text-pixels.ts';
import classes from './Board.module.css';

const hourMs = 3_600_000;

export function Board() {
  const places = useApp((state) => state.settings.values.savedPlaces);
  const load = useApp((state) => state.board.load);
  const { entries, toggle } = useApp((state) => state.board);
  useEffect(() => void load(places), [load, places]);
  const shown = places.flatMap((place) => entries[boardKey(place)]?.forecast ?? []);
  return (
    <>
      <section className="rb-card rb-padded" aria-labelledby="rb-board-title">
        <header className="rb-row">
          <h2 id="rb-board-title">Saved places</h2>
          <CloseButton className="rb-end" aria-label="Close the saved places" onClick={() => toggle(false)} />
        </header>
        <ul className="rb-lines">
          {places.map((place) => (
            <BoardRow key={boardKey(place)} place={place} />
          ))}
        </ul>
      </section>
      {shown.length > 0 && <Attribution forecasts={shown} />}
    </>
  );
}

function BoardRow({ place }: { readonly place: Place }) {
  const entry = useApp((state) => state.board.entries[boardKey(place)]);
  const load = useApp((state) => state.board.load);
  const showPlace = useApp((state) => state.settings.showPlace);
  const fetchForecast = useApp((state) => state.forecast.fetch);
  const toggle = useApp((state) => state.board.toggle);
  const wantFocus = useApp((state) => state.forecast.wantFocus);
  const open = () => {
    wantFocus(true);
    void showPlace(place);
    void fetchForecast({ lat: place.lat, lng: place.lng });
    toggle(false);
  };
  const name = formatPlace(place);
  return (
    <li className={classes.row}>
      <UnstyledButton className="rb-lined rb-link" onClick={open} aria-label={`Open ${name}`}>
        <strong className="rb-truncate">{formatPlace({ ...place, countryCode: null })}</strong>
        <small className="rb-truncate">{place.countryCode === null ? ' ' : countryName(place.countryCode)}</small>
      </UnstyledButton>
      {entry?.forecast && <BoardForecast forecast={entry.forecast} />}
      {!entry?.forecast && entry?.request.state !== 'failed' && (
        <Loader size={16} role="img" aria-label={`Fetching the forecast for ${name}`} />
      )}
      {entry?.request.state === 'failed' && (
        <span className={`rb-tone rb-break ${classes.failed}`} data-tone="bad" role="alert">
          {entry.request.failure.message}{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void load([place], true)}
            aria-label={`Retry ${name}`}
          >
            Retry
          </Button>{' '}
          <TrafficButton id={entry.request.failure.details.trafficId} size="compact-xs" about={name} />
        </span>
      )}
    </li>
  );
}

function BoardForecast({ forecast }: { readonly forecast: Forecast }) {
  const { zone } = useShownZone(forecast);
  const times = useTimes(zone);
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
  const { lowest, highest, sum } = day ?? { lowest: null, highest: null, sum: totalFallen([]) };
  const next = nextPrecipitationText(model, { times, units, now });
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
        <small>{`${fallenText(sum, units) ?? 'no amounts'} in 24 h`}</small>
      </span>
      <span className="rb-lined">
        <strong>{next.headline}</strong>
        <small>{next.detail}</small>
      </span>
      <Band model={model} label={summarySentence(model, { times, units, now })} />
    </>
  );
}

/** Three days in one line, over absolute time; the label has the text. */
function Band({ model, label }: { readonly model: TimelineModel; readonly label: string }) {
  const span = Math.max(1, model.to - model.from);
  const { ref, width } = useElementSize();
  const percent = (at: number) => ((at - model.from) / span) * 100;
  return (
    <span className={classes.band} role="img" aria-label={label} title={label} ref={ref}>
      {model.runs.map((run: Run) => (
        <span
          key={run.from}
          className={`rb-small rb-strong ${classes.run}`}
          data-wet={run.precipitation === 'wet' || undefined}
          style={{
            left: `${percent(run.from)}%`,
            width: `${percent(run.until) - percent(run.from)}%`,
            background: `var(--rb-weather-${weatherColor(run.label)})`,
          }}
        >
          {textPixels(run.label) + 8 <= (width * (run.until - run.from)) / span && (
            <span style={{ color: `var(--rb-weather-${weatherColor(run.label)}-words)` }}>{run.label}</span>
          )}
        </span>
      ))}
      {model.days.map(({ startsAt }) => {
        const day = model.times.weekdayClock(startsAt).slice(0, 3);
        return (
          <span key={startsAt} className={classes.midnight} style={{ left: `${percent(startsAt)}%` }}>
            {textPixels(day, 12) + 6 <= (width * (model.to - startsAt)) / span && <small>{day}</small>}
          </span>
        );
      })}
    </span>
  );
}
