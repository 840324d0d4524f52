// State of a monitor's callback (docs/delivery.md S10): a success resets earlier failures; 410, or too many consecutive failed
// events, stops delivery to that monitor until someone turns it on again or changes its URL.
import { sql, type Transaction } from 'kysely';
import { isAmong } from '#service/database/id-list.ts';
import type { Database } from '#service/database/open-database.ts';
import type { Tables } from '#service/database/tables.ts';
import { failingEvents, openIncident } from './endpoint-incidents.ts';
import type { AttemptRecord } from './outbox.ts';

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

/** Ignores test events; counts a resend only if it succeeds, or the callback returns 410. */
export async function countOutcomes(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  records: readonly AttemptRecord[],
): Promise<void> {
  const real = records.filter(({ event }) => event.kind === 'precipitation');
  let delivered = real.filter(({ outcome }) => outcome === 'delivered').map(({ event }) => event.monitor_id);
  while (delivered.length > 0) {
    // A monitor with two events in one group counts twice.
    const once = new Set(delivered);
    await countDelivered(trx, engine, [...once]);
    delivered = delivered.length === once.size ? [] : delivered.filter((id) => !once.delete(id));
  }
  for (const record of real) {
    const isResend = record.event.is_resend === 1;
    if (record.outcome === 'gone' || (record.outcome === 'failed' && !isResend)) await countFailed(trx, record);
  }
}

async function countDelivered(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  monitorIds: readonly string[],
): Promise<void> {
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

async function countFailed(
  trx: Transaction<Tables>,
  { event, outcome, startedAt, result }: AttemptRecord,
): Promise<void> {
  const monitor = await trx
    .updateTable('monitors')
    .set((columns) => ({
      failed_events: columns('failed_events', '+', 1),
      failed_count: columns('failed_count', '+', 1),
      recent_events: withOutcome('f'),
    }))
    .where('id', '=', event.monitor_id)
    .returning('failed_events')
    .executeTakeFirst();
  const failures = monitor?.failed_events ?? 0;
  if (monitor && (outcome === 'gone' || failures >= failingEvents)) {
    await openIncident(trx, event.application_id, startedAt);
  }
  if (outcome !== 'gone' && failures < failedEventLimit) return;
  const reason =
    outcome === 'gone'
      ? goneReason
      : `${failures} events in a row failed; last error: ${result.error ?? 'no response'}`;
  await trx
    .updateTable('monitors')
    .set({ off_since: startedAt, off_reason: reason })
    .where('id', '=', event.monitor_id)
    .where('off_since', 'is', null)
    .execute();
}
