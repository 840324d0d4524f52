// The point under the cursor in full, and the fetch behind it. Loaded after the timeline stands.
import { memo, useDeferredValue } from 'react';
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { Inspector } from './inspector/Inspector.tsx';
import { PointCard } from './inspector/PointCard.tsx';
import classes from './ForecastScreen.module.css';

type Props = { forecast: Forecast; times: ZonedTimes; zoneName: string };

/** It follows the cursor as soon as there is time, so that the cursor itself never waits for it. */
export function PointDetails({ forecast, times, zoneName }: Readonly<Props>) {
  const cursor = useDeferredValue(useApp((state) => state.forecast.pinned ?? state.forecast.cursor));
  const point = forecast.points[cursor] ?? forecast.points[0];
  return point && <PointCards forecast={forecast} point={point} times={times} zoneName={zoneName} />;
}

const PointCards = memo(({ forecast, point, times, zoneName }: Readonly<Props & { point: ForecastPoint }>) => (
  <div className={classes.columns}>
    <PointCard forecast={forecast} point={point} times={times} zoneName={zoneName} />
    <Inspector forecast={forecast} point={point} />
  </div>
));
