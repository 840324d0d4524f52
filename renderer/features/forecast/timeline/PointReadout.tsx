// The line under the timeline that hides nothing of the point under the cursor.
import { memo, useDeferredValue } from 'react';
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { visibleText } from '#shared/text/visible-text.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { formatDistance, formatRelativeTime } from '#renderer/ui/text/durations.ts';
import { FactRows } from '#renderer/ui/controls/FactRows.tsx';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import { useMyTimes, useTimes, useUnits } from '#renderer/widgets/use-units.ts';
import { formatMeasured, noMeasuredText } from '#renderer/features/forecast/common/format-measured.ts';
import { pointLabel, precipitationAmount } from '#renderer/features/forecast/common/runs.ts';
import type { TimedPoint } from '#renderer/features/forecast/common/timed-points.ts';
import { serviceNow, type TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import classes from './TimelineCard.module.css';

type Props = { model: TimelineModel; forecast: Forecast };

/** It follows the cursor as soon as there is time, so that the cursor itself never waits for it. */
export function PointReadout({ model, forecast }: Readonly<Props>) {
  const cursor = useDeferredValue(useApp((state) => state.forecast.cursor));
  const now = serviceNow(forecast, useNow(30_000));
  const here = model.points.find(({ point }) => point.index === cursor) ?? model.points[0];
  return here && <Facts here={here} now={now} timeZone={forecast.timeZone} />;
}

type FactsProps = { here: TimedPoint; now: number; timeZone: string };

const Facts = memo(({ here: { point, at }, now, timeZone }: Readonly<FactsProps>) => {
  const zones = { place: useTimes(timeZone), mine: useMyTimes(), utc: useTimes('UTC') };
  const units = useUnits();
  const facts: [string, string][] = [
    ['place', zones.place.weekdayClock(at)],
    ['mine', zones.mine.weekdayClock(at)],
    ['UTC', zones.utc.weekdayClock(at)],
    ['from now', formatRelativeTime(at, now)],
    [
      'status',
      pointLabel(point) === point.status ? point.status : `${pointLabel(point)} (sent: ${point.status ?? 'nothing'})`,
    ],
    ['icon', visibleText(point.iconName ?? 'none', 60)],
    ['sun', point.sunAltitude === null ? 'not sent' : `${units.number(point.sunAltitude, 1)}°`],
    ['sources', formatSources(point.sources)],
    ['grid point', point.distanceKm === null ? 'not known' : formatDistance(point.distanceKm, point.bearingDegrees)],
    ...measuredFacts(point, units),
  ];
  return (
    <dl
      className={classes.readOut}
      aria-label="Read-out of the point under the cursor"
      aria-live="polite"
      aria-atomic="false"
    >
      <FactRows facts={facts} />
    </dl>
  );
});

/** What the tracks draw of `measured`; the card below tells all of it. */
function measuredFacts(point: ForecastPoint, units: UnitFormat): [string, string][] {
  if (point.measured === null) return [];
  const { temperature, wind_speed, wind_direction } = point.measured;
  const amount = precipitationAmount(point);
  return [
    ['temp.', formatMeasured({ temperature }, units)],
    ['precip.', amount === null ? noMeasuredText : units.precipitation.text(amount)],
    ['wind', formatMeasured({ wind_speed, wind_direction }, units).replace(/^wind /, '')],
  ].filter((fact): fact is [string, string] => fact[1] !== noMeasuredText);
}

export function formatSources(sources: readonly string[] | null): string {
  if (sources === null) return 'not sent';
  return sources.length === 0 ? 'none (empty list)' : shownSources(sources).join(', ');
}

/** Sources as names that fit a card: a service may send any number, of any length. The inspector has all of them. */
export function shownSources(sources: readonly string[]): readonly string[] {
  const shown = [...new Set(sources.slice(0, mostSources))].map((source) => visibleText(source, 60));
  return sources.length > mostSources ? [...shown, `${sources.length - mostSources} more`] : shown;
}

const mostSources = 8;
