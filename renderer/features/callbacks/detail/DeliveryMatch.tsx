// What our own service recorded of the attempt that brought a callback, with the time it took. Stands only where it tells.
import { useEffect } from 'react';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { useApp } from '#renderer/store/use-app.ts';
import styles from '#renderer/widgets/DetailCard.module.css';
import { formatDuration } from '#renderer/ui/text/durations.ts';

/** The service had its answer by then, so what comes later is a copy of what it sent. */
const copyAfterMs = 10_000;

export function DeliveryMatch({ callback }: { readonly callback: Pick<Callback, 'id' | 'monitorId'> }) {
  const { id, monitorId } = callback;
  const match = useApp((state) => state.deliveryMatch.match);
  const findMatch = useApp((state) => state.deliveryMatch.find);
  useEffect(() => {
    if (monitorId !== null) void findMatch(id);
  }, [id, monitorId, findMatch]);
  if (match?.callbackId !== id || !match.delivery.told) return null;
  const { attempt, latencyMs } = match.delivery;
  if (latencyMs - attempt.latencyMs > copyAfterMs) {
    return (
      <p className={styles.facts}>
        It has the id of the service’s attempt {attempt.attempt} of event{' '}
        <span className="rb-mono">{attempt.eventId}</span>, but came {formatDuration(latencyMs)} after that was begun:
        it was sent once more, by this app or another.
      </p>
    );
  }
  return (
    <p className={styles.facts}>
      The service’s attempt {attempt.attempt} of event <span className="rb-mono">{attempt.eventId}</span>; it was here{' '}
      {Math.max(0, Math.round(latencyMs))} ms after it was begun, and the service had its answer after{' '}
      {Math.round(attempt.latencyMs)} ms.
    </p>
  );
}
