// State of a monitor's callback (docs/delivery.md S10): a success resets earlier failures; 410, or too many consecutive failed
// events, stops delivery to that monitor until its owner resumes it or changes its URL. The owner can also pause it.
import { sql, type SqlBool, type Transaction } from 'kysely';
import { formatFailure, pausedReason } from '@rainbell/contract/service-api';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import { retryOnDeadlock } from '../../database/retry-on-deadlock.ts';
import type { Tables } from '../../database/tables.ts';
import type { AttemptRecord } from './attempt-recorder.ts';
import { endUnsent } from './events.ts';

const failedEventLimit = 24;

export const goneReason = 'the callback URL returned 410 Gone';

/** Counts consecutive failures. Ignores test events; counts a resend only if it succeeds, or the callback returns 410. */
export async function countEnded(
  trx: Transaction<Tables>,
  engine: Database['engine'],
  records: readonly AttemptRecord[],
): Promise<void> {
  const real = records.filter(({ event }) => event.kind !== 'test');
  const delivered = real.filter(({ state }) => state === 'delivered').map(({ event }) => event.monitor_id);
  if (delivered.length > 0) {
    await trx
      .updateTable('monitors')
      .set({ failed_events: 0 })
      .where(isAmong(engine, 'id', delivered))
      .where('failed_events', '>', 0)
      .execute();
  }
  for (const { event, startedAt: at, result, state } of real) {
    const isGone = state === 'gone';
    if (isGone || (state === 'failed' && event.is_resend === 0))
      await countFailed(trx, event.monitor_id, { at, error: result.error, isGone });
  }
}

export async function countFailed(
  trx: Transaction<Tables>,
  monitorId: string,
  { at, error, isGone = false }: { at: number; error: string | null; isGone?: boolean },
): Promise<void> {
  const monitor = await trx
    .updateTable('monitors')
    .set((columns) => ({ failed_events: columns('failed_events', '+', 1) }))
    .where('id', '=', monitorId)
    .returning('failed_events')
    .executeTakeFirst();
  if (!monitor || (!isGone && monitor.failed_events < failedEventLimit)) return;
  const reason = `${monitor.failed_events} events in a row failed; last error: ${formatFailure({ http_status: null, error })}`;
  await trx
    .updateTable('monitors')
    .set({ off_since: at, off_reason: isGone ? goneReason : reason })
    .where('id', '=', monitorId)
    .where('off_since', 'is', null)
    .execute();
}

/** Pauses a monitor, unless its delivery is off already. Its waiting events are not sent; a test event or a resend is. */
export function pauseMonitor({ db, engine }: Pick<Database, 'db' | 'engine'>, id: string, now: number): Promise<void> {
  return retryOnDeadlock(() =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('monitors')
        .set({ off_since: now, off_reason: pausedReason })
        .where('id', '=', id)
        .where('off_since', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const own = sql<SqlBool>`is_resend = 0 and event_id in (
        select id from events where monitor_id = ${id} and kind <> 'test')`;
      await endUnsent(trx, engine, own, 'feed-only');
    }),
  );
}
