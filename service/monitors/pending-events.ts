// Updates pending events when their monitor is edited or deleted: they are sent to the monitor's current URL, or not at all.
import { sql, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { monitorJson, type MonitorRow } from './monitor-json.ts';

/** A literal, not a parameter: SQLite uses the indexes of pending events only if it sees the value. */
export const pendingState = sql.lit('waiting' as const);

/** Returns the queue key of a URL: scheme, name, and port, as written. */
export function hostOf(callbackUri: string): string {
  const end = callbackUri.slice(8).search(/[/?#]/);
  return (end === -1 ? callbackUri : callbackUri.slice(0, 8 + end)).toLowerCase();
}

type Sent = Parameters<typeof monitorJson>[0] & Pick<MonitorRow, 'callback_credentials'>;

/** Where a monitor's events are sent now, and what. */
export function requestOf(monitor: Sent) {
  const { callback_uri, callback_credentials } = monitor;
  const is_guarded = callback_credentials === null ? 0 : 1;
  return { callback_uri, is_guarded, host: hostOf(callback_uri), body: monitorJson(monitor) };
}

export async function updatePendingUrls(trx: Transaction<Tables>, monitor: Sent): Promise<void> {
  await trx
    .updateTable('events')
    .set(requestOf(monitor))
    .where('monitor_id', '=', monitor.id)
    .where('state', '=', pendingState)
    .execute();
}

/**
 * `ofMonitors`: a condition on `monitor_id`. `kind`: a newer event replaces precipitation events only. Returns the canceled events
 * that have not ended before, as a resend has.
 */
export async function cancelPendingEvents(
  trx: Transaction<Tables>,
  ofMonitors: RawBuilder<SqlBool>,
  kind?: 'precipitation',
): Promise<{ monitor_id: string }[]> {
  const canceled = trx
    .updateTable('events')
    .set({ state: 'replaced', next_attempt_at: null, held_until: 0, held_by: null })
    .where(ofMonitors)
    .where('state', '=', pendingState)
    .$if(kind !== undefined, (query) => query.where('kind', '=', 'precipitation'))
    .returning(['monitor_id', 'is_resend']);
  return (await canceled.execute()).filter(({ is_resend }) => is_resend === 0);
}
