// The monitors as the table shows them: filtered by text and by state, in the order that the person chose.
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import {
  type DeliveryFacts,
  type DeliveryStatus,
  getDeliveryStatus,
} from '#renderer/features/monitors/common/delivery-status.ts';
import type { MonitorSort, MonitorState } from '#renderer/features/monitors/common/monitor-view.ts';

function isIn(state: MonitorState, monitor: AppMonitor, deliveryStatus: DeliveryStatus): boolean {
  switch (state) {
    case 'any':
      return true;
    case 'delivering':
    case 'failing':
    case 'off':
    case 'unknown':
      return deliveryStatus.state === state;
    case 'going':
      return monitor.going !== null;
    case 'waiting':
      return deliveryStatus.nextAllowedAt !== null;
    case 'never':
      return deliveryStatus.lastAt === null;
    case 'this-app':
      return monitor.toThisApp;
    case 'elsewhere':
      return !monitor.toThisApp && monitor.callbackUri !== null;
    case 'no-address':
      return monitor.callbackUri === null;
  }
}

export type MonitorRow = { monitor: AppMonitor; deliveryStatus: DeliveryStatus };

type OrderedMonitor = { monitor: AppMonitor; /** Lower case. */ text: string };

/** What a filter need not do again: the order, and the text that is searched. Neither depends on the present instant. */
export function orderedMonitors(
  monitors: readonly AppMonitor[],
  { sort, facts }: { sort: MonitorSort; facts: DeliveryFacts },
): readonly OrderedMonitor[] {
  const direction = sort.isDescending ? -1 : 1;
  return monitors
    .map((monitor) => ({ monitor, deliveryStatus: getDeliveryStatus(monitor, facts, 0) }))
    .toSorted((a, b) => direction * compare(a, b, sort.by))
    .map((row) => ({ monitor: row.monitor, text: searchText(row) }));
}

type Wanted = { text: string; state: MonitorState; facts: DeliveryFacts };

export function shownMonitors(
  ordered: readonly OrderedMonitor[],
  { text, state, facts }: Wanted,
  now: number,
): readonly MonitorRow[] {
  const wanted = text.trim().toLowerCase();
  return ordered
    .filter((entry) => entry.text.includes(wanted))
    .map(({ monitor }) => ({ monitor, deliveryStatus: getDeliveryStatus(monitor, facts, now) }))
    .filter((row) => isIn(state, row.monitor, row.deliveryStatus));
}

function searchText({ monitor, deliveryStatus }: MonitorRow): string {
  const { geo, id, callbackUri, name, tags, note } = monitor;
  return `${name} ${id} ${tags.join(' ')} ${note} ${callbackUri ?? ''} ${formatCoordinates(geo)} ${geo.lat} ${geo.lng} ${geo.lat},${geo.lng} ${deliveryStatus.state}`.toLowerCase();
}

/** Making one for each comparison would cost a hundred times as much. */
const collator = new Intl.Collator('en', { numeric: true });

function compare(a: MonitorRow, b: MonitorRow, by: MonitorSort['by']): number {
  const [one, other] = [a.monitor, b.monitor];
  switch (by) {
    case 'name':
      return collator.compare(one.name || one.id, other.name || other.id);
    case 'location':
      return other.geo.lat - one.geo.lat || one.geo.lng - other.geo.lng;
    case 'callback':
      return collator.compare(one.callbackUri ?? '\uffff', other.callbackUri ?? '\uffff');
    case 'last':
      return (b.deliveryStatus.lastAt ?? 0) - (a.deliveryStatus.lastAt ?? 0);
    case 'next':
      return (a.deliveryStatus.nextAllowedAt ?? 0) - (b.deliveryStatus.nextAllowedAt ?? 0);
  }
}
