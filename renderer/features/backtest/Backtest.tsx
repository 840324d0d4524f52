// What the monitor of the form would have done in the last 30 days, from a service that offers it. The request starts once its
// location and conditions have not changed for a moment.
import { useEffect } from 'react';
import type { BacktestQuestion } from '@rainbell/contract/app-rpc';
import { eventRulesOf, type LatLng, type MonitorOptions } from '@rainbell/contract/service-api';
import { useApp } from '../../store/use-app.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { selectServiceOffers } from '../monitors/selectors.ts';
import classes from './Backtest.module.css';

const restMs = 400;

type Props = { place: LatLng | null; options: MonitorOptions };

export function Backtest({ place, options }: Readonly<Props>) {
  const isOffered = useApp((state) => selectServiceOffers(state)?.hasBacktest === true);
  if (!isOffered || !place) return null;
  const rules = eventRulesOf(options);
  const conditions = rules && {
    min_precipitation_rate: rules.leastMmPerHour,
    precipitation_types: [...rules.types],
    dry_minutes: rules.dryMinutes,
  };
  return <Shown question={{ lat: place.lat, lng: place.lng, ...(conditions && { conditions }) }} />;
}

function Shown({ question }: { readonly question: BacktestQuestion }) {
  const { load, question: asked, request, sentence } = useApp((state) => state.backtest);
  // By value: each render has a new object.
  const text = JSON.stringify(question);
  const isHere = JSON.stringify(asked) === text;
  useEffect(() => {
    if (isHere) return undefined;
    const timer = setTimeout(() => void load(JSON.parse(text) as BacktestQuestion), restMs);
    return () => clearTimeout(timer);
  }, [isHere, load, text]);
  return (
    <section className={`rb-small rb-break ${classes.backtest}`} aria-label="Last 30 days at this location">
      <p role="status">{isHere && sentence}</p>
      {isHere && (
        <RequestNotice
          request={request}
          failedTitle="Couldn’t check the last 30 days at this location"
          loadingText="Checking the last 30 days at this location"
          hasData
          onRetry={() => void load(question)}
        />
      )}
    </section>
  );
}
