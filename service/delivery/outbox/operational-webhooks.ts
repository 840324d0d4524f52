// Operational webhooks (docs/delivery.md S17): an application's own URL gets an event when callbacks of its monitors fail, are
// turned off, or work again. They go through the same outbox as callbacks, so they are signed, retried, and logged alike; in its
// tables, the application's ID takes the place of the monitor's.
import { type Kysely, sql } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { OperationalEvent } from '#contract/service-api/operational-event.ts';
import { formatTimestamp } from '#contract/service-api/timestamp.ts';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import { cancelPendingEvents, hostOf, pendingState } from '#service/monitors/pending-events.ts';
import type { ReportedState } from '#service/monitors/tables.ts';
import { retryOnDeadlock } from '#service/database/retry-on-deadlock.ts';
import type { Tables } from '#service/database/tables.ts';
import { eventPrefixes, orderedIds } from '../schema/ordered-ids.ts';

/** How many consecutive failed events of a monitor open an incident. */
export const failingEvents = 3;
export const monitorsPerEvent = 100;
const shownAttempts = 20;

const types = {
  failing: 'endpoint.failing',
  off: 'endpoint.disabled',
  working: 'endpoint.recovered',
} as const satisfies Record<ReportedState, OperationalEvent['type']>;

export type OperationalAttempt = {
  id: string;
  event_id: string;
  attempt: number;
  started_at: number;
  latency_ms: number;
  http_status: number | null;
  error: string | null;
};

export type OperationalWebhooks = {
  urlOf(applicationId: string): Promise<string | undefined>;
  /** Sets the URL, or removes it; events that wait go to the new one. */
  set(applicationId: string, url: string | undefined): Promise<void>;
  /** Newest first. */
  attempts(applicationId: string): Promise<OperationalAttempt[]>;
};

export function createOperationalWebhooks({ db, clock }: { db: Kysely<Tables>; clock: Clock }): OperationalWebhooks {
  return {
    async urlOf(applicationId) {
      const row = await db
        .selectFrom('operational_webhooks')
        .select('url')
        .where('application_id', '=', applicationId)
        .executeTakeFirst();
      return row?.url;
    },

    set: (applicationId, url) =>
      retryOnDeadlock(() =>
        db.transaction().execute(async (trx) => {
          if (url !== undefined) {
            await trx
              .insertInto('operational_webhooks')
              .values({ application_id: applicationId, url, created_at: clock.now() })
              .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ url }))
              .execute();
            await trx
              .updateTable('events')
              .set({ callback_uri: url, host: hostOf(url) })
              .where('monitor_id', '=', applicationId)
              .where('state', '=', pendingState)
              .execute();
            return;
          }
          await trx.deleteFrom('operational_webhooks').where('application_id', '=', applicationId).execute();
          await cancelPendingEvents(trx, sql`monitor_id = ${applicationId}`);
          // A URL that is set later gets only what is wrong then.
          await trx
            .updateTable('monitors')
            .set({ reported_state: 'working' })
            .where('application_id', '=', applicationId)
            .where('reported_state', '!=', 'working')
            .execute();
        }),
      ),

    attempts: (applicationId) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'event_id', 'attempt', 'started_at', 'latency_ms', 'http_status', 'error'])
        .where('monitor_id', '=', applicationId)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(shownAttempts)
        .execute(),
  };
}

/** Creates the events for all monitors whose state differs from the reported one; none without a URL. */
export async function reportEndpoints(
  db: Kysely<Tables>,
  clock: Clock,
  application: { id: string; clientId: string },
): Promise<void> {
  let count = monitorsPerEvent;
  while (count === monitorsPerEvent) count = await retryOnDeadlock(() => reportSome(db, clock, application));
}

/** Returns how many monitors it reported. Their new states and the events are written together, so each change is sent once. */
function reportSome(
  db: Kysely<Tables>,
  clock: Clock,
  { id: applicationId, clientId }: { id: string; clientId: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Locks the row: other processes report afterwards, and the application is not deleted meanwhile.
    const webhook = await trx
      .updateTable('operational_webhooks')
      .set((row) => ({ created_at: row.ref('created_at') }))
      .where('application_id', '=', applicationId)
      .returning('url')
      .executeTakeFirst();
    if (!webhook) return 0;
    const state = sql<ReportedState>`case when off_since is not null then 'off'
      when failed_events >= ${sql.lit(failingEvents)} then 'failing' else 'working' end`;
    const changed = trx
      .selectFrom('monitors')
      .select('id')
      .where('application_id', '=', applicationId)
      .where('reported_state', '!=', state)
      .where((where) => where.or([where('off_reason', 'is', null), where('off_reason', '!=', disabledReason)]))
      .orderBy('id')
      .limit(monitorsPerEvent);
    const monitors = await trx
      .updateTable('monitors')
      .set({ reported_state: state })
      .where('id', 'in', changed)
      .returning(['id', 'failed_events', 'off_since', 'off_reason', 'reported_state'])
      .execute();
    const now = clock.now();
    const bodies = Object.entries(types).flatMap(([reported, type]): OperationalEvent[] => {
      const among = monitors.filter((monitor) => monitor.reported_state === reported);
      if (among.length === 0) return [];
      return [
        { type, timestamp: formatTimestamp(now), data: { client_id: clientId, monitors: among.map(endpointOf) } },
      ];
    });
    const ids = orderedIds(eventPrefixes.operational, now, bodies.length);
    for (const [index, body] of bodies.entries()) {
      await trx
        .insertInto('events')
        .values({
          id: ids[index] ?? '',
          monitor_id: applicationId,
          application_id: applicationId,
          kind: 'operational',
          occurred_at: now,
          callback_uri: webhook.url,
          host: hostOf(webhook.url),
          body: JSON.stringify(body),
          state: 'waiting',
          attempts: 0,
          next_attempt_at: now,
          is_resend: 0,
          held_until: 0,
          held_by: null,
          // Never part of the feed; otherwise PostgreSQL assigns a position.
          feed_position: null,
        })
        .execute();
    }
    return monitors.length;
  });
}

type Endpoint = OperationalEvent['data']['monitors'][number];

/** Without its URL, which can contain a secret. */
function endpointOf(monitor: {
  id: string;
  failed_events: number;
  off_since: number | null;
  off_reason: string | null;
}): Endpoint {
  return {
    monitor_id: monitor.id,
    failed_in_a_row: monitor.failed_events,
    is_on: monitor.off_since === null,
    off_since: monitor.off_since === null ? null : formatTimestamp(Number(monitor.off_since)),
    off_reason: monitor.off_reason,
  };
}
