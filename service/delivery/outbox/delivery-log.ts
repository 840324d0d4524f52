// Delivery of a monitor's events, for users (docs/delivery.md S10, S11): the log of attempts, the state of its callback, and the
// actions resend, test, and turn on again. Used by the routes and the developer website.
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import { type DeliveryAttempt, type DeliveryState, eventIntervalSeconds } from '@rainbell/contract/service-api';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { createLimiter } from '../../limits/limiter.ts';
import { rateLimited } from '../../limits/throttle.ts';
import { readInSteps } from '../../http/request-slot.ts';
import type { MonitorRow } from '../../monitors/monitor-json.ts';
import { requestOf } from '../../monitors/pending-events.ts';
import { addTestEvent } from './event-claim.ts';

export type DeliveryLog = {
  /** Newest first, at most 200. */
  attempts(monitorId: string): Promise<DeliveryAttempt[]>;
  /** Of every monitor of an application. */
  states(applicationId: string): Promise<DeliveryState[]>;
  state(monitor: MonitorRow): Promise<DeliveryState>;
  /**
   * Starts one more attempt with the event's ID, at the monitor's current URL. `busy`: it is still being tried. Throws a
   * ServiceError after 20 in an hour.
   */
  resend(monitorId: string, eventId: string): Promise<'sent' | 'busy' | 'unknown'>;
  /** Returns the id of the test event. */
  sendTest(monitor: MonitorRow): Promise<string>;
  turnOn(monitorId: string): Promise<void>;
};

export const maxLoggedAttempts = 200;
const statesPerStep = 250;
/** Of one event, so that nobody floods a host with it. */
const maxResends = { name: 'resend', max: 20, windowSeconds: 3_600 };

type Dependencies = {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  /** Something waits in the outbox. */
  onEvents: () => void;
};

export function createDeliveryLog({ database, clock, onEvents }: Dependencies): DeliveryLog {
  const { db } = database;
  const resends = createLimiter(maxResends, undefined);
  return {
    async attempts(monitorId) {
      const rows = await db
        .selectFrom('deliveries')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .orderBy('started_at', 'desc')
        .orderBy('attempt', 'desc')
        .limit(maxLoggedAttempts)
        .execute();
      return rows.map((row) => ({ ...row, started_at: formatTimestamp(row.started_at) }));
    },

    states: (applicationId) =>
      readInSteps<DeliveryState>(statesPerStep, async (last) => {
        const step = db
          .selectFrom('monitors')
          .where('application_id', '=', applicationId)
          .where('id', '>', last?.monitor_id ?? '')
          .orderBy('id')
          .limit(statesPerStep);
        const rows = await step.selectAll().execute();
        const attempts = await lastAttempts(db, step.select('id'));
        return rows.map((row) => stateOf(row, attempts.get(row.id), clock.now()));
      }),

    async state(monitor) {
      const attempts = await lastAttempts(db, db.selectFrom('monitors').select('id').where('id', '=', monitor.id));
      return stateOf(monitor, attempts.get(monitor.id), clock.now());
    },

    async resend(monitorId, eventId) {
      const seconds = await resends.take(`${monitorId} ${eventId}`);
      if (seconds > 0) throw rateLimited('Too many resends of this event', seconds);
      const monitor = await db.selectFrom('monitors').selectAll().where('id', '=', monitorId).executeTakeFirst();
      if (!monitor) return 'unknown';
      const { numUpdatedRows } = await db
        .updateTable('events')
        .set({
          ...requestOf(monitor),
          state: 'waiting',
          next_attempt_at: clock.now(),
          is_resend: 1,
          held_until: 0,
          held_by: null,
        })
        .where('id', '=', eventId)
        .where('monitor_id', '=', monitorId)
        .where('state', '!=', 'waiting')
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        onEvents();
        return 'sent';
      }
      const waiting = db
        .selectFrom('events')
        .select('id')
        .where('id', '=', eventId)
        .where('monitor_id', '=', monitorId);
      return (await waiting.executeTakeFirst()) ? 'busy' : 'unknown';
    },

    async sendTest(monitor) {
      const id = await addTestEvent(database, monitor, clock.now());
      onEvents();
      return id;
    },

    async turnOn(monitorId) {
      await db
        .updateTable('monitors')
        .set({ off_since: null, off_reason: null, failed_events: 0 })
        .where('id', '=', monitorId)
        .execute();
    },
  };
}

function stateOf(monitor: MonitorRow, attempt: LastAttempt | undefined, now: number): DeliveryState {
  const { gate_opens_at: opensAt, off_since: offSince } = monitor;
  return {
    monitor_id: monitor.id,
    last_event_at: opensAt === 0 ? null : formatTimestamp(opensAt - eventIntervalSeconds * 1000),
    next_event_allowed_at: opensAt <= now ? null : formatTimestamp(opensAt),
    delivered: monitor.delivered_count,
    failed: monitor.failed_count,
    failed_in_a_row: monitor.failed_events,
    is_on: offSince === null,
    off_since: offSince === null ? null : formatTimestamp(offSince),
    off_reason: monitor.off_reason,
    created_at: formatTimestamp(Number(monitor.created_at)),
    recent_events: monitor.recent_events,
    last_attempt: attempt ?? null,
  };
}

type LastAttempt = NonNullable<DeliveryState['last_attempt']>;
type MonitorIds = SelectQueryBuilder<Tables, 'monitors', { id: string }>;

/** By monitor, one index seek for each. Ignores test events, which don't show how real ones are delivered. */
async function lastAttempts(db: Kysely<Tables>, monitors: MonitorIds): Promise<Map<string, LastAttempt>> {
  const rows = await db
    .selectFrom(monitors.as('chosen'))
    .innerJoin('deliveries', (join) =>
      join.on('deliveries.id', '=', (select) =>
        select
          .selectFrom('deliveries as newest')
          .select('newest.id')
          .whereRef('newest.monitor_id', '=', 'chosen.id')
          .where('newest.kind', '!=', 'test')
          .orderBy('newest.started_at', 'desc')
          .orderBy('newest.attempt', 'desc')
          .limit(1),
      ),
    )
    .select([
      'deliveries.monitor_id',
      'deliveries.started_at',
      'deliveries.attempt',
      'deliveries.http_status',
      'deliveries.error',
    ])
    .execute();
  return new Map(
    rows.map(({ monitor_id, started_at, ...row }) => [
      monitor_id,
      { ...row, started_at: formatTimestamp(Number(started_at)) },
    ]),
  );
}
