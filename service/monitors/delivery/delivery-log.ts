// Delivery of a monitor's events, for users (docs/delivery.md S10): the state of its callback, and the actions resend, test, pause, and
// resume. The record of events is in event-record.ts. Used by the routes and the developer website.
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import { type DeliveryState, eventIntervalSeconds } from '@rainbell/contract/service-api';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { createLimiter } from '../../limits/limiter.ts';
import { rateLimited } from '../../limits/throttle.ts';
import { readInSteps } from '../../http/request-slot.ts';
import type { MonitorRow } from '../monitor-json.ts';
import { pauseMonitor } from './endpoint-health.ts';
import { addTestEvent, resendEvent } from './events.ts';
import { isAmong } from '../../database/id-list.ts';
import { type EpisodeEvent, eventPrefix, firstIdAt, retentionMs, testPrefix } from './tables.ts';

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

const statesPerStep = 250;
/** Limits how often one event is sent again, so that no one floods a host with it. */
const maxResends = { name: 'resend', max: 20, windowSeconds: 3_600 };
/** Of a public service: enough to try a receiver, too few to bother one that belongs to someone else. */
const maxTests = { name: 'test event', max: 5, windowSeconds: 60 };
const maxTestsOfApplication = { name: 'test events', max: 30, windowSeconds: 3_600 };

type Dependencies = {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  onEvents: () => void;
  /** Whether test events have limits; a user's own computer has none. */
  limitsTests?: boolean;
  /** The body for a monitor with rules. */
  testBodyOf?: (monitor: MonitorRow, kind: EpisodeEvent, now: number) => string | undefined;
};

export function createDeliveryLog({ database, clock, onEvents, limitsTests, testBodyOf }: Dependencies) {
  const { db } = database;
  const fleet = database.engine === 'postgres' ? db : undefined;
  const tests = createLimiter(maxTests, fleet);
  const testsOfApplication = createLimiter(maxTestsOfApplication, fleet);
  const resends = createLimiter(maxResends, undefined);
  return {
    async states(applicationId: string): Promise<DeliveryState[]> {
      return readInSteps<DeliveryState>(statesPerStep, async (last) => {
        const step = db
          .selectFrom('monitors')
          .where('application_id', '=', applicationId)
          .where('id', '>', last?.monitor_id ?? '')
          .orderBy('id')
          .limit(statesPerStep);
        const rows = await step.selectAll().execute();
        const attempts = await lastAttempts(db, step.select('id'));
        return rows.map((row) => stateOf(row, attempts.get(row.id), clock.now()));
      });
    },

    async state(monitor: MonitorRow): Promise<DeliveryState> {
      const attempts = await lastAttempts(db, db.selectFrom('monitors').select('id').where('id', '=', monitor.id));
      return stateOf(monitor, attempts.get(monitor.id), clock.now());
    },

    /**
     * Starts one more attempt with the event's ID, at the monitor's current URL. `busy`: it is still being tried. Throws a
     * ServiceError after 20 in an hour.
     */
    async resend(monitorId: string, eventId: string): Promise<'sent' | 'busy' | 'unknown'> {
      const seconds = await resends.take(`${monitorId} ${eventId}`);
      if (seconds > 0) throw rateLimited('Too many resends of this event', seconds);
      const monitor = await db.selectFrom('monitors').selectAll().where('id', '=', monitorId).executeTakeFirst();
      if (!monitor) return 'unknown';
      const result = await resendEvent(database, monitor, eventId, clock.now());
      if (result === 'sent') onEvents();
      return result;
    },

    /** Returns the id of the test event. `kind`: of a monitor with rules. Throws a ServiceError beyond the limits. */
    async sendTest(monitor: MonitorRow, kind: EpisodeEvent = 'started'): Promise<string> {
      if (limitsTests === true) {
        const seconds = (await tests.take(monitor.id)) || (await testsOfApplication.take(monitor.application_id));
        if (seconds > 0) throw rateLimited('Too many test events', seconds);
      }
      const now = clock.now();
      const id = await addTestEvent(database, monitor, now, testBodyOf?.(monitor, kind, now));
      onEvents();
      return id;
    },

    /** Events that wait are not sent any more (docs/delivery.md S10). */
    pause: (monitorId: string): Promise<void> => pauseMonitor(database, monitorId, clock.now()),

    /** Resumes delivery that was paused, or stopped because the callback seemed dead. */
    async turnOn(monitorId: string): Promise<void> {
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
    failed_in_a_row: monitor.failed_events,
    is_on: offSince === null,
    off_since: offSince === null ? null : formatTimestamp(offSince),
    off_reason: monitor.off_reason,
    created_at: formatTimestamp(Number(monitor.created_at)),
    last_attempt: attempt ?? null,
  };
}

type LastAttempt = NonNullable<DeliveryState['last_attempt']>;
type MonitorIds = SelectQueryBuilder<Tables, 'monitors', { id: string }>;

/** By monitor: of its newest event that was attempted. Ignores test events, which don't show how real ones are delivered. */
async function lastAttempts(db: Kysely<Tables>, monitors: MonitorIds): Promise<Map<string, LastAttempt>> {
  const rows = await db
    .selectFrom(monitors.as('chosen'))
    .innerJoin('attempts', (join) =>
      join.on('attempts.event_id', '=', (select) =>
        select
          .selectFrom('events')
          .select('events.id')
          .whereRef('events.monitor_id', '=', 'chosen.id')
          .where('events.kind', '!=', 'test')
          .where((where) =>
            where.exists(
              where
                .selectFrom('attempts as tried')
                .select('tried.event_id')
                .whereRef('tried.event_id', '=', 'events.id'),
            ),
          )
          .orderBy('events.id', 'desc')
          .limit(1),
      ),
    )
    .select(['chosen.id', 'started_at', 'attempt', 'http_status', 'error'])
    .orderBy('started_at')
    .orderBy('attempt')
    .execute();
  return new Map(
    rows.map(({ id, started_at, ...row }) => [id, { ...row, started_at: formatTimestamp(Number(started_at)) }]),
  );
}

const eventsPerDeletion = 500;

/**
 * Deletes events that are older than 30 days, with their attempts (docs/delivery.md S11). In small pieces, so that nothing else
 * waits; by IDs, which grow with time, so that only deleted rows are read.
 */
export async function deleteOldEvents({ db, engine }: Pick<Database, 'db' | 'engine'>, now: number): Promise<void> {
  const before = now - retentionMs;
  for (const prefix of [eventPrefix, testPrefix]) {
    for (let old = await oldEvents(db, prefix, before); old.length > 0; old = await oldEvents(db, prefix, before)) {
      const ids = old.map(({ id }) => id);
      await db
        .deleteFrom('attempts')
        .where(isAmong(engine, 'event_id', ids))
        .execute();
      await db
        .deleteFrom('events')
        .where(isAmong(engine, 'id', ids))
        .execute();
    }
  }
}

function oldEvents(db: Kysely<Tables>, prefix: string, before: number) {
  return (
    db
      .selectFrom('events')
      .select('id')
      .where('id', '>=', firstIdAt(prefix, 0))
      .where('id', '<', firstIdAt(prefix, before))
      // One that is sent once more is kept until then.
      .where((where) =>
        where.not(
          where.exists(
            where.selectFrom('waiting_events').select('event_id').whereRef('waiting_events.event_id', '=', 'events.id'),
          ),
        ),
      )
      .orderBy('id')
      .limit(eventsPerDeletion)
      .execute()
  );
}
