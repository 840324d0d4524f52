// What a monitor at the location of the form would have done in the last 30 days, from a service that offers it. The request
// starts once the coordinates have not changed for a moment.
import { useEffect } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { useApp } from '../../store/use-app.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { selectServiceOffers } from '../monitors/selectors.ts';
import classes from './Backtest.module.css';

const restMs = 400;

export function Backtest({ place }: { readonly place: LatLng | null }) {
  const isOffered = useApp((state) => selectServiceOffers(state)?.hasBacktest === true);
  return isOffered && place ? <Shown lat={place.lat} lng={place.lng} /> : null;
}

function Shown({ lat, lng }: Readonly<LatLng>) {
  const { load, place, request, result: found } = useApp((state) => state.backtest);
  const isHere = place?.lat === lat && place.lng === lng;
  useEffect(() => {
    if (isHere) return undefined;
    const timer = setTimeout(() => void load({ lat, lng }), restMs);
    return () => clearTimeout(timer);
  }, [isHere, load, lat, lng]);
  const result = isHere ? found : null;
  return (
    <section className={`rb-small rb-break ${classes.backtest}`} aria-label="Last 30 days at this location">
      <p role="status" data-source={result?.source ?? undefined}>
        {result?.sentence ?? ''}
      </p>
      {result?.detail && <p className="rb-dim">{result.detail}</p>}
      {isHere && (
        <RequestNotice
          request={request}
          failedTitle="Couldn’t check the last 30 days at this location"
          loadingText="Checking the last 30 days at this location"
          hasData
          onRetry={() => void load({ lat, lng })}
        />
      )}
    </section>
  );
}
