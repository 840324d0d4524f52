// The forecast of one place: now, the next 72 hours, the point under the cursor, and the fetch behind it. Old data stays
// while a newer fetch runs or fails, and says how old it is.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { useShownPlace } from '#renderer/store/shown.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { atRest } from '#renderer/ui/hooks/at-rest.ts';
import { durationWords } from '#renderer/ui/text/durations.ts';
import { placeWords } from '#renderer/ui/text/place-words.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { ScreenBoundary } from '#renderer/ui/controls/ScreenBoundary.tsx';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { useTimes } from '#renderer/widgets/use-units.ts';
import { nextRefreshAt } from './common/auto-refresh.ts';
import { Attribution } from './common/Attribution.tsx';
import { ForecastBar } from './ForecastBar.tsx';
import { NowCard } from './NowCard.tsx';
import { TimelineCard } from './timeline/TimelineCard.tsx';
import { timelineModel } from './common/timeline-model.ts';
import { useShownZone } from './common/use-shown-zone.ts';
import classes from './ForecastScreen.module.css';
import { IconCloudOff } from '@tabler/icons-react';
import { EmptyState } from '#renderer/ui/controls/EmptyState.tsx';

const PointDetails = lazy(async () => {
  await atRest();
  return { default: (await import('./PointDetails.tsx')).PointDetails };
});
const Compare = lazy(async () => ({ default: (await import('./compare/Compare.tsx')).Compare }));
const Board = lazy(async () => ({ default: (await import('./board/Board.tsx')).Board }));

export function ForecastScreen() {
  const forecast = useApp((state) => state.forecast.forecast);
  const request = useApp((state) => state.forecast.request);
  const refetch = useApp((state) => state.forecast.refetch);
  const isBoard = useApp((state) => state.board.isOpen && state.settings.values.savedPlaces.length > 0);
  const isCompare = useApp((state) => state.compare.sides !== null);
  const isOldShown = forecast !== null && request.state === 'failed';
  return (
    <div className={classes.screen}>
      <h1 className={classes.title}>Forecast</h1>
      <ForecastBar />
      {/* The board and the comparison tell of their own fetches. */}
      {!isBoard && !isCompare && (
        <RequestNotice
          request={request}
          failedTitle="The forecast could not be fetched"
          loadingWords={forecast ? 'Fetching…' : ''}
          onRetry={() => void refetch()}
        >
          {isOldShown && <OldDataWords forecast={forecast} />} <NextTry />
        </RequestNotice>
      )}
      <Suspense fallback={null}>{isCompare ? <Compare /> : isBoard && <Board />}</Suspense>
      {!isBoard && !isCompare && (forecast ? <ForecastCards forecast={forecast} /> : <WaitingForForecast />)}
    </div>
  );
}

function OldDataWords({ forecast }: { readonly forecast: Forecast }) {
  const age = useNow(5000) - Date.parse(forecast.fetchedAt);
  return <>Below stands the forecast of {age < 10_000 ? 'a moment' : durationWords(age)} ago.</>;
}

/** When the app asks again by itself; silent where only the person can help. */
function NextTry() {
  const { request, failures } = useApp((state) => state.forecast);
  const isConnected = useApp((state) => state.frame.link.state === 'connected');
  const now = useNow(5000);
  if (request.state !== 'failed' || !isConnected) return null;
  const at = nextRefreshAt({ lastAt: request.at, failures, failure: request.failure });
  if (at === undefined) return null;
  return <>The app asks again by itself {at - now < 10_000 ? 'in a moment' : `in ${durationWords(at - now)}`}.</>;
}

function ForecastCards({ forecast }: { readonly forecast: Forecast }) {
  const place = useShownPlace();
  const { zone, name } = useShownZone(forecast);
  const times = useTimes(zone);
  const model = useMemo(() => timelineModel(forecast, times), [forecast, times]);
  const isThatPlace = place.lat === forecast.query.lat && place.lng === forecast.query.lng;
  return (
    <>
      <NowCard
        forecast={forecast}
        model={model}
        placeName={isThatPlace ? placeWords(place) : `${forecast.query.lat}, ${forecast.query.lng}`}
        zoneName={name}
      />
      <TimelineCard forecast={forecast} model={model} />
      <ScreenBoundary title="The point’s details stopped">
        <Suspense fallback={<WaitingDetails />}>
          <PointDetails forecast={forecast} times={times} zoneName={name} />
        </Suspense>
      </ScreenBoundary>
      <Attribution forecasts={[forecast]} />
    </>
  );
}

/** As high as what comes. */
function WaitingDetails() {
  return (
    <div className={classes.columns}>
      <Skeleton height={322} radius="md" />
      <Skeleton height={600} radius="md" />
    </div>
  );
}

/** Stands where the first forecast will: its shape while it is on its way, and a plain word when none comes. */
function WaitingForForecast() {
  const request = useApp((state) => state.forecast.request);
  const connection = useApp((state) => state.frame.status?.connection.state);
  const isStarting = connection === 'starting';
  if (request.state === 'failed' || connection === 'failed') {
    return (
      <section className="rb-card">
        <EmptyState icon={<IconCloudOff size={32} />} title="No forecast yet">
          <p>As soon as the service answers, the next 72 hours of the place appear here.</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <div
      role="status"
      aria-label={isStarting ? 'The weather service is starting' : 'Fetching the forecast'}
      style={{ display: 'grid', gap: 'var(--rb-space-16)' }}
    >
      {isStarting && <span>The weather service is starting…</span>}
      <Skeleton height={130} radius="md" />
      <Skeleton height={420} radius="md" />
      <Skeleton height={260} radius="md" />
    </div>
  );
}
