// The monitors as the table shows them: filtered, in the chosen order.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { isLoopback } from '@rainbell/shared';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import {
  type DeliveryFacts,
  type DeliveryStatus,
  getDeliveryStatus,
  type MonitorCondition,
} from '../common/delivery-status.ts';
import { matchesMonitor, parseMonitorQuery, type SearchedMonitor } from '../common/monitor-query.ts';
import { type MonitorSort, placeKey, type PlaceNames, type ShownCondition } from '../common/monitor-list-slice.ts';

export type MonitorRow = {
  monitor: AppMonitor;
  deliveryStatus: DeliveryStatus;
  /** The town; empty if unknown. */
  placeName: string;
  callbackKind: SearchedMonitor['callbackKind'];
};

type OrderedMonitor = Omit<MonitorRow, 'deliveryStatus'> & {
  searched: Pick<SearchedMonitor, 'text' | 'name' | 'tags' | 'place' | 'callbackUri'>;
};

type Ordering = {
  sort: MonitorSort;
  facts: DeliveryFacts;
  places: PlaceNames;
  /** URL of this app's receiver; empty if it does not listen. */
  baseUrl: string;
};

/** What a filter doesn't have to repeat: the order and the texts that are searched. Neither depends on the time. */
export function orderedMonitors(monitors: readonly AppMonitor[], ordering: Ordering): readonly OrderedMonitor[] {
  const { sort, facts, places, baseUrl } = ordering;
  const direction = sort.isDescending ? -1 : 1;
  const keyOf = sortKeys[sort.by];
  return monitors
    .map((monitor) => {
      const placeName = places.get(placeKey(monitor.geo)) ?? '';
      const deliveryStatus = getDeliveryStatus(monitor, facts, 0);
      const createdAt = facts?.byMonitor.get(monitor.id)?.created_at ?? '';
      const row = {
        monitor,
        placeName,
        callbackKind: callbackKindOf(monitor, baseUrl),
        searched: searchedTexts(monitor, placeName),
      };
      return { row, key: keyOf({ monitor, placeName, deliveryStatus, createdAt }) };
    })
    .toSorted((one, other) => direction * compareKeys(one.key, other.key))
    .map(({ row }) => row);
}

type Wanted = { text: string; state: ShownCondition; facts: DeliveryFacts };

/** Also counts how many monitors the filter finds in each state. */
export function shownMonitors(
  ordered: readonly OrderedMonitor[],
  { text, state, facts }: Wanted,
  now: number,
): { rows: readonly MonitorRow[]; counts: Readonly<Record<ShownCondition, number>> } {
  const terms = parseMonitorQuery(text);
  const counts = { any: 0, ready: 0, 'cool-down': 0, failing: 0, off: 0, paused: 0, unknown: 0 };
  const rows: MonitorRow[] = [];
  for (const { monitor, placeName, callbackKind, searched } of ordered) {
    const deliveryStatus = getDeliveryStatus(monitor, facts, now);
    const { condition } = deliveryStatus;
    const isFound =
      terms.length === 0 ||
      matchesMonitor(terms, {
        ...searched,
        condition,
        callbackKind,
        hasFired: deliveryStatus.lastAt !== null,
        isDeleting: monitor.deletion !== null,
      });
    if (!isFound) continue;
    counts.any += 1;
    counts[condition] += 1;
    if (state === 'any' || state === condition) rows.push({ monitor, deliveryStatus, placeName, callbackKind });
  }
  return { rows, counts };
}

function searchedTexts(monitor: AppMonitor, placeName: string): OrderedMonitor['searched'] {
  const { geo, id, callbackUri, name, tags, note } = monitor;
  const place = `${placeName} ${formatCoordinates(geo)} ${geo.lat} ${geo.lng} ${geo.lat},${geo.lng}`.toLowerCase();
  return {
    text: `${name} ${id} ${tags.join(' ')} ${note} ${callbackUri ?? ''} ${place}`.toLowerCase(),
    name: name.toLowerCase(),
    tags: tags.map((tag) => tag.toLowerCase()),
    place,
    callbackUri: callbackUri?.toLowerCase() ?? null,
  };
}

/** This app makes paths of this form for its own monitors. */
const ownPath = /^https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/hooks\/[a-z2-9]{6}$/;

function callbackKindOf({ callbackUri, toThisApp }: AppMonitor, baseUrl: string): SearchedMonitor['callbackKind'] {
  if (callbackUri === null) return 'none';
  if (toThisApp) return 'this-app';
  return isOldUrl(callbackUri, baseUrl) || ownPath.test(callbackUri) ? 'old-app' : 'elsewhere';
}

/** Whether a URL stopped working when HTTPS was turned on or off: it is of this app's receiver, with the other scheme. */
export function isOldUrl(callbackUri: string | null, baseUrl: string): boolean {
  // Most are current; parsing the URLs of thousands of monitors takes longer than a frame.
  if (callbackUri === null || hasSchemeOf(callbackUri, baseUrl)) return false;
  const base = URL.parse(baseUrl);
  const url = URL.parse(callbackUri);
  if (!base || !url || url.protocol === base.protocol || !isHttp(url)) return false;
  return url.port === base.port && isLoopback(url.hostname) && isLoopback(base.hostname);
}

function hasSchemeOf(url: string, other: string): boolean {
  return ['http://', 'https://'].some((scheme) => url.startsWith(scheme) && other.startsWith(scheme));
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Making one for each comparison would cost a hundred times as much. */
const collator = new Intl.Collator('en', { numeric: true });
const conditionOrder: readonly MonitorCondition[] = ['off', 'failing', 'paused', 'cool-down', 'ready', 'unknown'];
/** After all names and URLs. */
const last = '\uffff';

type Keyed = Pick<MonitorRow, 'monitor' | 'placeName' | 'deliveryStatus'> & { createdAt: string };

/** In the usual direction, the newest are first. */
const sortKeys: Readonly<Record<MonitorSort['by'], (of: Keyed) => string | number>> = {
  name: ({ monitor }) => monitor.name || monitor.id,
  // Far from any town: from north to south.
  place: ({ placeName, monitor }) => placeName || last + (90 - monitor.geo.lat).toFixed(5),
  state: ({ deliveryStatus }) => conditionOrder.indexOf(deliveryStatus.condition),
  callback: ({ monitor }) => monitor.callbackUri ?? last,
  last: ({ deliveryStatus }) => -(deliveryStatus.lastAt ?? 0),
  next: ({ deliveryStatus }) => deliveryStatus.nextAllowedAt ?? 0,
  created: ({ createdAt }) => -(Date.parse(createdAt) || 0),
};

function compareKeys(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));
}
