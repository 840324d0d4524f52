// What an action on many monitors sends for each of them.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { AppMonitor, CallbackTarget } from '#contract/app-rpc/monitors.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { toFailure } from '#renderer/store/request.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import type { BulkTask } from './bulk-slice.ts';
import type { MonitorDraft } from './monitors-slice.ts';
import type { PlannedRow } from './import-plan.ts';

/** PATCH; the list is read once, at the end of all. */
export type UpdateOne = (id: string, changes: Partial<MonitorDraft>) => Promise<AppMonitor>;

/** The same for all, or one for each. */
export type CallbackChoice = CallbackTarget | ((monitor: AppMonitor) => CallbackTarget);

export function callbackTasks(
  update: UpdateOne,
  monitors: readonly AppMonitor[],
  callback: CallbackChoice,
): BulkTask[] {
  return monitors.map((monitor) =>
    taskOf(monitor, async () => {
      const chosen = typeof callback === 'function' ? callback(monitor) : callback;
      const { callbackUri } = await update(monitor.id, { callback: chosen });
      return `Calls ${callbackUri ?? 'the new address'}`;
    }),
  );
}

export function moveTasks(update: UpdateOne, monitors: readonly AppMonitor[], by: LatLng): BulkTask[] {
  return monitors.map((monitor) =>
    taskOf(monitor, async () => {
      const geo = movedBy(monitor.geo, by);
      await update(monitor.id, { geo });
      return `Moved to ${formatCoordinates(geo)}`;
    }),
  );
}

/** `instead`: where the copy of a monitor calls whose address the service did not return. */
export function duplicateTasks(
  client: AppClient,
  monitors: readonly AppMonitor[],
  by: LatLng,
  instead: CallbackTarget,
): BulkTask[] {
  return monitors.map((monitor) =>
    taskOf(monitor, async () => {
      const { callbackUri, geo, name, tags, note } = monitor;
      const callback: CallbackTarget = callbackUri === null ? instead : { kind: 'address', uri: callbackUri };
      const copy = await client.monitors.create({ geo: movedBy(geo, by), callback });
      return `Copied as ${copy.id}${await keptNotes(client, copy.id, { name, tags, note })}`;
    }),
  );
}

export function importTasks(client: AppClient, rows: readonly PlannedRow[]): BulkTask[] {
  return rows.flatMap((row) => {
    if (row.kind !== 'create') return [];
    const { draft, notes, line } = row;
    const run = async () => {
      const monitor = await client.monitors.create(draft);
      return `Registered as ${monitor.id}${await keptNotes(client, monitor.id, notes)}`;
    };
    return [{ key: `line ${line}`, label: `line ${line}: ${notes.name || formatCoordinates(draft.geo)}`, run }];
  });
}

/** What to add to the result. The monitor is registered: a failure here must not have a retry register it once more. */
async function keptNotes(
  client: AppClient,
  id: string,
  notes: Pick<AppMonitor, 'name' | 'tags' | 'note'>,
): Promise<string> {
  if (notes.name === '' && notes.tags.length === 0 && notes.note === '') return '';
  try {
    await client.monitors.setNotes({ id, notes });
    return '';
  } catch (error) {
    return `, but its name, tags and note were not kept: ${toFailure(error).message}`;
  }
}

function taskOf({ id, name }: AppMonitor, run: BulkTask['run']): BulkTask {
  return { key: id, label: name === '' ? id : `${name} (${id})`, run };
}

/** Stays on the globe: latitudes end at the poles, longitudes go round. Seven decimals are a centimetre. */
export function movedBy({ lat, lng }: LatLng, by: LatLng): LatLng {
  const north = Math.max(-90, Math.min(90, lat + by.lat));
  const east = lng + by.lng;
  const around = Math.abs(east) <= 180 ? east : ((((east + 180) % 360) + 360) % 360) - 180;
  const rounded = (value: number) => Number(value.toFixed(7)) + 0;
  return { lat: rounded(north), lng: rounded(around) };
}
