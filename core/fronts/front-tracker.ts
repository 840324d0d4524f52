// The fronts of the active connection: collected from the service's reports of its monitors' last events, named, acknowledged,
// silenced, and each reported once.
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import { distanceKm, type LatLng, pausedReason } from '@rainbell/contract/service-api';
import type { DeliveryStates, Front, MonitorDelivery, Place, Silence } from '@rainbell/contract/app-rpc';
import type { StoredList } from '../database/stored-list.ts';
import { type Front as Group, type FrontEvent, groupFronts, minFrontMonitors } from '../monitors/fronts.ts';

export type AcknowledgedFront = { connectionId: string; id: string; at: string; note: string };

type Dependencies = {
  clock: Clock;
  connectionId: () => string;
  locationOf: (monitorId: string) => LatLng | undefined;
  tagsOf: (monitorId: string) => readonly string[];
  nearest: (locations: readonly LatLng[]) => Promise<(Place | null)[]>;
  silences: StoredList<Silence>;
  acknowledged: StoredList<AcknowledgedFront>;
};

const retentionMs = 24 * 3_600_000;
const maxEvents = 50_000;
const maxAcknowledged = 500;
const maxPlaces = 40;

export function createFrontTracker(dependencies: Dependencies) {
  const { clock, connectionId, locationOf, tagsOf, nearest, silences, acknowledged } = dependencies;
  let events = new Map<string, FrontEvent>();
  let reported = new Set<string>();
  let seenOf: string | undefined;
  let groups: readonly Group[] | undefined;

  function resetIfSwitched(): void {
    if (seenOf === connectionId()) return;
    seenOf = connectionId();
    [events, reported, groups] = [new Map(), new Set(), undefined];
  }

  function current(): readonly Group[] {
    resetIfSwitched();
    groups ??= groupFronts([...events.values()]);
    return groups;
  }

  function add(state: MonitorDelivery): void {
    const at = state.lastEventAt === null ? undefined : parseTimestamp(state.lastEventAt);
    const geo = locationOf(state.monitorId);
    if (at === undefined || geo === undefined) return;
    const isOff = !state.isOn && state.offReason !== pausedReason;
    const isFailed = isOff || (state.lastAttempt !== null && state.lastAttempt.error !== null);
    const key = keyOf(state.monitorId, at);
    const known = events.get(key);
    if (known?.isFailed === isFailed) return;
    events.set(key, { monitorId: state.monitorId, at, geo, isFailed });
    groups = undefined;
  }

  function prune(now: number): void {
    const before = events.size;
    for (const [key, { at }] of events) if (at < now - retentionMs) events.delete(key);
    for (const key of events.keys()) {
      if (events.size <= maxEvents) break;
      events.delete(key);
    }
    if (events.size !== before) groups = undefined;
  }

  const openSilences = () => silences.get().filter(({ until }) => (parseTimestamp(until) ?? 0) > clock.now());

  function isSilenced(id: string, open: readonly Silence[]): boolean {
    const geo = open.length === 0 ? undefined : locationOf(id);
    return geo !== undefined && open.some((silence) => covers(silence, geo, () => tagsOf(id)));
  }

  const acknowledgment = (id: string) =>
    acknowledged.get().find((one) => one.id === id && one.connectionId === connectionId());

  return {
    note(answer: DeliveryStates) {
      resetIfSwitched();
      if (!answer.isAvailable) return;
      for (const state of answer.states) add(state);
      prune(clock.now() + answer.aheadMs);
    },

    async list(): Promise<{ fronts: Front[]; silences: Silence[] }> {
      const open = openSilences();
      const shown = current().filter((group) => monitorsOf(group).size >= minFrontMonitors);
      const fronts = await Promise.all(
        shown.map(async (group): Promise<Front> => {
          const ids = [...monitorsOf(group)];
          const failed = new Set(group.events.filter((event) => event.isFailed).map(({ monitorId }) => monitorId));
          const mark = acknowledgment(group.id);
          return {
            id: group.id,
            from: formatInstant(group.from),
            until: formatInstant(group.until),
            region: await regionOf(group, nearest),
            monitorIds: ids,
            failedIds: [...failed],
            acknowledged: mark ? { at: mark.at, note: mark.note } : null,
            isSilenced: ids.every((id) => isSilenced(id, open)),
          };
        }),
      );
      return { fronts, silences: open };
    },

    acknowledge(id: string, note: string) {
      const others = acknowledged.get().filter((one) => one.id !== id || one.connectionId !== connectionId());
      const mark = { connectionId: connectionId(), id, at: formatInstant(clock.now()), note };
      acknowledged.replace([...others, mark].slice(-maxAcknowledged));
    },

    /** Whether the user is not to be notified of its events: it is silenced, or of a front that was acknowledged. */
    isQuiet(monitorId: string): boolean {
      if (isSilenced(monitorId, openSilences())) return true;
      const groupOf = current().find((group) => monitorsOf(group).has(monitorId));
      return groupOf !== undefined && acknowledgment(groupOf.id) !== undefined;
    },

    /**
     * Returns the failing monitors to notify the user of: none that is silenced, and none of a front that was reported or
     * acknowledged before. `frontSize`: the number of monitors in their front, if all belong to one.
     */
    filter(states: readonly MonitorDelivery[]): { states: readonly MonitorDelivery[]; frontSize: number | null } {
      const open = openSilences();
      const unsilenced = states.filter(({ monitorId }) => !isSilenced(monitorId, open));
      const byMonitor = new Map(current().flatMap((group) => [...monitorsOf(group)].map((id) => [id, group] as const)));
      const grouped = unsilenced.map((state) => ({ state, group: byMonitor.get(state.monitorId) }));
      const fresh = grouped.filter(({ group }) => !group || !(isReported(group) || acknowledgment(group.id)));
      const fronts = new Set(fresh.map(({ group }) => group));
      for (const group of fronts)
        for (const event of group?.events ?? []) reported.add(keyOf(event.monitorId, event.at));
      const [only] = fronts;
      const size = fronts.size === 1 && only ? monitorsOf(only).size : 0;
      return { states: fresh.map(({ state }) => state), frontSize: size >= minFrontMonitors ? size : null };
    },
  };

  /** A reported front grows: monitors that join it are not reported again. */
  function isReported(group: Group): boolean {
    return group.events.some(({ monitorId, at }) => reported.has(keyOf(monitorId, at)));
  }
}

function keyOf(monitorId: string, at: number): string {
  return `${monitorId} ${at}`;
}

function monitorsOf({ events }: Group): ReadonlySet<string> {
  return new Set(events.map(({ monitorId }) => monitorId));
}

function covers(silence: Silence, geo: LatLng, tags: () => readonly string[]): boolean {
  return silence.kind === 'tag' ? tags().includes(silence.tag) : distanceKm(silence.center, geo) <= silence.radiusKm;
}

/** The most frequent region or place of its monitors (a sample). */
async function regionOf({ events }: Group, nearest: Dependencies['nearest']): Promise<string | null> {
  const step = Math.max(1, Math.floor(events.length / maxPlaces));
  const places = await nearest(events.filter((_event, index) => index % step === 0).map(({ geo }) => geo));
  const counts = new Map<string, number>();
  for (const place of places) {
    const name = place?.region ?? place?.name;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? null;
}
