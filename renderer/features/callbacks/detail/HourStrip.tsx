// When one monitor's callbacks arrived in the last eight hours, each event with the following hour in which no other may arrive
// (docs/interface.md §8). Events that arrived too soon or out of order are highlighted; retries and tests are small.
import { useEffect } from 'react';
import type { Callback, CallbackSummary } from '@rainbell/contract/app-rpc';
import { hourMs } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import classes from '../common/Strips.module.css';

const kindLabels: Readonly<Record<CallbackSummary['kind'], string>> = {
  event: 'Event',
  retry: 'Retry',
  test: 'Test',
  other: 'Other request',
  refused: 'Refused request',
};

export function HourStrip({ callback }: { readonly callback: Pick<Callback, 'id' | 'monitorId'> }) {
  const { monitorId, id } = callback;
  const hours = useApp((state) => state.callbacks.hours);
  const load = useApp((state) => state.callbacks.loadHours);
  const select = useApp((state) => state.callbacks.select);
  const times = useLogTimes();
  useEffect(() => {
    if (monitorId !== null) void load(monitorId);
  }, [monitorId, id, load]);
  if (monitorId === null || hours?.monitorId !== monitorId || hours.callbacks.length === 0) return null;
  const { from, to, callbacks } = hours;
  const percent = (at: number) => Math.max(0, Math.min(100, (100 * (at - from)) / (to - from)));
  return (
    <section className={classes.hours} aria-label="Timeline for this monitor">
      <h3 className="rb-eyebrow">Timeline for this monitor</h3>
      <div className={classes.line}>
        {callbacks
          .filter(({ kind }) => kind === 'event')
          .map(({ id: own, receivedAt }) => {
            const at = Date.parse(receivedAt);
            return (
              <span
                key={own}
                className={classes.hour}
                style={{ left: `${percent(at)}%`, width: `${percent(at + hourMs) - percent(at)}%` }}
              />
            );
          })}
        {callbacks.map(({ id: own, receivedAt, kind, verdict }) => {
          const label = `${kindLabels[kind]} at ${times.clockSeconds(Date.parse(receivedAt))}`;
          return (
            <button
              key={own}
              type="button"
              className={classes.dot}
              data-kind={kind}
              data-verdict={verdict}
              data-here={own === id || undefined}
              style={{ left: `${percent(Date.parse(receivedAt))}%` }}
              aria-label={verdict === 'ok' || verdict === 'unknown' ? label : `${label}, too soon or out of order`}
              title={label}
              onClick={() => void select(own)}
            />
          );
        })}
      </div>
      <div className="rb-row rb-note rb-apart" aria-hidden="true">
        <span>{times.clock(from)}</span>
        <span>now</span>
      </div>
    </section>
  );
}
