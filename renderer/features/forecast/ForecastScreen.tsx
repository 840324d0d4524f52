// The forecast of one place: now, the next 72 hours, the point under the cursor, and the fetch behind it. Old data stays
// while a newer fetch runs or fails, and says how old it is.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useShownPlace } from './selectors.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { atRest } from '../../ui/hooks/at-rest.ts';
import { formatDuration } from '../../ui/text/durations.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { FeatureParts } from '../../widgets/FeatureParts.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { ScreenBoundary } from '../../ui/controls/ScreenBoundary.tsx';
import { nextRefreshAt } from './common/auto-refresh.ts';
import { ForecastBar } from './ForecastBar.tsx';
import { ChartAndPane } from './ChartAndPane.tsx';
import { NowStrip } from './NowStrip.tsx';
import { RadarMinutes } from './radar/RadarMinutes.tsx';
import { TimelineCard } from './timeline/TimelineCard.tsx';
import { clockSkew, timelineModel } from './common/timeline-model.ts';
import { useShownTimes } from './common/use-shown-times.ts';
import classes from './ForecastScreen.module.css';
import { IconCloudOff } from '@tabler/icons-react';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { Banner } from '../../widgets/Banner.tsx';

const Inspector = lazy(async () => {
  await atRest();
  return { default: (await import('./inspector/Inspector.tsx')).Inspector };
});
const Compare = lazy(async () => ({ default: (await import('./compare/Compare.tsx')).Compare }));
const Board = lazy(async () => ({ default: (await import('./board/Board.tsx')).Board }));

export function ForecastScreen() {
  const forecast = useApp((state) => state.forecast.forecast);
  const isFailed = useApp((state) => state.forecast.request.state === 'failed');
  const isBoard = useApp((state) => state.board.isOpen && state.settings.values.savedPlaces.length > 0);
  const isCompare = useApp((state) => state.compare.sides !== null);
  return (
    <div className={`rb-pane ${classes.screen}`} data-failed={isFailed || undefined}>
      <h1 className="rb-hidden">Forecast</h1>
      <ForecastBar />
      {(isBoard || isCompare) && (
        // The board and the comparison have notices of their own.
        <div className={`rb-pane rb-stack rb-padded ${classes.scrolled}`}>
          <Suspense fallback={null}>{isCompare ? <Compare /> : <Board />}</Suspense>
        </div>
      )}
      {!isBoard && !isCompare && (forecast ? <ForecastView forecast={forecast} /> : <NoForecast />)}
    </div>
  );
}

/** The fetch, and what is wrong about the data: one banner at a time, the worst first. */
function FetchNotice() {
  const forecast = useApp((state) => state.forecast.forecast);
  const request = useApp((state) => state.forecast.request);
  const failures = useApp((state) => state.forecast.failures);
  const { refetch } = useAppStore().getState().forecast;
  const isConnected = useApp((state) => state.frame.link.state === 'connected');
  const connectionName = useApp((state) => state.frame.status?.connection.name);
  const placeName = formatPlace(useShownPlace());
  const retryAt = request.state === 'failed' && isConnected ? nextRefreshAt(request, failures) : undefined;
  const skew = forecast && clockSkew(forecast);
  return (
    <>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t fetch the forecast"
        loadingText={
          connectionName === undefined
            ? `Fetching the forecast for ${placeName}`
            : `Fetching the forecast for ${placeName} from ${connectionName}`
        }
        hasData={forecast !== null}
        outline={<ForecastOutline />}
        onRetry={() => void refetch()}
        retryAt={retryAt}
      />
      {skew !== null && request.state !== 'failed' && <SkewNotice seconds={skew} />}
    </>
  );
}

function SkewNotice({ seconds }: { readonly seconds: number }) {
  const skew = formatDuration(seconds * 1000);
  return (
    <Banner
      tone="warn"
      title={seconds > 0 ? `The service’s clock is ${skew} ahead.` : `The service’s clock is ${skew} behind.`}
    >
      “Now” in the forecast follows the service’s clock, not this computer’s.
    </Banner>
  );
}

function ForecastOutline() {
  return (
    <div className="rb-stack">
      <Skeleton height={72} />
      <Skeleton className={classes.rest ?? ''} />
    </div>
  );
}

function NoForecast() {
  return (
    <div className={`rb-pane rb-stack rb-padded ${classes.scrolled}`}>
      <FetchNotice />
      <StartNotice />
    </div>
  );
}

/** The strip, and below it the chart and the pane, which fill the window. */
function ForecastView({ forecast }: { readonly forecast: Forecast }) {
  const times = useShownTimes(forecast);
  const model = useMemo(() => timelineModel(forecast, times), [forecast, times]);
  return (
    <>
      <NowStrip forecast={forecast} model={model} />
      <ChartAndPane
        chart={
          <TimelineCard forecast={forecast} model={model} notice={<FetchNotice />}>
            {model && <RadarMinutes forecast={forecast} />}
          </TimelineCard>
        }
        pane={
          <ScreenBoundary title="The point details pane stopped working">
            <Suspense fallback={<Skeleton flex={1} mih={0} />}>
              <Inspector forecast={forecast} times={times} />
            </Suspense>
          </ScreenBoundary>
        }
      />
      <FeatureParts name="forecast foot" />
    </>
  );
}

/** Until the first fetch can be sent: the service starts, or could not. */
function StartNotice() {
  const connection = useApp((state) => state.frame.status?.connection);
  const request = useApp((state) => state.forecast.request.state);
  if (connection === undefined || request !== 'idle') return null;
  if (connection.state === 'starting')
    return (
      <div role="status" className="rb-stack">
        <p>The weather service is starting…</p>
        <ForecastOutline />
      </div>
    );
  if (connection.state !== 'failed') return null;
  return (
    <EmptyState icon={<IconCloudOff size={32} />} title="No forecast yet">
      <p>{connection.problem?.message}</p>
      <p>The next 72 hours appear here when the service responds.</p>
    </EmptyState>
  );
}
