// The line under the timeline that hides nothing of the point under the cursor.
import type { Forecast, ForecastPoint } from '#contract/procedures/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { distanceWords, relativeWords } from '#renderer/ui/durations.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { zonedTimes } from '#renderer/ui/zoned-times.ts';
import { measuredWords, noMeasuredWords } from './measured-words.ts';
import { pointLabel, precipitationAmount } from './runs.ts';
import { serviceNow, type TimelineModel } from './timeline-model.ts';
import classes from './TimelineCard.module.css';

type Props = { model: TimelineModel; forecast: Forecast };

export function ReadOut({ model, forecast }: Readonly<Props>) {
  const cursor = useApp((state) => state.forecast.cursor);
  const now = serviceNow(forecast, useNow(30_000));
  const here = model.points.find(({ point }) => point.index === cursor) ?? model.points[0];
  if (!here) return null;
  const { point, at } = here;
  const mine = zonedTimes(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const facts: [string, string][] = [
    ['place', zonedTimes(forecast.timeZone).weekdayClock(at)],
    ['mine', mine.weekdayClock(at)],
    ['UTC', zonedTimes('UTC').weekdayClock(at)],
    ['from now', relativeWords(at, now)],
    [
      'status',
      pointLabel(point) === point.status ? point.status : `${pointLabel(point)} (sent: ${point.status ?? 'nothing'})`,
    ],
    ['icon', point.iconName ?? 'none'],
    ['sun', point.sunAltitude === null ? 'not sent' : `${point.sunAltitude.toFixed(1).replace('-', '−')}°`],
    ['sources', sourceWords(point.sources)],
    ['grid point', point.distanceKm === null ? 'not known' : distanceWords(point.distanceKm, point.bearingDegrees)],
    ...measuredFacts(point),
  ];
  return (
    <dl
      className={classes.readOut}
      aria-label="Read-out of the point under the cursor"
      aria-live="polite"
      aria-atomic="false"
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the tracks draw of `measured`; the card below tells all of it. */
function measuredFacts(point: ForecastPoint): [string, string][] {
  if (point.measured === null) return [];
  const { temperature, wind_speed, wind_direction } = point.measured;
  const amount = precipitationAmount(point);
  return [
    ['temp.', measuredWords({ temperature })],
    ['precip.', amount === null ? noMeasuredWords : `${amount.toFixed(1)} mm`],
    ['wind', measuredWords({ wind_speed, wind_direction }).replace(/^wind /, '')],
  ].filter((fact): fact is [string, string] => fact[1] !== noMeasuredWords);
}

export function sourceWords(sources: readonly string[] | null): string {
  if (sources === null) return 'not sent';
  return sources.length === 0 ? 'none (empty list)' : sources.join(', ');
}
