// The actions on many monitors, the tasks of each, and what each task would do, for the preview.
import type { AppMonitor, BulkTask } from '@rainbell/contract/app-rpc';
import { distanceKm, type Rain } from '@rainbell/contract/service-api';
import { plural } from '@rainbell/shared';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import type { PlannedRow } from '@rainbell/contract/monitor-files';

const titles = {
  callback: ['Set the callback URL for # monitor', 'Set the callback URL for # monitors'],
  tags: ['Change the tags for # monitor', 'Change the tags for # monitors'],
  test: ['Send a test event for # monitor', 'Send a test event for # monitors'],
  pause: ['Pause # monitor', 'Pause # monitors'],
  resume: ['Resume # monitor', 'Resume # monitors'],
  rain: ['Make it rain near # monitor', 'Make it rain near # monitors'],
} as const;
export type BulkAction = keyof typeof titles;

/** The title of an action and its button: `Move 3 monitors`. */
export function bulkTitle(action: BulkAction, count: number): string {
  return plural(count, titles[action]);
}

/** One line of the preview. `before` and `after` are empty if nothing is compared. */
export type PreviewLine = { id: string; label: string; before: string; after: string };

/** Only of the monitors that it changes. */
export function tagTasks(
  monitors: readonly AppMonitor[],
  add: readonly string[],
  remove: readonly string[],
): BulkTask[] {
  return monitors.flatMap(({ id, name, tags, note }) => {
    const remaining = [...tags, ...add].filter((tag) => !remove.includes(tag));
    const changed = [...new Set(remaining)].slice(0, 30);
    if (changed.join('\n') === tags.join('\n')) return [];
    return [{ kind: 'notes' as const, id, notes: { name, tags: changed, note } }];
  });
}

/** A monitor this far from a center is still well inside its rain, which has a radius of 30 km. */
const coveredKm = 25;

/** One scenario for monitors that are close together. */
export function rainTasks(monitors: readonly AppMonitor[], rain: Rain): BulkTask[] {
  const areas: { center: AppMonitor; count: number }[] = [];
  for (const monitor of monitors) {
    const area = areas.find(({ center }) => distanceKm(center.geo, monitor.geo) <= coveredKm);
    if (area) area.count += 1;
    else areas.push({ center: monitor, count: 1 });
  }
  return areas.map(({ center, count }) => ({
    kind: 'rain',
    label: count === 1 ? labelOf(center) : `${labelOf(center)} and ${(count - 1).toLocaleString('en')} nearby`,
    center: center.geo,
    rain,
  }));
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
    if ('label' in task) return { id: `rain-${index}`, label: task.label, before: '', after: '' };
    const { id } = task;
    const monitor = byId.get(id);
    const label = monitor ? labelOf(monitor) : id;
    if (monitor && task.kind === 'notes') {
      const textOf = (tags: readonly string[]) => tags.join('; ') || '(none)';
      return { id, label, before: textOf(monitor.tags), after: textOf(task.notes.tags) };
    }
    if (!monitor || task.kind !== 'callback') return { id, label, before: '', after: '' };
    const after = task.callback.kind === 'address' ? task.callback.uri : 'this app';
    return { id, label, before: monitor.callbackUri ?? '(not returned by the service)', after };
  });
}

/** As results and previews name a monitor. */
export function labelOf({ id, name }: Pick<AppMonitor, 'id' | 'name'>): string {
  return name === '' ? id : `${name} (${id})`;
}
