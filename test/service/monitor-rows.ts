// Monitors as rows: thousands at once, without the check of each callback URL that the API makes.
import type { Insertable } from 'kysely';
import type { Tables } from '#service/database/tables.ts';
import type { MonitorService } from './monitor-service.ts';

type MonitorColumns = Insertable<Tables['monitors']>;

/** A monitor of which everything counts from 0. */
export function newMonitorRow(changes: Pick<MonitorColumns, 'id' | 'application_id'> & Partial<MonitorColumns>) {
  return {
    monitor_type: 'precipitation' as const,
    callback_uri: 'http://127.0.0.1:9/',
    callback_credentials: null,
    latitude: '45',
    longitude: '7',
    cell: 'x',
    created_at: 0,
    gate_opens_at: 0,
    off_since: null,
    off_reason: null,
    failed_events: 0,
    rules: null,
    ...changes,
  } satisfies MonitorColumns;
}

/** Adds `perCell` monitors to each of so many cells, and returns the cells. */
export async function addMonitorRows(
  { db, sandbox }: Pick<MonitorService, 'db' | 'sandbox'>,
  cells: number,
  perCell: number,
): Promise<string[]> {
  const names = Array.from({ length: cells }, (_, index) => `cell-${index}`);
  for (const cell of names) {
    await db
      .insertInto('monitors')
      .values(
        Array.from({ length: perCell }, (_, index) =>
          newMonitorRow({
            id: `precipitation_${cell.slice(5)}00${index}`,
            application_id: sandbox.applicationId,
            cell,
          }),
        ),
      )
      .execute();
  }
  return names;
}
