// The monitors as the table shows them: filtered by text and by state, in the order that the person chose.
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';
import { type DeliveryFacts, type Standing, standingOf } from './standing.ts';

export const monitorStates = {
  any: 'Any state',
  delivering: 'Delivering',
  failing: 'Failing',
  off: 'Off, callback dead',
  waiting: 'In its hour',
  never: 'No event yet',
  'this-app': 'Calls this app',
  elsewhere: 'Calls another address',
  'no-address': 'Address not given',
} as const;
export type MonitorState = keyof typeof monitorStates;

/** A service that tells nothing of deliveries leaves these unknown. */
export const toldStates: readonly MonitorState[] = ['delivering', 'failing', 'off'];

function isIn(state: MonitorState, monitor: AppMonitor, standing: Standing): boolean {
  switch (state) {
    case 'any':
      return true;
    case 'delivering':
    case 'failing':
    case 'off':
      return standing.state === state;
    case 'waiting':
      return standing.nextAllowedAt !== null;
    case 'never':
      return standing.lastAt === null;
    case 'this-app':
      return monitor.toThisApp;
    case 'elsewhere':
      return !monitor.toThisApp && monitor.callbackUri !== null;
    case 'no-address':
      return monitor.callbackUri === null;
  }
}

export type MonitorRow = { monitor: AppMonitor; standing: Standing };

export type MonitorSort = { by: 'id' | 'location' | 'callback' | 'last' | 'next'; isDescending: boolean };

type Wanted = { text: string; state: MonitorState; sort: MonitorSort; facts: DeliveryFacts };

export function shownMonitors(
  monitors: readonly AppMonitor[],
  { text, state, sort, facts }: Wanted,
  now: number,
): readonly MonitorRow[] {
  const wanted = text.trim().toLowerCase();
  const direction = sort.isDescending ? -1 : 1;
  return monitors
    .map((monitor) => ({ monitor, standing: standingOf(monitor, facts, now) }))
    .filter((row) => isIn(state, row.monitor, row.standing) && searchText(row).includes(wanted))
    .toSorted((a, b) => direction * compare(a, b, sort.by));
}

function searchText({ monitor, standing }: MonitorRow): string {
  const { geo, id, callbackUri } = monitor;
  return `${id} ${callbackUri ?? ''} ${coordinateWords(geo)} ${geo.lat} ${geo.lng} ${geo.lat},${geo.lng} ${standing.words}`.toLowerCase();
}

function compare(a: MonitorRow, b: MonitorRow, by: MonitorSort['by']): number {
  const [one, other] = [a.monitor, b.monitor];
  switch (by) {
    case 'id':
      return one.id.localeCompare(other.id, 'en', { numeric: true });
    case 'location':
      return other.geo.lat - one.geo.lat || one.geo.lng - other.geo.lng;
    case 'callback':
      return (one.callbackUri ?? '\uffff').localeCompare(other.callbackUri ?? '\uffff');
    case 'last':
      return (b.standing.lastAt ?? 0) - (a.standing.lastAt ?? 0);
    case 'next':
      return (a.standing.nextAllowedAt ?? 0) - (b.standing.nextAllowedAt ?? 0);
  }
}
