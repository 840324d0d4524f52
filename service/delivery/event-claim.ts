// The hourly gate (§6, S1). One UPDATE decides which monitors may have an event and closes their gates for an hour; the
// outbox rows are written in the same transaction, so a claimed event is never lost and never claimed twice.
import type { Kysely, Transaction } from 'kysely';
import { eventIntervalSeconds } from '#contract/monitor.ts';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import type { Tables } from '../database/tables.ts';
import { monitorJson, type MonitorRow } from '../monitors/monitor-json.ts';
import { orderedIds } from './ordered-ids.ts';
import { cancelWaiting, hostOf } from './outbox-edits.ts';
import type { EventKind } from './tables.ts';

const intervalMs = eventIntervalSeconds * 1000;
const rowsPerStatement = 500;

/** Claims an event at `now` for every monitor of these cells whose gate is open. Returns the ids of the monitors. */
export async function claimEvents(db: Kysely<Tables>, cells: readonly string[], now: number): Promise<string[]> {
  if (cells.length === 0) return [];
  return retryOnDeadlock(() => db.transaction().execute((trx) => claimInTransaction(trx, cells, now)));
}

async function claimInTransaction(trx: Transaction<Tables>, cells: readonly string[], now: number): Promise<string[]> {
  const claimed = await trx
    .updateTable('monitors')
    .set({ gate_opens_at: now + intervalMs })
    .where('cell', 'in', cells)
    .where('gate_opens_at', '<=', now)
    .where('off_since', 'is', null)
    .returningAll()
    .execute();
  for (let start = 0; start < claimed.length; start += rowsPerStatement) {
    const part = claimed.slice(start, start + rowsPerStatement);
    const ids = part.map((monitor) => monitor.id);
    await cancelWaiting(trx, ids, 'precipitation');
    await writeEvents(trx, part, 'precipitation', now);
  }
  return claimed.map((monitor) => monitor.id);
}

/** "Send test event" (S15): the same way through the outbox, with an id that says so, and the gate untouched. */
export async function addTestEvent(db: Kysely<Tables>, monitor: MonitorRow, now: number): Promise<string> {
  const [id = ''] = await db.transaction().execute((trx) => writeEvents(trx, [monitor], 'test', now));
  return id;
}

async function writeEvents(
  trx: Transaction<Tables>,
  monitors: readonly MonitorRow[],
  kind: EventKind,
  now: number,
): Promise<string[]> {
  const ids = orderedIds(kind === 'test' ? 'test_' : 'evt_', now, monitors.length);
  const rows = monitors.map((monitor, index) => ({
    id: ids[index] ?? '',
    monitor_id: monitor.id,
    application_id: monitor.application_id,
    kind,
    occurred_at: now,
    callback_uri: monitor.callback_uri,
    host: hostOf(monitor.callback_uri),
    body: monitorJson(monitor),
    state: 'waiting' as const,
    attempts: 0,
    next_attempt_at: now,
    is_resend: 0,
    held_until: 0,
    held_by: null,
  }));
  await trx.insertInto('events').values(rows).execute();
  return ids;
}
