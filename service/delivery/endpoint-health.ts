// How a monitor's callback fares (S10): a success forgets earlier failures; 410, or too many failed events in a row, ends
// delivery to that monitor until someone turns it on again or gives it another address.
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { AttemptRecord } from './outbox.ts';

const failedEventLimit = 24;

/** Test events count for nothing; a resend counts where it succeeds, or where the callback says that it is gone. */
export async function countOutcomes(trx: Transaction<Tables>, records: readonly AttemptRecord[]): Promise<void> {
  const real = records.filter(({ event }) => event.kind === 'precipitation');
  const delivered = real.filter(({ outcome }) => outcome === 'delivered');
  await countDelivered(trx, delivered);
  for (const record of real) {
    const isResend = record.event.is_resend === 1;
    if (record.outcome === 'gone' || (record.outcome === 'failed' && !isResend)) await countFailed(trx, record);
  }
}

async function countDelivered(trx: Transaction<Tables>, records: readonly AttemptRecord[]): Promise<void> {
  const ids = records.map(({ event }) => event.monitor_id);
  if (ids.length === 0) return;
  await trx
    .updateTable('monitors')
    .set((columns) => ({ failed_events: 0, delivered_count: columns('delivered_count', '+', 1) }))
    .where('id', 'in', ids)
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
    }))
    .where('id', '=', event.monitor_id)
    .returning('failed_events')
    .executeTakeFirst();
  const failures = monitor?.failed_events ?? 0;
  if (outcome !== 'gone' && failures < failedEventLimit) return;
  const reason =
    outcome === 'gone'
      ? 'the callback answered 410 Gone'
      : `${failures} events in a row failed, the last one with: ${result.error ?? 'no answer'}`;
  await trx
    .updateTable('monitors')
    .set({ off_since: startedAt, off_reason: reason })
    .where('id', '=', event.monitor_id)
    .where('off_since', 'is', null)
    .execute();
}
