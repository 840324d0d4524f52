// One cell of the table of monitors: its location and callback URL, its state, its last callback, when the next is possible.
import { openCallback } from '../../callbacks/selectors.ts';
import type { ReactNode } from 'react';
import { visibleText } from '@rainbell/shared';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { timeTitle } from '../common/time-title.ts';
import type { MonitorRow as Row } from './monitor-rows.ts';
import { conditionLooks, formatAgo, formatNextAllowed } from '../common/delivery-status.ts';
import type { MonitorColumn } from './table-columns.ts';
import classes from './MonitorTable.module.css';
import { Badge } from '../../../ui/controls/Badge.tsx';

type RowProps = { readonly row: Row };

export function MonitorCell({ column, row }: RowProps & { readonly column: MonitorColumn }) {
  const Content = contents[column];
  return (
    <div role="gridcell" className="rb-truncate">
      <Content row={row} />
    </div>
  );
}

const contents: Readonly<Record<MonitorColumn, (props: RowProps) => ReactNode>> = {
  place: PlaceText,
  state: StateText,
  last: LastCallback,
  next: NextPossible,
  tags: Tags,
  callback: CallbackText,
  created: Created,
};

function PlaceText({ row: { monitor, placeName } }: RowProps) {
  const coordinates = formatCoordinates(monitor.geo, 2);
  const full = formatCoordinates(monitor.geo);
  return (
    <span className="rb-lined" title={placeName === '' ? full : `${placeName} · ${full}`}>
      {placeName !== '' && <span className="rb-truncate">{placeName}</span>}
      <span className="rb-mono rb-note">{placeName === '' ? full : coordinates}</span>
    </span>
  );
}

/** The state, and the reason if it is short. */
function StateText({ row: { deliveryStatus } }: RowProps) {
  const { condition } = deliveryStatus;
  return (
    <span className="rb-lined" title={deliveryStatus.reason}>
      <span>
        <Badge tone={conditionLooks[condition].tone}>{conditionLooks[condition].label}</Badge>
      </span>
      {deliveryStatus.formatDetail && <span className="rb-truncate rb-note">{deliveryStatus.formatDetail()}</span>}
    </span>
  );
}

/** Leads to the newest callback if this app received one. */
function LastCallback({ row: { monitor, deliveryStatus } }: RowProps) {
  const { lastCallback } = monitor;
  const store = useAppStore();
  const times = useLogTimes();
  const { lastAt, now, format } = deliveryStatus;
  if (lastAt === null) return <span className="rb-dim">{format()}</span>;
  const [status, time] = [format(), timeTitle(lastAt, times)];
  const content = <TimeAndAgo at={lastAt} now={now} times={times} />;
  if (lastCallback === null) {
    return (
      <span className="rb-lined" title={`${status} · ${time}, by the service’s clock`}>
        {content}
      </span>
    );
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      className="rb-lined rb-link"
      title={`${status} · ${time}, by the service’s clock, or this computer’s if the service reports no delivery time · Open the newest callback received here`}
      onClick={() => openCallback(store.getState(), lastCallback.id)}
    >
      {content}
    </button>
  );
}

function TimeAndAgo({ at, now, times }: { readonly at: number; readonly now: number; readonly times: ZonedTimes }) {
  const isToday = times.dayKey(at) === times.dayKey(now);
  return (
    <>
      <span>{isToday ? times.clock(at) : times.weekdayClock(at)}</span>
      <span className="rb-note">{formatAgo(at, now)}</span>
    </>
  );
}

function NextPossible({ row: { deliveryStatus } }: RowProps) {
  const times = useLogTimes();
  const { nextAllowedAt } = deliveryStatus;
  if (deliveryStatus.condition === 'off') return <span className="rb-dim">Delivery is off</span>;
  if (nextAllowedAt === null) return <span className="rb-dim">Any time</span>;
  return (
    <span className="rb-lined" title={`${timeTitle(nextAllowedAt, times)}, by the service’s clock`}>
      <span>{times.clock(nextAllowedAt)}</span>
      <span className="rb-note">{formatNextAllowed(deliveryStatus)}</span>
    </span>
  );
}

function Tags({ row }: RowProps) {
  const { tags } = row.monitor;
  return (
    <span className="rb-row rb-tight rb-small" title={tags.join(', ')}>
      {tags.slice(0, 4).map((tag) => (
        <span key={tag} className="rb-badge rb-truncate">
          {visibleText(tag, 60)}
        </span>
      ))}
      {tags.length > 4 && `+${tags.length - 4}`}
    </span>
  );
}

function Created({ row }: RowProps) {
  const { id } = row.monitor;
  const createdAt = useApp((state) => state.monitors.facts?.byMonitor.get(id)?.created_at ?? null);
  const times = useLogTimes();
  if (createdAt === null) return <span className="rb-dim">–</span>;
  const at = Date.parse(createdAt);
  return (
    <span className="rb-lined" title={timeTitle(at, times)}>
      <span>{times.day(at)}</span>
      <span className="rb-note">{times.clock(at)}</span>
    </span>
  );
}

/** Two lines; the whole URL is in the title and in the details. */
function CallbackText({ row: { monitor, callbackKind } }: RowProps) {
  const { callbackUri, toThisApp } = monitor;
  if (callbackUri === null) return <span className="rb-dim">(not returned by the service)</span>;
  const path = toThisApp && URL.canParse(callbackUri) ? new URL(callbackUri).pathname : callbackUri;
  return (
    <span className={`rb-small rb-break ${classes.address}`} title={visibleText(callbackUri, 1000)}>
      {toThisApp && <Badge tone="accent">This app</Badge>}
      {callbackKind === 'old-app' && <Badge tone="warn">This app’s old URL</Badge>}{' '}
      <bdi className="rb-mono" dir="ltr">
        {visibleText(path, 300)}
      </bdi>
    </span>
  );
}
