// The tasks of an action on many monitors, and what each would do, for the preview.
import type { LatLng } from '@rainbell/contract/service-api';
import type { AppMonitor, BulkTask, CallbackTarget, MonitorNotes } from '@rainbell/contract/app-rpc';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import type { PlannedRow } from '@rainbell/contract/monitor-files';

/** The same for all, or one for each. */
export type CallbackChoice = CallbackTarget | ((monitor: AppMonitor) => CallbackTarget);

/** How names, tags, and notes change; undefined leaves one alone. */
export type NotesChange = { addTags?: readonly string[]; removeTags?: readonly string[]; note?: string };

/** One line of the preview. `before` and `after` are empty if nothing is compared. */
export type PreviewLine = { id: string; label: string; before: string; after: string };

export function callbackTasks(monitors: readonly AppMonitor[], callback: CallbackChoice): BulkTask[] {
  return monitors.map((monitor) => ({
    kind: 'update',
    id: monitor.id,
    changes: { callback: typeof callback === 'function' ? callback(monitor) : callback },
  }));
}

export function moveTasks(monitors: readonly AppMonitor[], by: LatLng): BulkTask[] {
  return monitors.map(({ id, geo }) => ({ kind: 'update', id, changes: { geo: movedBy(geo, by) } }));
}

/** `instead`: the callback URL for copies of monitors whose URL the service did not return. */
export function duplicateTasks(monitors: readonly AppMonitor[], by: LatLng, instead: CallbackTarget): BulkTask[] {
  return monitors.map((monitor) => {
    const { callbackUri, geo, name, tags, note, options } = monitor;
    const callback: CallbackTarget = callbackUri === null ? instead : { kind: 'address', uri: callbackUri };
    const notes = { name, tags, note };
    return { kind: 'create', label: `Copy of ${labelOf(monitor)}`, geo: movedBy(geo, by), callback, options, notes };
  });
}

/** Only of the monitors that the change changes. */
export function notesTasks(monitors: readonly AppMonitor[], change: NotesChange): BulkTask[] {
  return monitors.flatMap((monitor) => {
    const notes = changedNotes(monitor, change);
    const isSame = notes.note === monitor.note && notes.tags.join('\n') === monitor.tags.join('\n');
    return isSame ? [] : [{ kind: 'notes' as const, id: monitor.id, notes }];
  });
}

export function testTasks(monitors: readonly AppMonitor[]): BulkTask[] {
  return monitors.map(({ id }) => ({ kind: 'test', id }));
}

export function deliveryTasks(monitors: readonly AppMonitor[], isOn: boolean): BulkTask[] {
  return monitors.map(({ id }) => ({ kind: 'delivery', id, isOn }));
}

export function importTasks(rows: readonly PlannedRow[]): BulkTask[] {
  return rows.flatMap((row) => {
    if (row.kind !== 'create') return [];
    const { draft, notes, line } = row;
    const label = `line ${line}: ${notes.name || formatCoordinates(draft.geo)}`;
    return [{ kind: 'create' as const, label, ...draft, notes }];
  });
}

/** What the tasks change, monitor by monitor. */
export function previewOf(monitors: readonly AppMonitor[], tasks: readonly BulkTask[]): readonly PreviewLine[] {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return tasks.map((task, index) => {
    if (task.kind === 'create')
      return { id: `create-${index}`, label: task.label, before: '', after: formatCoordinates(task.geo) };
    if ('label' in task) return { id: `rain-${index}`, label: task.label, before: '', after: '' };
    const monitor = byId.get(task.id);
    const label = monitor ? labelOf(monitor) : task.id;
    if (!monitor || task.kind === 'test' || task.kind === 'delivery')
      return { id: task.id, label, before: '', after: '' };
    if (task.kind === 'notes') {
      const textOf = ({ tags, note }: Pick<MonitorNotes, 'tags' | 'note'>) =>
        [tags.join('; '), note.slice(0, 80)].filter((part) => part !== '').join(' · ') || '(none)';
      return { id: task.id, label, before: textOf(monitor), after: textOf(task.notes) };
    }
    const { geo, callback } = task.changes;
    if (geo) return { id: task.id, label, before: formatCoordinates(monitor.geo), after: formatCoordinates(geo) };
    const after = callback?.kind === 'address' ? callback.uri : 'this app';
    return { id: task.id, label, before: monitor.callbackUri ?? '(not returned by the service)', after };
  });
}

function changedNotes({ name, tags, note }: AppMonitor, change: NotesChange): MonitorNotes {
  const removed = new Set(change.removeTags);
  const remaining = [...tags, ...(change.addTags ?? [])].filter((tag) => !removed.has(tag));
  return { name, tags: [...new Set(remaining)].slice(0, 30), note: change.note ?? note };
}

/** As results and previews name a monitor. */
export function labelOf({ id, name }: Pick<AppMonitor, 'id' | 'name'>): string {
  return name === '' ? id : `${name} (${id})`;
}

/** Stays on the globe: latitudes end at the poles, longitudes go round. Seven decimals are a centimeter. */
export function movedBy({ lat, lng }: LatLng, by: LatLng): LatLng {
  const north = Math.max(-90, Math.min(90, lat + by.lat));
  const east = lng + by.lng;
  const around = Math.abs(east) <= 180 ? east : ((((east + 180) % 360) + 360) % 360) - 180;
  const rounded = (value: number) => Number(value.toFixed(7)) + 0;
  return { lat: rounded(north), lng: rounded(around) };
}
