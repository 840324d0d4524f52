// What happens to waiting events when their monitor is edited or removed: an event goes where the monitor points now, and
// nowhere once it is gone.
import { sql, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import type { Tables } from '#service/database/tables.ts';

/** Written into the statement, not bound: SQLite uses the indexes of waiting events only where it reads the word. */
export const pendingState = sql.lit('waiting' as const);

/** Events of one monitor wait in the line of this host: scheme, name and port, as they were written. */
export function hostOf(callbackUri: string): string {
  const end = callbackUri.slice(8).search(/[/?#]/);
  return (end === -1 ? callbackUri : callbackUri.slice(0, 8 + end)).toLowerCase();
}

export async function updatePendingUrls(
  trx: Transaction<Tables>,
  monitorId: string,
  callbackUri: string,
  body: string,
): Promise<void> {
  await trx
    .updateTable('events')
    .set({ callback_uri: callbackUri, host: hostOf(callbackUri), body })
    .where('monitor_id', '=', monitorId)
    .where('state', '=', pendingState)
    .execute();
}

/** `ofMonitors`: a condition on `monitor_id`. `kind`: a newer event replaces precipitation events only. */
export async function cancelPendingEvents(
  trx: Transaction<Tables>,
  ofMonitors: RawBuilder<SqlBool>,
  kind?: 'precipitation',
): Promise<void> {
  await trx
    .updateTable('events')
    .set({ state: 'replaced', next_attempt_at: null, held_until: 0, held_by: null })
    .where(ofMonitors)
    .where('state', '=', pendingState)
    .$if(kind !== undefined, (update) => update.where('kind', '=', kind ?? 'precipitation'))
    .execute();
}
