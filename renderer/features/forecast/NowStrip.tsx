// The weather now, the first point (docs/interface.md §4.3), in one strip: what matters most from the left. A group whose value was
// not sent is left out; narrow strips drop the sun, then the pressure, then the humidity.
import { IconDropletFilled, IconSunset2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { visibleText } from '@rainbell/shared';
import { formatCoordinates, formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { beaufort } from '../../ui/text/units.ts';
import { useTimes, useUnits } from '../../widgets/use-units.ts';
import { freshForMs } from './common/auto-refresh.ts';
import { feelsLike } from './common/feels-like.ts';
import { fallenText } from './common/format-measured.ts';
import { fallenIn, pointLabel } from './common/runs.ts';
import { shownSources } from './common/shown-sources.ts';
import { nextPrecipitationText } from './common/summary.ts';
import type { TimedPoint } from './common/timed-points.ts';
import { oldSince, pointNow, serviceNow, type TimelineModel } from './common/timeline-model.ts';
import { WeatherIcon } from './common/WeatherIcon.tsx';
import { compassPoint, forceName } from './common/wind-words.ts';
import classes from './NowStrip.module.css';

type Props = { forecast: Forecast; model: TimelineModel | null; placeName: string };

export function NowStrip({ forecast, model, placeName }: Readonly<Props>) {
  const now = serviceNow(forecast, useNow(30_000));
  const point = pointNow(forecast, model, now);
  if (!point) return <EmptyForecast forecast={forecast} />;
  return (
    <section className={`rb-row rb-fixed ${classes.strip}`} aria-label="Weather now">
      <Weather point={point} />
      <Wind point={point} />
      <Precipitation forecast={forecast} model={model} point={point} />
      <Humidity point={point} />
      <Pressure point={point} model={model} />
      <Sun model={model} />
      <Origin forecast={forecast} model={model} point={point} placeName={placeName} />
    </section>
  );
}

type PointProps = { readonly point: ForecastPoint };

function Weather({ point }: PointProps) {
  const { temperature } = useUnits();
  const kelvin = point.measured?.temperature;
  const felt = feelsLike(point.measured ?? {});
  const label = pointLabel(point);
  return (
    <div className="rb-row rb-fixed" data-group="weather">
      <WeatherIcon url={point.iconUrl} label={iconLabel(label, point.isDay)} size={56} />
      {kelvin !== undefined && <span className={`rb-strong ${classes.temperature}`}>{temperature.bare(kelvin)}°</span>}
      <div>
        <p className={`rb-title ${classes.status}`}>{label}</p>
        {felt !== undefined && (
          <p className="rb-note" title="Calculated by the app, not sent by the service">
            feels like {temperature.bare(felt)}°
          </p>
        )}
      </div>
    </div>
  );
}

function iconLabel(label: string, isDay: boolean | null): string {
  if (isDay === null) return label;
  return isDay ? `${label}, day` : `${label}, night`;
}

type GroupProps = { name: string; value: ReactNode; detail?: ReactNode; icon?: ReactNode; group: string };

function Group({ name, value, detail, icon, group }: Readonly<GroupProps>) {
  return (
    <div className="rb-row" data-group={group}>
      {icon}
      <dl>
        <dt className="rb-note rb-medium">{name}</dt>
        <dd className="rb-title">{value}</dd>
        {detail !== undefined && <dd className="rb-note">{detail}</dd>}
      </dl>
    </div>
  );
}

function Wind({ point }: PointProps) {
  const { wind } = useUnits();
  const { wind_speed: speed, wind_direction: from } = point.measured ?? {};
  if (speed === undefined) return null;
  const arrow = from !== undefined && (
    <svg width="30" height="30" className={classes.arrow} aria-hidden="true">
      <circle cx="15" cy="15" r="14" />
      <path d="M0 8V-8M-4.4-2.8 0-8 4.4-2.8" transform={`translate(15 15) rotate(${from + 180})`} />
    </svg>
  );
  return (
    <Group
      group="wind"
      name="Wind"
      icon={arrow}
      value={
        <>
          {wind.text(speed)} {from !== undefined && <span className="rb-note rb-medium">{compassPoint(from)}</span>}
        </>
      }
      detail={forceName(beaufort(speed))}
    />
  );
}

function Precipitation({ forecast, model, point }: Readonly<Omit<Props, 'placeName'> & { point: ForecastPoint }>) {
  const units = useUnits();
  const machineNow = useNow(30_000);
  if (!model) return null;
  const now = serviceNow(forecast, machineNow);
  const amount = fallenText(fallenIn(point), units);
  const { headline, detail } = nextPrecipitationText(model, { times: model.times, units, now });
  return (
    <Group
      group="precipitation"
      name={amount === undefined ? 'Next precipitation' : `Precipitation now: ${amount}`}
      icon={<IconDropletFilled size={22} className="rb-fixed" color="var(--rb-rain)" aria-hidden />}
      value={<span title={capitalize(headline)}>{capitalize(headline)}</span>}
      detail={<span title={detail}>{detail}</span>}
    />
  );
}

function Humidity({ point }: PointProps) {
  const { number, temperature } = useUnits();
  const { humidity, dew_point: dew } = point.measured ?? {};
  if (humidity === undefined) return null;
  return (
    <Group
      group="humidity"
      name="Humidity"
      value={`${number(humidity, 0)}%`}
      {...(dew !== undefined && { detail: `dew point ${temperature.bare(dew)}°` })}
    />
  );
}

function Pressure({ point, model }: PointProps & { readonly model: TimelineModel | null }) {
  const { pressure } = useUnits();
  const now = point.measured?.pressure;
  if (now === undefined) return null;
  const tendency = model && pressureTendency(model.points);
  return (
    <Group
      group="pressure"
      name="Pressure"
      value={pressure.bare(now)}
      detail={formatTendency(pressure.unit, tendency)}
    />
  );
}

type Tendency = 'falling' | 'steady' | 'rising';

function formatTendency(unit: string, tendency: Tendency | null | undefined): string {
  if (!tendency) return unit;
  switch (tendency) {
    case 'falling':
      return `${unit}, falling`;
    case 'steady':
      return `${unit}, steady`;
    case 'rising':
      return `${unit}, rising`;
  }
}

const hourMs = 3_600_000;
/** Within this many hPa in three hours, barographs show a level line. */
const steadyHectopascals = 0.5;

/** The difference to the point three hours later. */
function pressureTendency(points: readonly TimedPoint[]): Tendency | undefined {
  const first = points[0];
  const later = first && points.findLast(({ at }) => at - first.at <= 3 * hourMs && at - first.at > 2 * hourMs);
  const [before, after] = [first?.point.measured?.pressure, later?.point.measured?.pressure];
  if (before === undefined || after === undefined) return undefined;
  const difference = after - before;
  if (Math.abs(difference) <= steadyHectopascals) return 'steady';
  return difference > 0 ? 'rising' : 'falling';
}

function Sun({ model }: { readonly model: TimelineModel | null }) {
  const next = model?.sunEvents[0];
  const today = model?.summaries[0];
  if (!model || !next || !today) return null;
  const { times } = model;
  const [rises, sets] = [today.rises, today.sets].map((at) => (at === null ? null : times.clock(at)));
  const span = [rises, sets].filter((one) => one !== null).join('–');
  if (span === '') return null;
  return (
    <Group
      group="sun"
      name="Sun"
      icon={<IconSunset2 size={24} className="rb-fixed" color="var(--rb-sun)" aria-hidden />}
      value={span}
      detail={formatSunEvent(next.kind, formatDuration(next.at - model.from))}
    />
  );
}

function formatSunEvent(kind: 'rises' | 'sets', wait: string): string {
  return kind === 'rises' ? `rises in ${wait}` : `sets in ${wait}`;
}

function Origin({ forecast, model, point, placeName }: Readonly<Props & { point: ForecastPoint }>) {
  const machineNow = useNow(5000);
  const utc = useTimes('UTC');
  const times = model?.times ?? utc;
  const { country, locality } = point.location ?? {};
  const place = [locality, country]
    .filter((word): word is string => word !== undefined && word !== '')
    .map((word) => visibleText(word, 60))
    .join(', ');
  const fetchedAt = Date.parse(forecast.fetchedAt);
  const age = Math.max(0, machineNow - fetchedAt);
  const at = point.at === null ? null : Date.parse(point.at);
  const now = serviceNow(forecast, machineNow);
  const since = oldSince(forecast, now);
  return (
    <div className={`rb-row ${classes.origin}`} data-group="origin">
      <p className="rb-truncate rb-note" title={place === '' ? placeName : place}>
        {place === '' ? placeName : place}
        {at === null ? '' : ` · ${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`}
      </p>
      <div className="rb-row rb-tight rb-truncate">
        <span className="rb-mono rb-note">{formatCoordinates(forecast.query)}</span>
        <SourceBadges sources={point.sources} />
      </div>
      {since !== null && (
        <p className="rb-small rb-tone" data-tone="warn">
          {`Data from ${times.day(since)} ${times.clock(since)} ${times.zoneName(since)}, ${formatDuration(now - since)} old`}
        </p>
      )}
      <p className={age > freshForMs ? 'rb-small rb-tone' : 'rb-note'} data-tone="warn">
        Fetched {times.clockSeconds(fetchedAt)} {times.zoneName(fetchedAt)}, {formatDuration(age)} ago
      </p>
    </div>
  );
}

function SourceBadges({ sources }: { readonly sources: readonly string[] | null }) {
  if (sources === null || sources.length === 0)
    return (
      <span className="rb-note">{sources === null ? 'no sources were sent' : 'the list of sources is empty'}</span>
    );
  return shownSources(sources).map((source) => (
    <span key={source} className="rb-badge" data-tone={source === 'scenario' ? 'warn' : 'accent'} translate="no">
      {source}
    </span>
  ));
}

function EmptyForecast({ forecast }: { readonly forecast: Forecast }) {
  return (
    <section className={`rb-row rb-fixed ${classes.strip}`} aria-label="Weather now">
      <div>
        <p className={`rb-title ${classes.status}`}>No points</p>
        <p className="rb-note">The service returned HTTP {forecast.response.status} but no weather points.</p>
      </div>
    </section>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
