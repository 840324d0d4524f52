// Monitors as rows: thousands at once, without the check of each callback URL that the API makes.
import type { MonitorService } from './monitor-service.ts';

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
        Array.from({ length: perCell }, (_, index) => ({
          id: `precipitation_${cell.slice(5)}00${index}`,
          application_id: sandbox.applicationId,
          monitor_type: 'precipitation' as const,
          callback_uri: 'http://127.0.0.1:9/',
          callback_credentials: null,
          latitude: '45',
          longitude: '7',
          cell,
          created_at: 0,
          gate_opens_at: 0,
          off_since: null,
          off_reason: null,
          failed_events: 0,
          delivered_count: 0,
          failed_count: 0,
        })),
      )
      .execute();
  }
  return names;
}
