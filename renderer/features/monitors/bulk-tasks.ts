// What an action on many monitors sends for each of them.
import type { LatLng } from '#contract/geo.ts';
import type { AppMonitor, CallbackTarget } from '#contract/procedures/monitors.ts';
import type { AppClient } from '#contract/procedures/contract.ts';
import { coordinateWords } from '#renderer/ui/durations.ts';
import type { BulkTask } from './bulk-slice.ts';
import type { PlannedRow } from './import-plan.ts';

export function callbackTasks(
  client: AppClient,
  monitors: readonly AppMonitor[],
  callback: CallbackTarget,
): BulkTask[] {
  return monitors.map((monitor) =>
    taskOf(monitor, async () => {
      const { callbackUri } = await client.monitors.update({ id: monitor.id, changes: { callback }, readBack: false });
      return `Calls ${callbackUri ?? 'the new address'}`;
    }),
  );
}

export function moveTasks(client: AppClient, monitors: readonly AppMonitor[], by: LatLng): BulkTask[] {
  return monitors.map((monitor) =>
    taskOf(monitor, async () => {
      const geo = movedBy(monitor.geo, by);
      await client.monitors.update({ id: monitor.id, changes: { geo }, readBack: false });
      return `Moved to ${coordinateWords(geo)}`;
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
      await keepNotes(client, copy.id, { name, tags, note });
      return `Copied as ${copy.id}`;
    }),
  );
}

export function importTasks(client: AppClient, rows: readonly PlannedRow[]): BulkTask[] {
  return rows.flatMap((row) => {
    if (row.kind !== 'create') return [];
    const { draft, notes, line } = row;
    const run = async () => {
      const monitor = await client.monitors.create(draft);
      await keepNotes(client, monitor.id, notes);
      return `Registered as ${monitor.id}`;
    };
    return [{ key: `line ${line}`, label: `line ${line}: ${notes.name || coordinateWords(draft.geo)}`, run }];
  });
}

async function keepNotes(
  client: AppClient,
  id: string,
  notes: Pick<AppMonitor, 'name' | 'tags' | 'note'>,
): Promise<void> {
  if (notes.name !== '' || notes.tags.length > 0 || notes.note !== '') await client.monitors.setNotes({ id, notes });
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
