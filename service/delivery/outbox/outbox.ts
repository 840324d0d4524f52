// The outbox in the database: which events are due, which process sends them, and their results. Processes on the same database
// lease due events for a few seconds at a time, so others take over the events of one that died (docs/delivery.md S13).
import { sql, type ExpressionBuilder } from 'kysely';
import { jumpMs } from '@rainbell/shared';
import { eventIntervalSeconds } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import { createLeaseClock, leaseEnd } from '../../database/lease-clock.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import { type AttemptRecord, createAttemptWriter } from './attempt-writer.ts';
import { countOutcomes, countUnsent } from './endpoint-health.ts';
import { createEventClaims, type EventClaim, type Triggers } from './event-claim.ts';
import { pendingState } from '../../monitors/pending-events.ts';
import type { WaitingEvent } from '../schema/tables.ts';
import { overlapMs } from '../signing/webhook-secrets.ts';

/** An application, or what it sends to one host, whose queue is so long that more of it would only crowd out others. */
export type FullLine = Pick<WaitingEvent, 'application_id'> & { host?: string };

export type Outbox = {
  /** Claims events; this process takes up to `room` of them at once. `onHeld`: see EventClaims. */
  claim(
    cells: readonly string[],
    now: number,
    room: number,
    triggers?: Triggers,
    onHeld?: (events: readonly WaitingEvent[]) => void,
  ): Promise<EventClaim>;
  /** Takes up to `limit` due events that are in none of the `full` queues. */
  take(now: number, limit: number, full: readonly FullLine[]): Promise<WaitingEvent[]>;
  /** Renews the leases of this process. */
  hold(ids: readonly string[]): Promise<void>;
  release(ids: readonly string[]): Promise<void>;
  /** Expires events whose window has passed, for example while no process ran (docs/delivery.md S13). */
  expire(now: number): Promise<void>;
  /**
   * Corrects plans made before the clock was set back: cool-downs, attempts, leases, and the end of rotated secrets. Sends
   * nothing sooner after its event than planned. Reads `now` for each step, because the clock may jump again meanwhile.
   */
  replan(now: () => number): Promise<void>;
  record(records: readonly AttemptRecord[]): Promise<void>;
  /** Returns when the next event is due, including leased ones; undefined if there is none. */
  nextDueAt(): Promise<number | undefined>;
};

/** How long, by the lease clock, until a process that does not renew its lease is considered dead. */
export const holdMs = 6_000;
const idsPerStatement = 500;

export function createOutbox({ db, engine }: Pick<Database, 'db' | 'engine'>, holder: string): Outbox {
  const writeAttempts = createAttemptWriter(engine);
  const claims = createEventClaims({ db, engine });
  const leaseClock = createLeaseClock(engine);
  return {
    claim: (cells, now, room, ...rest) =>
      claims.claim(cells, now, { name: holder, room, until: leaseEnd(leaseClock(), holdMs) }, ...rest),

    async take(now, limit, full) {
      const leaseNow = leaseClock();
      // By the row's position on PostgreSQL, which plans `id in (…)` as a scan of the whole table if that is not large.
      const place = sql.ref<string>(engine === 'postgres' ? 'ctid' : 'id');
      const due = db
        .selectFrom('events')
        .select(place.as('place'))
        .where('state', '=', pendingState)
        .where('next_attempt_at', '<=', now)
        .where('held_until', '<=', leaseNow)
        .where(isInWindow(now))
        .where((where) => where.not(where.or(full.map((line) => where.and(line)))))
        .orderBy('next_attempt_at')
        .limit(limit)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      const taken = db
        .updateTable('events')
        .set({ held_until: leaseEnd(leaseNow, holdMs), held_by: holder })
        .where(engine === 'postgres' ? sql<boolean>`${place} = any(array(${due}))` : sql<boolean>`${place} in (${due})`)
        .returningAll();
      return retryOnDeadlock(() => taken.execute());
    },

    async hold(ids) {
      const leaseNow = leaseClock();
      for (let start = 0; start < ids.length; start += idsPerStatement) {
        const own = db
          .selectFrom('events')
          .select('id')
          .where(isAmong(engine, 'id', ids.slice(start, start + idsPerStatement)))
          .where('held_by', '=', holder)
          .where('state', '=', 'waiting')
          // Another statement that has a row ends it or changes its URL; the next renewal is early enough.
          .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
        const renewed = db
          .updateTable('events')
          .set({ held_until: leaseEnd(leaseNow, holdMs) })
          .where('id', 'in', own);
        await retryOnDeadlock(() => renewed.execute());
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
      const expired = db
        .selectFrom('events')
        .select('id')
        .where('state', '=', pendingState)
        // Attempts are never planned beyond the window, so events that are not due have not expired.
        .where('next_attempt_at', '<=', now)
        .where('held_until', '<=', leaseNow)
        .where((where) => where.not(isInWindow(now)(where)))
        .limit(idsPerStatement)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      const expireSome = () =>
        db.transaction().execute(async (trx) => {
          const ended = await trx
            .updateTable('events')
            .set({ state: 'failed', next_attempt_at: null, held_until: 0, held_by: null })
            .where('id', 'in', expired)
            .returning('monitor_id')
            .execute();
          await countUnsent(trx, engine, ended, now);
          return ended.length;
        });
      while ((await retryOnDeadlock(expireSome)) === idsPerStatement);
    },

    async replan(readNow) {
      const leaseNow = leaseClock();
      await claims.pullGatesIn(readNow());
      const now = readNow();
      // An event in the future moves to now and keeps the delay of its planned attempt, unless that was planned after the clock was
      // set back.
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
      // A resend of an older event is due when it is requested.
      const nowOfResends = readNow();
      await db
        .updateTable('events')
        .set({ next_attempt_at: nowOfResends })
        .where('state', '=', pendingState)
        .where('is_resend', '=', 1)
        .where('next_attempt_at', '>', nowOfResends)
        .execute();
      // Their process may be alive and renew them, so let them expire instead of ending them here.
      await db
        .updateTable('events')
        .set({ held_until: leaseEnd(leaseNow, holdMs) })
        .where('state', '=', pendingState)
        .where('held_until', '>', leaseEnd(leaseNow, holdMs))
        .execute();
      const latestEnd = readNow() + overlapMs;
      await db
        .updateTable('webhook_secrets')
        .set({ previous_until: latestEnd })
        .where('previous_until', '>', latestEnd)
        .execute();
    },

    record: (records) =>
      retryOnDeadlock(() =>
        db.transaction().execute(async (trx) => {
          const ended = await writeAttempts(trx, records);
          const counted = records.filter(({ event }) => ended.has(event.id));
          await countOutcomes(trx, engine, counted);
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

/** Manual sends have no window. */
function isInWindow(now: number) {
  return (where: ExpressionBuilder<Tables, 'events'>) =>
    where.or([
      where('occurred_at', '>', now - eventIntervalSeconds * 1000),
      where('kind', '=', 'test'),
      where('is_resend', '=', 1),
    ]);
}
