// What our own service recorded of the attempt that brought a callback, with the time it took. Stands only where it tells.
import { useEffect } from 'react';
import type { Callback, MatchedDelivery } from '#contract/app-rpc/callbacks.ts';
import { useApp } from '#renderer/store/use-app.ts';
import styles from '#renderer/widgets/DetailCard.module.css';

export function DeliveryMatch({ callback }: { readonly callback: Pick<Callback, 'id' | 'monitorId'> }) {
  const { id, monitorId } = callback;
  const match = useApp((state) => state.deliveryMatch.match);
  const findMatch = useApp((state) => state.deliveryMatch.find);
  useEffect(() => {
    if (monitorId !== null) void findMatch(id);
  }, [id, monitorId, findMatch]);
  if (match?.callbackId !== id || !match.delivery.told) return null;
  const { attempt } = match.delivery;
  return (
    <p className={styles.facts}>
      Attempt {attempt.attempt} of event <span className="rb-mono">{attempt.eventId}</span>:{' '}
      {arrivalText(match.delivery)}
    </p>
  );
}

function arrivalText({ attempt, arrivedAfterMs, isCopy }: Extract<MatchedDelivery, { told: true }>): string {
  if (isCopy) return 'sent once more, by this app or another. It is not the attempt itself.';
  const answered = `answered after ${Math.round(attempt.latencyMs)} ms`;
  return arrivedAfterMs === null ? answered : `arrived ${arrivedAfterMs} ms after sending, ${answered}`;
}
