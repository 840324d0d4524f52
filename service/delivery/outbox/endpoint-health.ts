// State of a monitor's callback (docs/delivery.md S10): a success resets earlier failures; 410, or too many consecutive failed
// events, stops delivery to that monitor until someone turns it on again or changes its URL.
import { sql, type Transaction } from 'kysely';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { failingEvents, openIncident } from './endpoint-incidents.ts';
import type { AttemptRecord } from './attempt-writer.ts';

type Engine = Database['engine'];

const failedEventLimit = 24;
const recentEvents = 22;

/** Appends an outcome to the monitor's recent ones; drops the oldest. */
function withOutcome(outcome: 'd' | 'f') {
  return sql<string>`substr(recent_events || ${sql.lit(outcome)}, case when length(recent_events) < ${sql.lit(recentEvents)} then 1 else 2 end)`;
}

/** `off_reason` of a monitor. */
export const goneReason = 'the callback URL returned 410 Gone';

/** Also true for the reason that earlier versions stored. */
export const isGoneReason = (reason: string | null) => reason?.endsWith(' returned 410 Gone') === true;

/** An event that ended without success. `isGone`: the callback URL returned 410. */
type FailedEvent = { monitor_id: string; at: number; error: string | null; isGone?: boolean };

/** Ignores test events; counts a resend only if it succeeds, or the callback returns 410. */
export async function countOutcomes(
  trx: Transaction<Tables>,
  engine: Engine,
  records: readonly AttemptRecord[],
): Promise<void> {
  const real = records.filter(({ event }) => event.kind === 'precipitation');
  for (const round of roundsOf(real.filter(({ outcome }) => outcome === 'delivered').map(({ event }) => event))) {
    await countDelivered(trx, engine, [...round.keys()]);
  }
  const failed = real
    .filter(({ event, outcome }) => outcome === 'gone' || (outcome === 'failed' && event.is_resend === 0))
    .map(({ event: { monitor_id }, outcome, startedAt: at, result: { error } }) => {
      return { monitor_id, at, error, isGone: outcome === 'gone' };
    });
  await countFailed(trx, engine, failed);
}

/** By monitor; one with several events is in as many rounds, because a statement counts only one. */
function roundsOf<Event extends { monitor_id: string }>(events: readonly Event[]): Map<string, Event>[] {
  const rounds: Map<string, Event>[] = [];
  for (const event of events) {
    const round = rounds.find((other) => !other.has(event.monitor_id)) ?? new Map<string, Event>();
    if (round.size === 0) rounds.push(round);
    round.set(event.monitor_id, event);
  }
  return rounds;
}

async function countDelivered(trx: Transaction<Tables>, engine: Engine, monitorIds: readonly string[]): Promise<void> {
  await trx
    .updateTable('monitors')
    .set((columns) => ({
      failed_events: 0,
      delivered_count: columns('delivered_count', '+', 1),
      recent_events: withOutcome('d'),
    }))
    .where(isAmong(engine, 'id', monitorIds))
    .execute();
}

/** Counts events that ended without a last attempt: expired, or replaced by a newer one. */
export function countUnsent(
  trx: Transaction<Tables>,
  engine: Engine,
  events: readonly { monitor_id: string }[],
  now: number,
): Promise<void> {
  return countFailed(
    trx,
    engine,
    events.map(({ monitor_id }) => ({ monitor_id, at: now, error: 'not sent in time' })),
  );
}

async function countFailed(trx: Transaction<Tables>, engine: Engine, failed: readonly FailedEvent[]): Promise<void> {
  for (const round of roundsOf(failed)) {
    const monitors = await trx
      .updateTable('monitors')
      .set((columns) => ({
        failed_events: columns('failed_events', '+', 1),
        failed_count: columns('failed_count', '+', 1),
        recent_events: withOutcome('f'),
      }))
      .where(isAmong(engine, 'id', [...round.keys()]))
      .returning(['id', 'application_id', 'failed_events'])
      .execute();
    for (const { id, application_id, failed_events: failures } of monitors) {
      const { at = 0, error = null, isGone = false } = round.get(id) ?? {};
      if (!isGone && failures < failingEvents) continue;
      await openIncident(trx, application_id, at);
      if (!isGone && failures < failedEventLimit) continue;
      await trx
        .updateTable('monitors')
        .set({
          off_since: at,
          off_reason: isGone ? goneReason : `${failures} events in a row failed; last error: ${error ?? 'no response'}`,
        })
        .where('id', '=', id)
        .where('off_since', 'is', null)
        .execute();
    }
  }
}
