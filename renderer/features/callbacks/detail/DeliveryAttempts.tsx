// The attempts of a callback's event, and whether later observations confirm it, from the service's delivery log. Shown only if the
// service has one.
import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import type { Callback, MatchedDelivery } from '@rainbell/contract/app-rpc';
import { formatOutcome } from '@rainbell/contract/service-api';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { useApp } from '../../../store/use-app.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { formatMilliseconds } from '../common/outcome-text.ts';
import classes from './CallbackDetail.module.css';
import { Badge } from '../../../ui/controls/Badge.tsx';

type Attempt = MatchedDelivery['attempts'][number];

export function DeliveryAttempts({ callback }: { readonly callback: Pick<Callback, 'id' | 'monitorId'> }) {
  const { id, monitorId } = callback;
  const match = useApp((state) => state.callbackService.match);
  const findMatch = useApp((state) => state.callbackService.findDelivery);
  const times = useLogTimes();
  useEffect(() => {
    if (monitorId !== null) void findMatch(id);
  }, [id, monitorId, findMatch]);
  if (match?.callbackId !== id || !match.delivery) return null;
  const { attempt, attempts, isCopy } = match.delivery;
  const outcome = attempts.find((one) => one.outcome)?.outcome;
  return (
    <>
      {outcome && (
        <p className="rb-dim" role="note" aria-label="Accuracy">
          <ForeignText text={formatOutcome(outcome)} />
        </p>
      )}
      <section className={`rb-column ${classes.attempts}`} aria-label="Delivery attempts">
        <h3 className="rb-row rb-wrap">
          Delivery attempts <span className="rb-mono">{attempt.eventId}</span>{' '}
          <span className="rb-note">from the service’s log, timed by its clock</span>
        </h3>
        {isCopy && <p>{`A copy of attempt ${attempt.attempt}, replayed by this app or another.`}</p>}
        <ol>
          {attempts.map((one) => {
            const isHere = one.id === attempt.id && !isCopy;
            return (
              <li key={one.id} className="rb-small" data-tone={toneOf(one)}>
                <b>
                  {one.callbackId === null || isHere ? (
                    `Attempt ${one.attempt}`
                  ) : (
                    <Anchor inherit href={`#/callbacks/${one.callbackId}`}>{`Attempt ${one.attempt}`}</Anchor>
                  )}
                </b>{' '}
                {one.httpStatus ?? 'no response'} {isHere && <Badge tone="accent">this one</Badge>}
                <br />
                <small>{times.clockMilliseconds(Date.parse(one.startedAt))}</small>
                <br />
                <small>{`${one.httpStatus === null ? 'ended' : 'responded'} after ${formatMilliseconds(Math.round(one.latencyMs))}`}</small>
              </li>
            );
          })}
        </ol>
      </section>
    </>
  );
}

function toneOf({ error, httpStatus }: Attempt): 'good' | 'warn' | 'bad' {
  if (error === null) return 'good';
  return httpStatus === null ? 'warn' : 'bad';
}
