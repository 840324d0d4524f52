// The selected monitor beside the table: what can be done with it, and two tabs: its state, and its fields with Save (PATCH) and
// Replace (PUT).
import { Button, CloseButton, SegmentedControl } from '@mantine/core';
import { Badge } from '../../ui/controls/Badge.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import {
  IconDroplet,
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { Term } from '../../ui/controls/FactRows.tsx';
import { formatCoordinates } from '../../ui/text/durations.ts';
import { placeKey } from './common/monitor-list-slice.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { showEvents } from '../events/selectors.ts';
import { timeTitle } from './common/time-title.ts';
import { MonitorForm, MonitorNotes } from './form/MonitorForm.tsx';
import { monitorGridId } from './table/MonitorTable.tsx';
import { formatExplanation, formatVerification } from '@rainbell/contract/service-api';
import {
  conditionLooks,
  formatNextAllowed,
  formatServiceClock,
  type DeliveryStatus,
  getDeliveryStatus,
} from './common/delivery-status.ts';
import classes from './common/MonitorPanel.module.css';

type Props = { monitor: AppMonitor; onDelete: () => void };

export function MonitorPanel({ monitor, onDelete }: Readonly<Props>) {
  const { facts, select, panelTab, showTab } = useApp((state) => state.monitors);
  const now = useNow(1000);
  const deliveryStatus = getDeliveryStatus(monitor, facts, now);
  const { condition } = deliveryStatus;
  const { id, name } = monitor;
  const close = () => {
    select(null);
    document.getElementById(monitorGridId)?.focus();
  };
  /** Escape closes the panel, but not in a field, which handles it, nor in a dialog opened from here. */
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    const isInside = target instanceof HTMLElement && currentTarget.contains(target);
    if (key === 'Escape' && isInside && !target.matches('input, textarea')) close();
  };
  return (
    // Keys of what is inside come by here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="rb-card rb-surface rb-stack rb-padded" aria-label={`Monitor ${id}`} onKeyDown={onKeyDown}>
      <div className="rb-row">
        <div className="rb-fill">
          <h2 className={name === '' ? 'rb-mono rb-truncate' : 'rb-truncate'} title={id}>
            <ForeignText text={name || id} />
          </h2>
          {name !== '' && <span className="rb-mono rb-dim">{id}</span>}
        </div>
        <Badge tone={conditionLooks[condition].tone}>{conditionLooks[condition].label}</Badge>
        <CloseButton size="sm" aria-label="Close monitor details" onClick={close} />
      </div>
      <Actions monitor={monitor} onDelete={onDelete} />
      <SegmentedControl
        size="xs"
        aria-label="Monitor details"
        value={panelTab}
        onChange={showTab}
        data={[
          { value: 'overview', label: 'Overview' },
          { value: 'edit', label: 'Edit' },
        ]}
      />
      {panelTab === 'edit' ? (
        <>
          <MonitorForm monitor={monitor} />
          <MonitorNotes monitor={monitor} />
        </>
      ) : (
        <>
          {facts !== null && <Explanation id={id} />}
          <Facts monitor={monitor} deliveryStatus={deliveryStatus} />
        </>
      )}
    </section>
  );
}

type PartProps = { readonly monitor: AppMonitor; readonly deliveryStatus: DeliveryStatus };

/** What the monitor is doing now, in one line: the service's explanation, with times in the zone of the logs. */
function Explanation({ id }: { readonly id: string }) {
  const { explanation, facts, loadExplanation } = useApp((state) => state.monitors);
  const minute = Math.floor(useNow(60_000) / 60_000);
  const times = useLogTimes();
  // A check, an attempt, or an edit may have changed it.
  useEffect(() => void loadExplanation(), [id, facts, minute, loadExplanation]);
  if (explanation?.monitor_id !== id) return null;
  const today = times.dayKey(Date.parse(`${explanation.now}Z`));
  const formatTime = (at: number) =>
    `${times.dayKey(at) === today ? times.clock(at) : times.dayClock(at)} ${times.zoneName(at)}`;
  return (
    <p className="rb-dim" role="note" aria-label="Current activity">
      <ForeignText text={formatExplanation(explanation, formatTime)} limit={400} />
    </p>
  );
}

function Facts({ monitor, deliveryStatus }: PartProps) {
  const { facts, hasNoDeliveryLog, places, explanation } = useApp((state) => state.monitors);
  const delivery = facts?.byMonitor.get(monitor.id);
  const times = useLogTimes();
  const { nextAllowedAt, condition } = deliveryStatus;
  const isStopped = condition === 'off' || condition === 'paused';
  const placeName = places.get(placeKey(monitor.geo)) ?? '';
  const counts = explanation?.monitor_id === monitor.id ? explanation.verification : null;
  const createdAt = delivery?.created_at ? Date.parse(delivery.created_at) : null;
  return (
    <>
      {isStopped && <OffNotice id={monitor.id} deliveryStatus={deliveryStatus} />}
      <dl className="rb-terms">
        <Term name="Place">
          {placeName !== '' && <ForeignText text={placeName} />}
          <div className="rb-mono rb-dim">{formatCoordinates(monitor.geo)}</div>
        </Term>
        <Term name="Callback" className="rb-mono rb-small">
          {monitor.callbackUri === null ? (
            'Not returned by the service'
          ) : (
            <ForeignText text={monitor.callbackUri} limit={300} canShowMore />
          )}
          {monitor.toThisApp && <div className="rb-dim">This app</div>}
        </Term>
        {monitor.tags.length > 0 && (
          <Term name="Tags">
            <ForeignText text={monitor.tags.join(', ')} limit={300} />
          </Term>
        )}
        {monitor.note !== '' && (
          <Term name="Note" className={classes.written}>
            <ForeignText text={monitor.note} limit={1000} canShowMore />
          </Term>
        )}
        {createdAt !== null && (
          <Term name="Created">{`${times.dayClock(createdAt)} ${times.zoneName(createdAt)}`}</Term>
        )}
        <Term name="Last event">
          {deliveryStatus.format()}
          {deliveryStatus.lastAt !== null && <div className="rb-dim">{timeTitle(deliveryStatus.lastAt, times)}</div>}
        </Term>
        {!isStopped && (
          <Term name="Next possible event">
            {formatNextAllowed(deliveryStatus)}
            {nextAllowedAt !== null && <div className="rb-dim">{timeTitle(nextAllowedAt, times)}</div>}
          </Term>
        )}
        {delivery && delivery.failed_in_a_row > 1 && (
          <Term name="Failed events">{`The last ${delivery.failed_in_a_row} in a row`}</Term>
        )}
        {counts !== null && (
          <Term name="Accuracy">
            {formatVerification(counts)}
            <div className="rb-dim">Last 30 days, compared with later observations</div>
          </Term>
        )}
      </dl>
      {delivery && <p className="rb-dim">{formatServiceClock(facts?.aheadMs ?? 0)}</p>}
      {hasNoDeliveryLog && (
        <p className="rb-dim">
          This service doesn’t report deliveries. These are the callbacks that this app has received.
        </p>
      )}
    </>
  );
}

function OffNotice({ id, deliveryStatus }: { readonly id: string; readonly deliveryStatus: DeliveryStatus }) {
  const resume = useApp((state) => state.monitors.resume);
  const isOff = deliveryStatus.condition === 'off';
  return (
    <div className="rb-notice rb-lined" data-tone={isOff ? 'bad' : 'plain'} role={isOff ? 'alert' : undefined}>
      <strong>{isOff ? 'Delivery is off' : 'Paused'}</strong>
      {!isOff ? (
        <p>This monitor keeps its ID and cool-down, and gets no events until you resume it.</p>
      ) : deliveryStatus.reason === '' ? (
        <p>The service no longer sends callbacks to this URL.</p>
      ) : (
        <p>
          The service no longer sends callbacks to this URL: <ForeignText text={deliveryStatus.reason} canShowMore />.
        </p>
      )}
      <TaskButton leftSection={<IconPlayerPlay />} task={() => resume(id)}>
        Resume
      </TaskButton>
    </div>
  );
}

function Actions({ monitor, onDelete }: { readonly monitor: AppMonitor; readonly onDelete: () => void }) {
  const store = useAppStore();
  const { sendTest, callThisApp, pause, rainOn, facts } = useApp((state) => state.monitors);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const delivery = facts?.byMonitor.get(monitor.id);
  const { id, toThisApp } = monitor;
  const small = { size: 'compact-xs', variant: 'subtle' } as const;
  return (
    <div className="rb-row rb-wrap">
      {!toThisApp && (
        <TaskButton {...small} variant="light" leftSection={<IconPlugConnected />} task={() => callThisApp(id)}>
          Set callback URL to this app
        </TaskButton>
      )}
      {isSandbox && delivery && (
        <TaskButton {...small} leftSection={<IconSend />} task={() => sendTest(id)}>
          Send test event
        </TaskButton>
      )}
      {isSandbox && (
        <TaskButton {...small} leftSection={<IconDroplet />} task={() => rainOn(monitor)}>
          Make it rain
        </TaskButton>
      )}
      {delivery?.is_on && (
        <TaskButton {...small} leftSection={<IconPlayerPause />} task={() => pause(id)}>
          Pause
        </TaskButton>
      )}
      {delivery && (
        <Button {...small} leftSection={<IconHistory />} onClick={() => showEvents(store.getState(), { text: id })}>
          Events
        </Button>
      )}
      <Button {...small} color="red" leftSection={<IconTrash />} onClick={onDelete}>
        Delete
      </Button>
    </div>
  );
}
