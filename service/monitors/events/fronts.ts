// Rain fronts from the record of events (docs/delivery.md S11). They are not stored, but found among the events when they are
// requested: those of the time range, and those before and after it that belong to the same fronts.
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  frontGapMs,
  type FrontList,
  groupEvents,
  minFrontMonitors,
  type PlacedEvent,
} from '@rainbell/contract/service-api';
import type { Database } from '../../database/open-database.ts';
import { giveWay } from '../../http/request-slot.ts';
import { placeOf } from '../monitor-json.ts';
import { placeIn, readBasis } from '../delivery/event-basis.ts';
import { positionAt, slackMs } from './event-record.ts';
import { timeOfEventId } from '../delivery/tables.ts';

export type Fronts = ReturnType<typeof createFronts>;

type Event = PlacedEvent & { monitorId: string; callbackUri: string; isFailed: boolean };
/** Epoch milliseconds; `to` is exclusive. */
type Range = { from: number; to: number };
/** How far the events have been read in one direction. */
type Edge = { position: number; at: number; isLast: boolean };

/** For one response: some two days of rain over 10,000 monitors. */
const maxEvents = 50_000;
const eventsPerStep = 5_000;
const maxFronts = 200;
const maxIds = 10_000;
const maxHosts = 20;

export function createFronts({ db, clock }: Pick<Database, 'db'> & { clock: Pick<Clock, 'now'> }) {
  /** Reads the next events of an application before or after an edge, without test events, and moves the edge. */
  async function readStep(applicationId: string, side: '<' | '>=', edge: Edge): Promise<Event[]> {
    const rows = await db
      .selectFrom('events')
      .leftJoin('monitors', 'monitors.id', 'events.monitor_id')
      .leftJoin('waiting_events', 'waiting_events.event_id', 'events.id')
      .select(['events.id', 'monitor_id', 'occurred_at', 'events.callback_uri', 'feed_position', 'undelivered'])
      .select(['latitude', 'longitude', 'attempts', 'kind'])
      // Large, and rarely needed.
      .select((columns) => [
        columns.case().when('latitude', 'is', null).then(columns.ref('body')).end().as('body'),
        columns.case().when('kind', '!=', 'precipitation').then(columns.ref('triggered_by')).end().as('basis'),
      ])
      .where('events.application_id', '=', applicationId)
      .where('feed_position', side, edge.position)
      .orderBy('feed_position', side === '<' ? 'desc' : 'asc')
      .limit(eventsPerStep)
      .execute();
    await giveWay();
    const last = rows.at(-1);
    edge.isLast = rows.length < eventsPerStep;
    if (last) edge.at = Number(last.occurred_at);
    if (last) edge.position = Number(last.feed_position) + (side === '<' ? 0 : 1);
    return rows.flatMap((row): Event[] => {
      const { latitude, longitude, undelivered, attempts } = row;
      const geo =
        latitude === null || longitude === null ? placeIn(row.body ?? '{}') : placeOf({ latitude, longitude });
      if (!geo || row.kind === 'test') return [];
      return [
        {
          id: row.id,
          at: Number(row.occurred_at),
          geo,
          episode: readBasis(row.basis).episode,
          monitorId: row.monitor_id,
          callbackUri: row.callback_uri,
          isFailed: undelivered === 'failed' || undelivered === 'expired' || (attempts ?? 0) > 0,
        },
      ];
    });
  }

  /** Returns all groups that have events in the range, as far as they reach beyond it, and from when events were looked through. */
  async function find(applicationId: string, range: Range) {
    const position = (await positionAt(db, '>=', range.to + slackMs)) ?? Number.MAX_SAFE_INTEGER;
    const older: Edge = { position, at: Infinity, isLast: false };
    const newer: Edge = { position, at: range.to + slackMs, isLast: position === Number.MAX_SAFE_INTEGER };
    const events: Event[] = [];
    while (events.length < maxEvents && !older.isLast && older.at >= range.from - slackMs)
      events.push(...(await readStep(applicationId, '<', older)));
    for (;;) {
      const fronts = groupEvents(events).filter((group) => isIn(range, group));
      const goesBack = !older.isLast && fronts.some(([first]) => first && first.at - frontGapMs <= older.at);
      const goesOn = !newer.isLast && fronts.some((group) => (group.at(-1)?.at ?? 0) + frontGapMs >= newer.at);
      if (events.length >= maxEvents || (!goesBack && !goesOn))
        return { fronts, from: older.isLast ? range.from : Math.max(range.from, older.at) };
      const step = goesBack ? readStep(applicationId, '<', older) : readStep(applicationId, '>=', newer);
      events.push(...(await step));
    }
  }

  return {
    /** Newest first. Default: the last 24 hours. */
    async list(applicationId: string, asked: { [Side in keyof Range]?: number | undefined }): Promise<FrontList> {
      const to = asked.to ?? clock.now() + 1;
      const range = { from: asked.from ?? to - 24 * 3_600_000, to };
      const found = await find(applicationId, range);
      const objects = found.fronts.flatMap((events) => describeFront(events) ?? []).slice(0, maxFronts);
      return { objects, meta: { from: formatTimestamp(found.from), to: formatTimestamp(range.to) } };
    },

    /** The IDs of the events of a front; undefined if there is none. */
    async eventsOf(applicationId: string, frontId: string): Promise<string[] | undefined> {
      const at = timeOfEventId(frontId);
      const { fronts } = await find(applicationId, { from: at, to: at + 1 });
      return fronts.find((events) => events.some(({ id }) => id === frontId))?.map(({ id }) => id);
    },
  };
}

function isIn({ from, to }: Range, events: readonly Event[]): boolean {
  return (events[0]?.at ?? 0) < to && (events.at(-1)?.at ?? 0) >= from;
}

function describeFront(events: readonly Event[]): FrontList['objects'][number] | undefined {
  const [first, last] = [events[0], events.at(-1)];
  const monitors = new Set(events.map(({ monitorId }) => monitorId));
  if (!first || !last || monitors.size < minFrontMonitors) return undefined;
  const failed = new Map(
    events.filter(({ isFailed }) => isFailed).map(({ monitorId, callbackUri }) => [monitorId, callbackUri]),
  );
  const hosts = [...Map.groupBy(failed.values(), (uri) => new URL(uri).host)]
    .map(([host, there]) => ({ host, failed: there.length }))
    .toSorted((one, other) => other.failed - one.failed);
  return {
    id: first.id,
    from: formatTimestamp(first.at),
    until: formatTimestamp(last.at),
    monitors: monitors.size,
    failed: failed.size,
    monitor_ids: [...monitors].slice(0, maxIds),
    hosts: hosts.slice(0, maxHosts),
  };
}
