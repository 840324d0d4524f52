// The selected monitor beside the table: how it stands, its fields with Save (PATCH), Replace (PUT) and Duplicate, and, where
// the service tells them, its deliveries.
import { Button, CloseButton } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { IconDroplet, IconPlugConnected, IconPower, IconSend, IconTrash } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { CopyLink } from '#renderer/widgets/CopyLink.tsx';
import { useApp } from '#renderer/store/use-app.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { Deliveries } from './delivery/Deliveries.tsx';
import { instantTitle } from './common/instant-title.ts';
import { Explanation } from './Explanation.tsx';
import { MonitorForm } from './form/MonitorForm.tsx';
import { MonitorHistory } from './MonitorHistory.tsx';
import { MonitorNotes } from './MonitorNotes.tsx';
import { monitorGridId } from './table/MonitorTable.tsx';
import {
  conditionLabels,
  conditionOf,
  formatNextAllowed,
  type DeliveryStatus,
  getDeliveryStatus,
} from './common/delivery-status.ts';
import classes from './common/MonitorPanel.module.css';

type Props = { monitor: AppMonitor; onDelete: () => void };

export function MonitorPanel({ monitor, onDelete }: Readonly<Props>) {
  const { facts, select } = useApp((state) => state.monitors);
  const now = useNow(1000);
  const deliveryStatus = getDeliveryStatus(monitor, facts, now);
  const { id, name } = monitor;
  const close = () => {
    select(null);
    document.getElementById(monitorGridId)?.focus();
  };
  /** Escape means the cross, but not in a field, where it is for the field, nor in a dialog that this opened. */
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    const isInside = target instanceof HTMLElement && currentTarget.contains(target);
    if (key === 'Escape' && isInside && !target.matches('input, textarea')) close();
  };
  return (
    // Keys of what is inside come by here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={`rb-card ${classes.panel}`} aria-label={`Monitor ${id}`} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <div className={classes.who}>
          <h2 className={name === '' ? 'rb-mono rb-truncate' : 'rb-truncate'} title={id}>
            <ForeignText text={name || id} limit={200} />
          </h2>
          {name !== '' && <span className={`rb-mono ${classes.aside}`}>{id}</span>}
        </div>
        <span className="rb-badge" data-tone={deliveryStatus.tone}>
          {conditionLabels[conditionOf(deliveryStatus)]}
        </span>
        <CopyLink label="Copy link to this monitor" item={id} />
        <CloseButton size="sm" aria-label="Close the monitor’s details" onClick={close} />
      </div>
      {facts !== null && <Explanation id={id} />}
      <Facts monitor={monitor} deliveryStatus={deliveryStatus} />
      <Actions monitor={monitor} onDelete={onDelete} />
      <MonitorForm monitor={monitor} />
      <MonitorNotes monitor={monitor} />
      {facts !== null && <Deliveries monitor={monitor} />}
      <MonitorHistory monitor={monitor} />
    </section>
  );
}

function Facts({ monitor, deliveryStatus }: { readonly monitor: AppMonitor; readonly deliveryStatus: DeliveryStatus }) {
  const told = useApp((state) => state.monitors.facts?.byMonitor.get(monitor.id));
  const hasNoDeliveryLog = useApp((state) => state.monitors.hasNoDeliveryLog);
  const times = useLogTimes();
  const { nextAllowedAt, state } = deliveryStatus;
  return (
    <>
      {state === 'off' && <DeadNotice id={monitor.id} deliveryStatus={deliveryStatus} />}
      <dl className={classes.facts}>
        <dt>Last event</dt>
        <dd>
          {deliveryStatus.words}
          {deliveryStatus.lastAt !== null && (
            <div className={classes.aside}>{instantTitle(deliveryStatus.lastAt, times)}</div>
          )}
        </dd>
        {state !== 'off' && (
          <>
            <dt>Next allowed</dt>
            <dd className="rb-numbers">
              {formatNextAllowed(deliveryStatus)}
              {nextAllowedAt !== null && <div className={classes.aside}>{instantTitle(nextAllowedAt, times)}</div>}
            </dd>
          </>
        )}
        {told && (
          <>
            <dt>Events</dt>
            <dd className="rb-numbers">
              {told.delivered} delivered, {told.failed} failed
              {told.failedInARow > 1 && ` (the last ${told.failedInARow} in a row)`}
            </dd>
          </>
        )}
      </dl>
      {hasNoDeliveryLog && (
        <p className={classes.note}>
          This service tells nothing of deliveries. What stands here is what this app itself received.
        </p>
      )}
    </>
  );
}

function DeadNotice({ id, deliveryStatus }: { readonly id: string; readonly deliveryStatus: DeliveryStatus }) {
  const turnOn = useApp((state) => state.monitors.turnOn);
  const isAsking = useApp((state) => state.monitors.asking.has(id));
  return (
    <div className={classes.dead} role="alert">
      <strong>The callback seems dead</strong>
      <p>
        It is not called any more
        {deliveryStatus.reason !== '' && (
          <>
            {': '}
            <ForeignText text={deliveryStatus.reason} canShowMore />
          </>
        )}
        .
      </p>
      <TaskButton
        size="xs"
        variant="default"
        leftSection={<IconPower size={15} />}
        loading={isAsking}
        task={() => turnOn(id)}
      >
        Turn on again
      </TaskButton>
    </div>
  );
}

/** The row's actions. */
function Actions({ monitor, onDelete }: { readonly monitor: AppMonitor; readonly onDelete: () => void }) {
  const { sendTest, callThisApp } = useApp((state) => state.monitors);
  const isAsking = useApp((state) => state.monitors.asking.has(monitor.id));
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const isTold = useApp((state) => state.monitors.facts !== null);
  const rainOn = useApp((state) => state.monitors.rainOn);
  const { id, toThisApp } = monitor;
  const small = { size: 'compact-xs', variant: 'subtle' } as const;
  return (
    <div className={classes.buttons}>
      {!toThisApp && (
        <TaskButton
          {...small}
          variant="light"
          leftSection={<IconPlugConnected size={14} />}
          loading={isAsking}
          task={() => callThisApp(id)}
        >
          Call this app
        </TaskButton>
      )}
      {isSandbox && isTold && (
        <TaskButton {...small} leftSection={<IconSend size={14} />} loading={isAsking} task={() => sendTest(id)}>
          Send test event
        </TaskButton>
      )}
      {isSandbox && (
        <TaskButton {...small} leftSection={<IconDroplet size={14} />} task={() => rainOn(monitor)}>
          Make it rain
        </TaskButton>
      )}
      <Button {...small} color="red" leftSection={<IconTrash size={14} />} onClick={onDelete}>
        Delete
      </Button>
    </div>
  );
}
