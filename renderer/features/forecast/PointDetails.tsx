// What the pane shows of the point at the cursor and of the fetch behind it. Loaded after the chart is drawn.
import { memo, useDeferredValue } from 'react';
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { shownCursor } from './common/forecast-slice.ts';
import { Inspector } from './inspector/Inspector.tsx';

type Props = { forecast: Forecast; times: ZonedTimes };

/** It follows the cursor as soon as there is time, so that the cursor itself never waits for it. */
export function PointDetails({ forecast, times }: Readonly<Props>) {
  const cursor = useDeferredValue(useApp((state) => shownCursor(state.forecast)));
  const point = forecast.points[cursor] ?? forecast.points[0];
  return <Details forecast={forecast} point={point} times={times} />;
}

const Details = memo(({ forecast, point, times }: Readonly<Props & { point: ForecastPoint | undefined }>) => (
  <Inspector forecast={forecast} point={point} times={times} />
));
