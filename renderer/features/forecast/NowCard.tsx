// The weather now: the first point (docs/interface.md §4.3), what comes next, where it was looked up, and how fresh it
// is.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { formatCoordinates, formatDistance, formatDuration, formatSize } from '#renderer/ui/text/durations.ts';
import { visibleText } from '#shared/text/visible-text.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { useMyTimes, useTimes, useUnits } from '#renderer/widgets/use-units.ts';
import { freshForMs } from './common/auto-refresh.ts';
import { shownSources } from './timeline/PointReadout.tsx';
import { pointLabel } from './common/runs.ts';
import { nextPrecipitationText } from './common/summary.ts';
import { serviceNow, type TimelineModel } from './common/timeline-model.ts';
import { WeatherIcon } from './common/WeatherIcon.tsx';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import classes from './NowCard.module.css';

type Props = { forecast: Forecast; model: TimelineModel | null; placeName: string; zoneName: string };

export function NowCard({ forecast, model, placeName, zoneName }: Readonly<Props>) {
  const machineNow = useNow(5000);
  const utc = useTimes('UTC');
  const units = useUnits();
  const point = forecast.points[0];
  if (!point) return <EmptyAnswer forecast={forecast} />;
  const times = model?.times ?? utc;
  const at = point.at === null ? null : Date.parse(point.at);
  const label = pointLabel(point);
  const { country, locality } = point.location ?? {};
  const place = [locality, country]
    .filter((word): word is string => word !== undefined && word !== '')
    .map((word) => visibleText(word, 60))
    .join(', ');
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Weather now">
      <WeatherIcon
        url={point.iconUrl}
        label={`${label}${point.isDay === null ? '' : point.isDay ? ', day' : ', night'}`}
        size={84}
      />
      <div className={classes.weather}>
        <p className="rb-eyebrow">Now{at === null ? '' : ` · ${times.clock(at)} ${zoneName}`}</p>
        <p className={classes.status}>{label}</p>
        <p className={classes.place}>
          {place === '' ? placeName : place} · {formatSun(point.sunAltitude, units)}
        </p>
        <SourceBadges sources={point.sources} />
      </div>
      <dl className={classes.facts}>
        {model && <Next model={model} now={serviceNow(forecast, machineNow)} />}
        <Fact
          name="Grid point"
          headline={point.distanceKm === null ? 'not known' : formatDistance(point.distanceKm, point.bearingDegrees)}
          detail={point.geo === null ? 'the point has no geo' : formatCoordinates(point.geo)}
        />
        <Freshness forecast={forecast} machineNow={machineNow} />
      </dl>
    </section>
  );
}

function Fact({
  name,
  headline,
  detail,
  isOld = false,
}: {
  readonly name: string;
  readonly headline: string;
  readonly detail: string;
  readonly isOld?: boolean;
}) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd className={classes.headline} data-old={isOld || undefined}>
        {headline}
      </dd>
      <dd className={classes.detail}>{detail}</dd>
    </div>
  );
}

function Next({ model, now }: { readonly model: TimelineModel; readonly now: number }) {
  const { headline, detail } = nextPrecipitationText(model, { times: model.times, units: useUnits(), now });
  return <Fact name="Next precipitation" headline={headline} detail={detail} />;
}

function Freshness({ forecast, machineNow }: { readonly forecast: Forecast; readonly machineNow: number }) {
  const fetchedAt = Date.parse(forecast.fetchedAt);
  const age = Math.max(0, machineNow - fetchedAt);
  const mine = useMyTimes();
  const clock = `${mine.clockSeconds(fetchedAt)} ${mine.offsetName(fetchedAt)}`;
  const isOld = age > freshForMs;
  return (
    <Fact
      name={isOld ? 'Freshness: old data' : 'Freshness'}
      headline={age < 10_000 ? 'fetched just now' : `fetched ${formatDuration(age)} ago`}
      detail={`${clock} · ${forecast.points.length} ${forecast.points.length === 1 ? 'point' : 'points'} · ${formatSize(forecast.response.sizeBytes)} · ${Math.round(forecast.tookMs)} ms`}
      isOld={isOld}
    />
  );
}

function SourceBadges({ sources }: { readonly sources: readonly string[] | null }) {
  if (sources === null || sources.length === 0) {
    return (
      <p className={classes.place}>{sources === null ? 'no sources were sent' : 'the list of sources is empty'}</p>
    );
  }
  return (
    <p className={classes.sources}>
      {shownSources(sources).map((source) => (
        <span key={source} className="rb-badge" data-tone={source === 'scenario' ? 'warn' : 'accent'}>
          {source}
        </span>
      ))}
    </p>
  );
}

function formatSun(altitude: number | null, units: UnitFormat): string {
  if (altitude === null) return 'sun not known';
  return `sun ${units.number(Math.abs(altitude), 1)}° ${altitude > 0 ? 'above' : 'below'} the horizon`;
}

function EmptyAnswer({ forecast }: { readonly forecast: Forecast }) {
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Weather now">
      <div className={classes.weather}>
        <p className={classes.status}>no points</p>
        <p className={classes.place}>
          The service answered HTTP {forecast.response.status} with a list that has no weather points. The response is
          shown below.
        </p>
      </div>
    </section>
  );
}
