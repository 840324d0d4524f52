// The monitors as the table shows them: filtered by text and by state, in the order that the person chose.
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';

/** §8: the least time between two events of one monitor. */
export const eventIntervalMs = 3_600_000;

export const monitorStates = {
  any: 'Any state',
  'this-app': 'Calls this app',
  elsewhere: 'Calls another address',
  'no-address': 'Address not given',
  waiting: 'In its hour',
  never: 'No callback here yet',
} as const;
export type MonitorState = keyof typeof monitorStates;

/** When the next event is allowed, as far as this app's receiver knows; null means at once. */
export function nextAllowedAt({ lastCallback }: AppMonitor, now: number): number | null {
  if (!lastCallback) return null;
  const at = Date.parse(lastCallback.receivedAt) + eventIntervalMs;
  return at > now ? at : null;
}

function isIn(state: MonitorState, monitor: AppMonitor, now: number): boolean {
  switch (state) {
    case 'any':
      return true;
    case 'this-app':
      return monitor.toThisApp;
    case 'elsewhere':
      return !monitor.toThisApp && monitor.callbackUri !== null;
    case 'no-address':
      return monitor.callbackUri === null;
    case 'waiting':
      return nextAllowedAt(monitor, now) !== null;
    case 'never':
      return monitor.lastCallback === null;
  }
}

export type MonitorSort = { by: 'id' | 'location' | 'callback' | 'last'; isDescending: boolean };

export function shownMonitors(
  monitors: readonly AppMonitor[],
  filter: { text: string; state: MonitorState; sort: MonitorSort },
  now: number,
): readonly AppMonitor[] {
  const wanted = filter.text.trim().toLowerCase();
  const found = monitors.filter((monitor) => isIn(filter.state, monitor, now) && searchText(monitor).includes(wanted));
  const direction = filter.sort.isDescending ? -1 : 1;
  return found.toSorted((a, b) => direction * compare(a, b, filter.sort.by));
}

function searchText(monitor: AppMonitor): string {
  const { geo, id, callbackUri } = monitor;
  return `${id} ${callbackUri ?? ''} ${coordinateWords(geo)} ${geo.lat} ${geo.lng} ${geo.lat},${geo.lng}`.toLowerCase();
}

function compare(a: AppMonitor, b: AppMonitor, by: MonitorSort['by']): number {
  switch (by) {
    case 'id':
      return a.id.localeCompare(b.id, 'en', { numeric: true });
    case 'location':
      return b.geo.lat - a.geo.lat || a.geo.lng - b.geo.lng;
    case 'callback':
      return (a.callbackUri ?? '\uffff').localeCompare(b.callbackUri ?? '\uffff');
    case 'last':
      return (b.lastCallback?.receivedAt ?? '').localeCompare(a.lastCallback?.receivedAt ?? '');
  }
}
