// The weather now, in numbers and two sentences that are never cut, and whose data it is from when.
import { visibleText } from '@rainbell/shared';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { formatCoordinates, formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { useTimes, useUnits } from '../../widgets/use-units.ts';
import { freshForMs } from './common/auto-refresh.ts';
import { pointLabel } from './common/runs.ts';
import { formatSources } from './common/shown-sources.ts';
import { capitalize, daysSentences, summarySentence } from './common/summary.ts';
import { dataAge, oldSince, pointNow, serviceNow, type TimelineModel } from './common/timeline-model.ts';
import { WeatherIcon } from './common/WeatherIcon.tsx';
import classes from './NowStrip.module.css';

type Props = { forecast: Forecast; model: TimelineModel | null };

export function NowStrip({ forecast, model }: Readonly<Props>) {
  const now = serviceNow(forecast, useNow(30_000));
  const units = useUnits();
  const point = pointNow(forecast, model, now);
  const kelvin = point?.measured?.temperature;
  const label = point ? pointLabel(point) : '';
  const day = point?.isDay === true ? ', day' : point?.isDay === false ? ', night' : '';
  const reading = model && { times: model.times, units, now };
  return (
    <section className={`rb-row rb-fixed ${classes.strip}`} aria-label="Weather now">
      {point && <WeatherIcon url={point.iconUrl} label={`${label}${day}`} size={56} />}
      {kelvin !== undefined && (
        <p className={`rb-row rb-strong rb-fixed ${classes.temperature}`}>
          {units.temperature.bare(kelvin)}
          <span className="rb-figure">{units.temperature.unit}</span>
        </p>
      )}
      {point ? (
        <div className="rb-fill rb-break">
          <p className="rb-title">
            {capitalize(label)}.{reading && ` ${summarySentence(model, reading)}.`}
          </p>
          {reading && <p className="rb-dim">{daysSentences(model, reading)}</p>}
        </div>
      ) : (
        <div className="rb-fill">
          <p className="rb-title">No points</p>
          <p className="rb-dim">The service returned HTTP {forecast.response.status} but no weather points.</p>
        </div>
      )}
      <Origin forecast={forecast} model={model} />
    </section>
  );
}

/** One age, that of the data: services round their first point to the hour, and a fetch may be old. */
function Origin({ forecast, model }: Readonly<Props>) {
  const machineNow = useNow(5000);
  const now = serviceNow(forecast, machineNow);
  const isOld = oldSince(forecast, now) !== null || machineNow - Date.parse(forecast.fetchedAt) > freshForMs;
  const utc = useTimes('UTC');
  const times = model?.times ?? utc;
  const [first] = forecast.points;
  if (!first) return null;
  const { country, locality } = first.location ?? {};
  const place = [locality, country].flatMap((word) => (word === undefined || word === '' ? [] : visibleText(word, 60)));
  const { since: at, ageMs } = dataAge(forecast, machineNow);
  const time = times.dayKey(at) === times.dayKey(now) ? times.clock(at) : times.dayClock(at);
  return (
    <p className={`rb-note ${classes.origin}`}>
      <span className="rb-truncate">
        {place.join(', ')} <span className="rb-mono">{formatCoordinates(forecast.query)}</span>
      </span>
      <span translate="no">{first.sources?.length ? formatSources(first.sources) : 'no sources were sent'}</span>
      <span className={isOld ? 'rb-tone' : undefined} data-tone="warn">
        {`Data from ${time} ${times.zoneName(at)}, ${formatDuration(ageMs)} old`}
      </span>
    </p>
  );
}
