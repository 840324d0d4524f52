// What the pane shows of the point at the cursor and of the fetch behind it. Loaded after the chart is drawn.
import { startTransition, useEffect, useState } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useAppStore } from '../../store/use-app.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { shownCursor } from './common/forecast-slice.ts';
import { Inspector } from './inspector/Inspector.tsx';

type Props = { forecast: Forecast; times: ZonedTimes };

export function PointDetails({ forecast, times }: Readonly<Props>) {
  const cursor = useFollowedCursor();
  return <Inspector forecast={forecast} point={forecast.points[cursor] ?? forecast.points[0]} times={times} />;
}

const followEveryMs = 100;

/** The cursor, at most ten times a second: drawing the pane takes several times as long as moving the cursor over the chart. */
function useFollowedCursor(): number {
  const store = useAppStore();
  const [cursor, setCursor] = useState(() => shownCursor(store.getState().forecast));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let followedAt = -Infinity;
    const follow = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          followedAt = performance.now();
          startTransition(() => setCursor(shownCursor(store.getState().forecast)));
        },
        Math.max(0, followedAt + followEveryMs - performance.now()),
      );
    };
    follow();
    const stop = store.subscribe(({ forecast }, before) => {
      if (shownCursor(forecast) !== shownCursor(before.forecast)) follow();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store]);
  return cursor;
}
