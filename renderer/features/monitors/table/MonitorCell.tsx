// One cell of the table of monitors: where it watches and calls, how its last event fared, when the next is allowed.
import { UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useRef } from 'react';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { visibleText } from '#shared/text/visible-text.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import { type EditedCell, InPlaceEdit } from './InPlaceEdit.tsx';
import { instantTitle } from '#renderer/features/monitors/common/instant-title.ts';
import type { MonitorRow as Row } from './monitor-rows.ts';
import { formatNextAllowed, type DeliveryStatus } from '#renderer/features/monitors/common/delivery-status.ts';
import type { MonitorColumn } from './table-columns.ts';
import classes from './MonitorTable.module.css';

const doubleClickMs = 250;

type CellProps = {
  column: MonitorColumn;
  row: Row;
  edited: EditedCell | null;
  onEdit: (cell: EditedCell | null) => void;
};

/** A double click edits a place or an address where it stands. */
export function Cell({ column, row: { monitor, deliveryStatus }, edited, onEdit }: Readonly<CellProps>) {
  const { id, geo, tags } = monitor;
  const isEdited = edited?.field === column;
  const field = column === 'location' || column === 'callback' ? column : null;
  const select = useApp((state) => state.monitors.select);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Opening moves the columns, so it waits for a second click that would edit. */
  const onClick = () => {
    clearTimeout(opening.current);
    if (field && !isEdited) opening.current = setTimeout(() => select(id), doubleClickMs);
  };
  const onDoubleClick = () => {
    clearTimeout(opening.current);
    if (field) onEdit({ id, field });
  };
  const content = () => {
    switch (column) {
      case 'location':
        return <span className={`rb-mono rb-truncate ${classes.small}`}>{formatCoordinates(geo)}</span>;
      case 'callback':
        return <CallbackWords monitor={monitor} />;
      case 'last':
        return <LastEvent monitor={monitor} deliveryStatus={deliveryStatus} />;
      case 'next':
        return <NextAllowed deliveryStatus={deliveryStatus} />;
      case 'counts':
        return <Counts id={id} />;
      case 'tags':
        return <span className={classes.small}>{tags.join(', ')}</span>;
    }
  };
  return (
    // The grid itself has the focus; F2 does by keys what the double click does.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      className={isEdited ? classes.edited : field === null ? classes.told : `rb-truncate ${classes.editable}`}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      {isEdited && field ? <InPlaceEdit monitor={monitor} field={field} onDone={() => onEdit(null)} /> : content()}
    </div>
  );
}

function Counts({ id }: { readonly id: string }) {
  const told = useApp((state) => state.monitors.facts?.byMonitor.get(id));
  if (!told) return <span className={classes.dim}>–</span>;
  return (
    <span className="rb-numbers" title={`${told.delivered} events delivered, ${told.failed} failed`}>
      {told.delivered} / {told.failed} failed
    </span>
  );
}

type DeliveryStatusProps = { monitor: AppMonitor; deliveryStatus: DeliveryStatus };

/** Leads to the newest callback where this app received one. */
function LastEvent({ monitor: { lastCallback }, deliveryStatus }: Readonly<DeliveryStatusProps>) {
  const goTo = useApp((state) => state.frame.goTo);
  const show = useApp((state) => state.callbacks.select);
  const times = useLogTimes();
  const at = deliveryStatus.lastAt === null ? '' : instantTitle(deliveryStatus.lastAt, times);
  const title = [deliveryStatus.reason, at].filter((part) => part !== '').join(' · ');
  const words = (
    <>
      <span className={classes.dot} data-tone={deliveryStatus.tone} aria-hidden />{' '}
      <span className={classes.words}>{deliveryStatus.words}</span>
    </>
  );
  if (lastCallback === null) {
    return (
      <span className={classes.deliveryStatus} data-tone={deliveryStatus.tone} title={title}>
        {words}
      </span>
    );
  }
  return (
    <UnstyledButton
      tabIndex={-1}
      className={`${classes.deliveryStatus} ${classes.link}`}
      data-tone={deliveryStatus.tone}
      title={`${title} · opens the newest callback received here`}
      onClick={() => {
        void show(lastCallback.id);
        goTo('callbacks');
      }}
    >
      {words}
    </UnstyledButton>
  );
}

function NextAllowed({ deliveryStatus }: { readonly deliveryStatus: DeliveryStatus }) {
  const times = useLogTimes();
  const { nextAllowedAt } = deliveryStatus;
  if (deliveryStatus.state === 'off') return <span className={classes.dim}>not called</span>;
  if (nextAllowedAt === null) return <span className={classes.dim}>now</span>;
  const title = `${instantTitle(nextAllowedAt, times)}, by the service’s clock`;
  return <span title={title}>{formatNextAllowed(deliveryStatus)}</span>;
}

/** Three lines, so that a long path can be read; the whole is in the title and in the details. */
function CallbackWords({ monitor: { callbackUri, toThisApp } }: { readonly monitor: AppMonitor }) {
  if (callbackUri === null) return <span className={classes.dim}>(not given by the service)</span>;
  const path = toThisApp && URL.canParse(callbackUri) ? new URL(callbackUri).pathname : callbackUri;
  return (
    <span className={classes.address} title={visibleText(callbackUri, 1000)}>
      {toThisApp && (
        <span className="rb-badge" data-tone="accent">
          this app
        </span>
      )}{' '}
      <bdi className="rb-mono" dir="ltr">
        {breakable(visibleText(path, 300))}
      </bdi>
    </span>
  );
}

/** Lines end behind a slash where they can, as people read addresses. */
function breakable(address: string): ReactNode[] {
  return address.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
    // Parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
