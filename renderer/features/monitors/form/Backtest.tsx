// What a monitor at the location of the form would have done in the last 30 days, from a service that offers it. The request
// starts once the coordinates have not changed for a moment.
import { useEffect } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import classes from './Backtest.module.css';

const restMs = 400;

export function Backtest({ place }: { readonly place: LatLng | null }) {
  const isOffered = useApp(({ monitors }) => monitors.facts?.hasBacktest === true);
  return isOffered && place ? <Shown lat={place.lat} lng={place.lng} /> : null;
}

function Shown({ lat, lng }: Readonly<LatLng>) {
  const loadBacktest = useApp((state) => state.monitors.loadBacktest);
  const backtest = useApp((state) => state.monitors.backtest);
  const isHere = backtest?.place.lat === lat && backtest.place.lng === lng;
  useEffect(() => {
    if (isHere) return undefined;
    const timer = setTimeout(() => void loadBacktest({ lat, lng }), restMs);
    return () => clearTimeout(timer);
  }, [isHere, loadBacktest, lat, lng]);
  const result = isHere ? backtest.result : null;
  return (
    <section className={`rb-small rb-break ${classes.backtest}`} aria-label="Last 30 days at this location">
      <p role="status" data-source={result?.source ?? undefined}>
        {result?.sentence ?? ''}
      </p>
      {result?.detail && <p className="rb-dim">{result.detail}</p>}
      {isHere && (
        <RequestNotice
          request={backtest.request}
          failedTitle="Couldn’t check the last 30 days at this location"
          loadingText="Checking the last 30 days at this location"
          hasData
          onRetry={() => void loadBacktest({ lat, lng })}
        />
      )}
    </section>
  );
}
