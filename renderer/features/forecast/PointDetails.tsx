// What the pane shows of the point at the cursor and of the fetch behind it. Loaded after the chart is drawn.
import { useThrottledValue } from '@mantine/hooks';
import { memo } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { shownCursor } from './common/forecast-slice.ts';
import { Inspector } from './inspector/Inspector.tsx';

type Props = { forecast: Forecast; times: ZonedTimes };

/** Ten times a second: drawing the pane takes several times as long as moving the cursor over the chart. */
const followEveryMs = 100;

const Details = memo(Inspector);

export function PointDetails({ forecast, times }: Readonly<Props>) {
  const cursor = useThrottledValue(
    useApp((state) => shownCursor(state.forecast)),
    followEveryMs,
  );
  return <Details forecast={forecast} point={forecast.points[cursor] ?? forecast.points[0]} times={times} />;
}
