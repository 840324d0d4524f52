// The delivery log of the selected monitor, newest first, with Resend. It reloads while it is shown.
import { TaskIcon } from '../../../ui/controls/TaskButton.tsx';
import { IconSend } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { AppDelivery, AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { Tooltip } from '../../../ui/controls/Tooltip.tsx';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { visibleText } from '@rainbell/shared';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { formatOutcome } from '@rainbell/contract/service-api';
import { formatDeliveryOutcome } from '../common/delivery-status.ts';
import classes from '../common/MonitorPanel.module.css';

const readEveryMs = 10_000;

export function Deliveries({ monitor: { id } }: { readonly monitor: AppMonitor }) {
  const { deliveries, deliveriesRequest, loadDeliveries } = useApp((state) => state.monitors);
  const aheadMs = useApp((state) => state.monitors.facts?.aheadMs ?? 0);
  const now = useNow(60_000) + aheadMs;
  const times = useLogTimes();
  useEffect(() => {
    void loadDeliveries();
    const timer = setInterval(() => {
      if (!document.hidden) void loadDeliveries();
    }, readEveryMs);
    return () => clearInterval(timer);
  }, [loadDeliveries]);
  return (
    <>
      <h3 className={`rb-row rb-eyebrow ${classes.title}`}>Deliveries</h3>
      <RequestNotice
        request={deliveriesRequest}
        failedTitle="Couldn’t load the deliveries"
        loadingText="Loading deliveries"
        hasData={deliveries.length > 0}
        onRetry={() => void loadDeliveries()}
      />
      {deliveries.length === 0 && deliveriesRequest.state === 'done' && (
        <p className="rb-dim">No deliveries yet. Attempts appear here when the monitor fires.</p>
      )}
      {deliveries.length > 0 && (
        <ul className={`rb-small ${classes.deliveries}`} aria-label="Deliveries, newest first">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} monitorId={id} delivery={delivery} times={times} now={now} />
          ))}
        </ul>
      )}
    </>
  );
}

type Props = { monitorId: string; delivery: AppDelivery; times: ZonedTimes; now: number };

function Delivery({ monitorId, delivery, times, now }: Readonly<Props>) {
  const resend = useApp((state) => state.monitors.resend);
  const isBusy = useApp((state) => state.monitors.busy.has(delivery.eventId));
  const { eventId, error, latencyMs, answer } = delivery;
  const at = Date.parse(delivery.startedAt);
  const clock = times.dayKey(at) === times.dayKey(now) ? times.clockSeconds(at) : times.weekdayClock(at);
  const title = [`${times.dayClock(at)} ${times.zoneName(at)}`, `webhook-id ${eventId}`, visibleText(answer, 200)];
  return (
    <li title={title.filter((part) => part !== '').join('\n')}>
      <span className="rb-dot" data-tone={error === null ? 'good' : 'bad'} aria-hidden />
      <span>{clock}</span>
      <span className="rb-truncate rb-tone" data-tone={error === null ? 'good' : 'bad'}>
        <ForeignText text={formatDeliveryOutcome(delivery)} limit={200} />
      </span>
      <span className="rb-dim">
        <Kind delivery={delivery} /> · {latencyMs} ms
      </span>
      {delivery.kind === 'test' ? (
        <span />
      ) : (
        <Tooltip label="Resend this event with the same ID" isSlow>
          <TaskIcon
            variant="subtle"
            size="sm"
            loading={isBusy}
            aria-label={`Resend the event from ${clock}`}
            task={() => resend(monitorId, eventId)}
          >
            <IconSend size={14} />
          </TaskIcon>
        </Tooltip>
      )}
      {delivery.kind === 'first' && delivery.outcome && (
        <span className={`rb-dim ${classes.verified}`}>
          <ForeignText text={formatOutcome(delivery.outcome)} limit={200} />
        </span>
      )}
    </li>
  );
}

function Kind({ delivery: { kind, attempt } }: { readonly delivery: AppDelivery }) {
  if (kind === 'test') return <>test</>;
  return kind === 'resend' ? <>resend</> : <>attempt {attempt}</>;
}
