// The outbox in the database: which events are due, who is sending them, and what came of it. Every process that shares
// the database takes due events for a few seconds at a time, so those of one that died are taken up by another
// (docs/delivery.md S13).
import type { ExpressionBuilder, Selectable } from 'kysely';
import { jumpMs } from '#shared/time/clock.ts';
import { eventIntervalSeconds } from '#contract/service-api/monitor.ts';
import { isAmong } from '../database/id-list.ts';
import { createLeaseClock, leaseEnd } from '../database/lease-clock.ts';
import type { Database } from '../database/open-database.ts';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import type { Tables } from '../database/tables.ts';
import { createAttemptWriter } from './attempt-writer.ts';
import { countOutcomes } from './endpoint-health.ts';
import { createEventClaims, type EventClaim } from './event-claim.ts';
import { pendingState } from '#service/monitors/pending-events.ts';
import type { SendResult } from './send-callback.ts';
import type { DeliveryTables } from './tables.ts';
import { overlapMs } from './webhook-secrets.ts';

export type WaitingEvent = Selectable<DeliveryTables['events']>;

/** What one attempt came to. `nextAttemptAt`: undefined where the event is over. */
export type AttemptRecord = {
  event: WaitingEvent;
  startedAt: number;
  result: SendResult;
  outcome: 'delivered' | 'waiting' | 'failed' | 'gone';
  nextAttemptAt: number | undefined;
};

export type Outbox = {
  /** The hourly gate; up to `room` of the events are taken by this process at once. */
  claim(cells: readonly string[], now: number, room: number): Promise<EventClaim>;
  /** Takes up to `limit` due events whose hosts are not among `fullHosts`. */
  take(now: number, limit: number, fullHosts: readonly string[]): Promise<WaitingEvent[]>;
  /** Keeps what this process has taken from being taken by another. */
  hold(ids: readonly string[]): Promise<void>;
  release(ids: readonly string[]): Promise<void>;
  /** Gives up events whose window has passed, for instance while no process ran (docs/delivery.md S13). */
  expire(now: number): Promise<void>;
  /**
   * Mends plans that a clock made which has been set back since: gates, attempts, leases, and the end of old secrets.
   * Nothing is sent sooner than it was planned to follow its event.
   */
  replan(now: number): Promise<void>;
  record(records: readonly AttemptRecord[]): Promise<void>;
  /** When the next event becomes due, held ones included; undefined where none waits. */
  nextDueAt(): Promise<number | undefined>;
};

/** A process that has not renewed its hold for so long, by the lease clock, is taken for dead. */
export const holdMs = 6_000;
const idsPerStatement = 500;

export function createOutbox({ db, engine }: Pick<Database, 'db' | 'engine'>, holder: string): Outbox {
  const writeAttempts = createAttemptWriter(engine);
  const claims = createEventClaims({ db, engine });
  const leaseClock = createLeaseClock(engine);
  return {
    claim: (cells, now, room) =>
      claims.claim(cells, now, { name: holder, room, until: leaseEnd(leaseClock(), holdMs) }),

    async take(now, limit, fullHosts) {
      const leaseNow = leaseClock();
      const due = db
        .selectFrom('events')
        .select('id')
        .where('state', '=', pendingState)
        .where('next_attempt_at', '<=', now)
        .where('held_until', '<=', leaseNow)
        .where(isInWindow(now))
        .$if(fullHosts.length > 0, (query) => query.where('host', 'not in', fullHosts))
        .orderBy('next_attempt_at')
        .limit(limit)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      return db
        .updateTable('events')
        .set({ held_until: leaseEnd(leaseNow, holdMs), held_by: holder })
        .where('id', 'in', due)
        .returningAll()
        .execute();
    },

    async hold(ids) {
      if (ids.length === 0) return;
      const leaseNow = leaseClock();
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        await db
          .updateTable('events')
          .set({ held_until: leaseEnd(leaseNow, holdMs) })
          .where(isAmong(engine, 'id', ids.slice(start, start + idsPerStatement)))
          .where('held_by', '=', holder)
          .where('state', '=', 'waiting')
          .execute();
      }
    },

    async release(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable('events')
        .set({ held_until: 0, held_by: null })
        .where('held_by', '=', holder)
        .where(isAmong(engine, 'id', ids))
        .execute();
    },

    async expire(now) {
      const leaseNow = leaseClock();
      await db
        .updateTable('events')
        .set({ state: 'failed', next_attempt_at: null, held_until: 0, held_by: null })
        .where('state', '=', pendingState)
        // An attempt is never planned beyond the window, so what is not due has not expired.
        .where('next_attempt_at', '<=', now)
        .where('held_until', '<=', leaseNow)
        .where((where) => where.not(isInWindow(now)(where)))
        .execute();
    },

    async replan(now) {
      const leaseNow = leaseClock();
      await claims.pullGatesIn(now);
      // An event from the future happens now, and what is planned for it follows as long after it as it did before; unless
      // that was planned after the clock was set back.
      await db
        .updateTable('events')
        .set((columns) => ({
          next_attempt_at: columns
            .case()
            .when('next_attempt_at', '>=', columns.ref('occurred_at'))
            .then(columns(columns('next_attempt_at', '-', columns.ref('occurred_at')), '+', now))
            .else(columns.ref('next_attempt_at'))
            .end(),
          occurred_at: now,
        }))
        .where('state', '=', pendingState)
        .where('occurred_at', '>', now + jumpMs)
        .execute();
      // A resend of an older event is planned for the moment when it is asked for.
      await db
        .updateTable('events')
        .set({ next_attempt_at: now })
        .where('state', '=', pendingState)
        .where('is_resend', '=', 1)
        .where('next_attempt_at', '>', now)
        .execute();
      // Their process may live and renew them, so they run out instead of ending here.
      await db
        .updateTable('events')
        .set({ held_until: leaseEnd(leaseNow, holdMs) })
        .where('state', '=', pendingState)
        .where('held_until', '>', leaseEnd(leaseNow, holdMs))
        .execute();
      await db
        .updateTable('webhook_secrets')
        .set({ previous_until: now + overlapMs })
        .where('previous_until', '>', now + overlapMs)
        .execute();
    },

    record: (records) =>
      retryOnDeadlock(() =>
        db.transaction().execute(async (trx) => {
          await writeAttempts(trx, records);
          await countOutcomes(trx, engine, records);
        }),
      ),

    async nextDueAt() {
      const { due } = await db
        .selectFrom('events')
        .select((select) => select.fn.min('next_attempt_at').as('due'))
        .where('state', '=', pendingState)
        .executeTakeFirstOrThrow();
      return due === null ? undefined : Number(due);
    },
  };
}

/** What a person asked for by hand has no window. */
function isInWindow(now: number) {
  return (where: ExpressionBuilder<Tables, 'events'>) =>
    where.or([
      where('occurred_at', '>', now - eventIntervalSeconds * 1000),
      where('kind', '=', 'test'),
      where('is_resend', '=', 1),
    ]);
}
