// State of a monitor's callback (docs/delivery.md S10): a success resets earlier failures; 410, or too many consecutive failed
// events, stops delivery to that monitor until its owner resumes it or changes its URL. The owner can also pause it.
import { type Kysely, sql, type Transaction } from 'kysely';
import { formatFailure, pausedReason } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import type { WaitingEvent } from './tables.ts';

const failedEventLimit = 24;
const recentEvents = 22;

/** Adds how an event ended to the monitor's recent ones; drops the oldest. */
export function withEnded(letter: 'd' | 'f') {
  return sql<string>`substr(recent_events || ${sql.lit(letter)}, case when length(recent_events) < ${sql.lit(recentEvents)} then 1 else 2 end)`;
}

/** `off_reason` of a monitor. */
export const goneReason = 'the callback URL returned 410 Gone';

type Ended = {
  event: Pick<WaitingEvent, 'kind' | 'monitor_id' | 'is_resend'>;
  startedAt: number;
  result: { error: string | null };
  state: 'delivered' | 'waiting' | 'failed' | 'gone';
};

/**
 * Counts events that ended. A claim has counted its events as delivered, so a success only ends a series of failures. Ignores test
 * events; counts a resend only if it succeeds, or the callback returns 410.
 */
export async function countEnded(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  records: readonly Ended[],
): Promise<void> {
  const real = records.filter(({ event }) => event.kind !== 'test');
  const delivered = real.filter(({ state }) => state === 'delivered').map(({ event }) => event);
  if (delivered.length > 0) {
    const monitors = delivered.map(({ monitor_id }) => monitor_id);
    await trx
      .updateTable('monitors')
      .set({ failed_events: 0 })
      .where(isAmong(engine, 'id', monitors))
      .where('failed_events', '>', 0)
      .execute();
  }
  for (const { monitor_id, is_resend } of delivered) {
    if (is_resend === 0) continue;
    await trx
      .updateTable('monitors')
      .set((columns) => ({ delivered_count: columns('delivered_count', '+', 1), recent_events: withEnded('d') }))
      .where('id', '=', monitor_id)
      .execute();
  }
  for (const { event, startedAt: at, result, state } of real) {
    const isGone = state === 'gone';
    if (isGone || (state === 'failed' && event.is_resend === 0))
      await countFailed(trx, { ...event, at, isGone, ...result });
  }
}

/** Counts events that expired without a last attempt. */
export async function countUnsent(trx: Transaction<Tables>, monitorIds: readonly string[], now: number): Promise<void> {
  const unsent = { is_resend: 0, at: now, error: 'not sent in time', isGone: false };
  for (const monitor_id of monitorIds) await countFailed(trx, { ...unsent, monitor_id });
}

type FailedEvent = { monitor_id: string; is_resend: number; at: number; error: string | null; isGone: boolean };

async function countFailed(trx: Transaction<Tables>, event: FailedEvent): Promise<void> {
  const { monitor_id, is_resend, at, error, isGone } = event;
  const isResend = is_resend === 1;
  const monitor = await trx
    .updateTable('monitors')
    .set((columns) => ({
      failed_events: columns('failed_events', '+', 1),
      failed_count: columns('failed_count', '+', 1),
      // The claim has counted the event as delivered, which is taken back.
      delivered_count: columns('delivered_count', '-', isResend ? 0 : 1),
      recent_events: isResend
        ? withEnded('f')
        : sql<string>`case recent_events when '' then 'f' else substr(recent_events, 1, length(recent_events) - 1) || 'f' end`,
    }))
    .where('id', '=', monitor_id)
    .returning('failed_events')
    .executeTakeFirst();
  if (!monitor || (!isGone && monitor.failed_events < failedEventLimit)) return;
  const reason = `${monitor.failed_events} events in a row failed; last error: ${formatFailure({ http_status: null, error })}`;
  await trx
    .updateTable('monitors')
    .set({ off_since: at, off_reason: isGone ? goneReason : reason })
    .where('id', '=', monitor_id)
    .where('off_since', 'is', null)
    .execute();
}

/** Pauses a monitor, unless its delivery is off already. Its waiting events are not sent; a test event or a resend is. */
export function pauseMonitor(db: Kysely<Tables>, id: string, now: number): Promise<void> {
  return retryOnDeadlock(() =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('monitors')
        .set({ off_since: now, off_reason: pausedReason })
        .where('id', '=', id)
        .where('off_since', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const events = trx.selectFrom('events').select('id').where('monitor_id', '=', id).where('kind', '!=', 'test');
      const ended = await trx
        .deleteFrom('waiting_events')
        .where('event_id', 'in', events)
        .where('is_resend', '=', 0)
        .returning('event_id')
        .execute();
      for (const { event_id } of ended)
        await trx.updateTable('events').set({ undelivered: 'feed-only' }).where('id', '=', event_id).execute();
      // The claim has counted them as delivered, which is taken back.
      await trx
        .updateTable('monitors')
        .set((columns) => ({
          delivered_count: columns('delivered_count', '-', ended.length),
          recent_events: sql<string>`substr(recent_events, 1, length(recent_events) - ${sql.lit(ended.length)})`,
        }))
        .where('id', '=', id)
        .execute();
    }),
  );
}
