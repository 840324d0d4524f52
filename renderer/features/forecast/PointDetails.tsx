// What the pane shows of the point at the cursor and of the fetch behind it. Loaded after the chart is drawn.
import { memo, useDeferredValue } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { shownCursor } from './common/forecast-slice.ts';
import { Inspector } from './inspector/Inspector.tsx';

type Props = { forecast: Forecast; times: ZonedTimes };

/** Drawing the pane takes several times as long as moving the cursor over the chart, which does not wait for it. */
const Details = memo(Inspector);

export function PointDetails({ forecast, times }: Readonly<Props>) {
  const cursor = useDeferredValue(useApp((state) => shownCursor(state.forecast)));
  return <Details forecast={forecast} point={forecast.points[cursor] ?? forecast.points[0]} times={times} />;
}
