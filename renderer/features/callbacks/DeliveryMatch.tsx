// What our own service recorded of the attempt that brought a callback, with the time it took. Stands only where it tells.
import { useEffect } from 'react';
import type { Callback } from '#contract/procedures/callbacks.ts';
import { useApp } from '#renderer/store/use-app.ts';
import styles from '#renderer/ui/DetailCard.module.css';

export function DeliveryMatch({ callback }: { readonly callback: Pick<Callback, 'id' | 'monitorId'> }) {
  const { id, monitorId } = callback;
  const match = useApp((state) => state.callbacks.match);
  const findMatch = useApp((state) => state.callbacks.findMatch);
  useEffect(() => {
    if (monitorId !== null) void findMatch(id);
  }, [id, monitorId, findMatch]);
  if (match?.callbackId !== id || !match.delivery.told) return null;
  const { attempt, latencyMs } = match.delivery;
  return (
    <p className={styles.facts}>
      The service’s attempt {attempt.attempt} of event <span className="rb-mono">{attempt.eventId}</span>; it was here{' '}
      {Math.max(0, Math.round(latencyMs))} ms after it was begun, and the service had its answer after{' '}
      {Math.round(attempt.latencyMs)} ms.
    </p>
  );
}
