// The fronts of the active connection, as the service finds them among its events: named, acknowledged, and silenced. A service
// without a record of events has none.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import { distanceKm, type FrontList, frontListSchema, type LatLng } from '@rainbell/contract/service-api';
import { type Front, type NewSilence, type Place, type Silence, silenceSchema } from '@rainbell/contract/app-rpc';
import { isUnknownAddress, readAs } from '../connection/api-client.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import { openStoredList } from '../database/stored-document.ts';

type Dependencies = {
  db: DatabaseSync;
  clock: Clock;
  activeConnection: Pick<ActiveConnection, 'current' | 'present'>;
  connectionId: () => string;
  user: string;
  locationOf: (monitorId: string) => LatLng | undefined;
  tagsOf: (monitorId: string) => readonly string[];
  nearest: (locations: readonly LatLng[]) => Promise<(Place | null)[]>;
};

type FrontRecord = FrontList['objects'][number];

const maxAcknowledged = 500;
const maxSilences = 200;
const maxPlaces = 40;

export function createFronts(dependencies: Dependencies) {
  const { db, clock, activeConnection, connectionId, user, locationOf, tagsOf, nearest } = dependencies;
  const { silences, acknowledged } = openFrontDocuments(db);
  /** The last 24 hours of one connection. */
  let recent: { of: string; fronts: readonly FrontRecord[] } | undefined;
  let withoutFronts: Connection | undefined;
  /** By front and the number of its monitors. */
  let regions = new Map<string, string | null>();

  async function read(query: { from?: string | undefined; to?: string | undefined }): Promise<FrontList | undefined> {
    const connection = await activeConnection.current();
    if (withoutFronts === connection) return undefined;
    const given = Object.entries(query).filter((entry) => entry[1] !== undefined);
    const path = `/v2/fronts/?${String(new URLSearchParams(given as [string, string][]))}`;
    try {
      const response = await connection.api.call({ method: 'GET', path, isBackground: true });
      const list = await readAs(response, frontListSchema, 'rain fronts in an unknown format');
      if (given.length === 0) recent = { of: connection.profile.id, fronts: list.objects };
      return list;
    } catch (error) {
      if (!isUnknownAddress(error)) throw error;
      withoutFronts = connection;
      return undefined;
    }
  }

  const isHere = (one: { connectionId: string }) => one.connectionId === connectionId();
  const openSilences = () =>
    silences.get().filter((one) => isHere(one) && (parseTimestamp(one.until) ?? 0) > clock.now());

  function isSilenced(id: string, open: readonly Silence[]): boolean {
    const geo = open.length === 0 ? undefined : locationOf(id);
    return geo !== undefined && open.some(({ monitors }) => covers(monitors, geo, () => tagsOf(id)));
  }

  const acknowledgment = (id: string) => acknowledged.get().find((one) => one.id === id && isHere(one));
  const decided = (note: string) => ({
    connectionId: connectionId(),
    by: user,
    at: formatInstant(clock.now()),
    note,
  });

  /** The most frequent region or place of its monitors (a sample). */
  async function regionOf({ id, monitor_ids: ids }: FrontRecord): Promise<string | null> {
    const key = `${id} ${ids.length}`;
    const known = regions.get(key);
    if (known !== undefined) return known;
    const step = Math.max(1, Math.floor(ids.length / maxPlaces));
    const sample = ids.filter((_id, index) => index % step === 0);
    const counts = new Map<string, number>();
    for (const place of await nearest(sample.flatMap((monitor) => locationOf(monitor) ?? []))) {
      const name = place?.region ?? place?.name;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const region = [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? null;
    regions.set(key, region);
    return region;
  }

  async function toFront(front: FrontRecord, open: readonly Silence[]): Promise<Front> {
    const mark = acknowledgment(front.id);
    return {
      ...front,
      region: await regionOf(front),
      acknowledged: mark ? { by: mark.by, at: mark.at, note: mark.note } : null,
      isSilenced: front.monitor_ids.every((monitor) => isSilenced(monitor, open)),
    };
  }

  return {
    async list(range: { from?: string | undefined; to?: string | undefined }) {
      const open = openSilences();
      const list = await read(range);
      if (regions.size > 1_000) regions = new Map();
      const fronts = await Promise.all((list?.objects ?? []).map((front) => toFront(front, open)));
      const isCut = range.from !== undefined && list !== undefined && instantOf(list.meta.from) > range.from;
      const missingBefore = isCut ? instantOf(list.meta.from) : null;
      const isAvailable = list !== undefined;
      return { isAvailable, fronts, missingBefore, silences: open.map((one) => silenceSchema.parse(one)) };
    },

    acknowledge(id: string, note: string) {
      const others = acknowledged.get().filter((one) => one.id !== id || !isHere(one));
      acknowledged.replace([...others, { id, ...decided(note) }].slice(-maxAcknowledged));
    },

    silence({ note, ...silence }: NewSilence) {
      const open = silences.get().filter(({ until }) => (parseTimestamp(until) ?? 0) > clock.now());
      silences.replace([...open, { id: randomUUID(), ...silence, ...decided(note) }].slice(-maxSilences));
    },

    endSilence: (id: string) => silences.replace(silences.get().filter((one) => one.id !== id)),

    /** Reads the last 24 hours if `isQuiet` depends on them. */
    async refresh(): Promise<void> {
      if (acknowledged.get().some(isHere)) await read({});
    },

    /** Whether the user is not to be notified of a monitor: it is silenced, or its last front was acknowledged. */
    isQuiet(monitorId: string): boolean {
      if (isSilenced(monitorId, openSilences())) return true;
      const fronts = recent?.of === connectionId() ? recent.fronts : [];
      const last = fronts.find(({ monitor_ids: ids }) => ids.includes(monitorId));
      return last !== undefined && acknowledgment(last.id) !== undefined;
    },
  };
}

function instantOf(text: string): string {
  return formatInstant(parseTimestamp(text) ?? 0);
}

function covers(monitors: Silence['monitors'], geo: LatLng, tags: () => readonly string[]): boolean {
  return monitors.kind === 'tag'
    ? tags().includes(monitors.tag)
    : distanceKm(monitors.center, geo) <= monitors.radiusKm;
}

const ofConnection = { connectionId: z.string() };
const acknowledgedSchema = silenceSchema.pick({ id: true, by: true, at: true, note: true }).extend(ofConnection);

/** The user's decisions about fronts, which are read and written whole. */
export function openFrontDocuments(db: DatabaseSync) {
  return {
    silences: openStoredList(db, 'silences', z.array(silenceSchema.extend(ofConnection))),
    acknowledged: openStoredList(db, 'acknowledged fronts', z.array(acknowledgedSchema)),
  };
}
