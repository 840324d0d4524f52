// What each task of an action on many does, and how it is undone.
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { Deliveries } from './deliveries.ts';
import type { CarryOut } from './bulk-runs.ts';
import type { Monitors } from './monitors.ts';
import type { MonitorNotesStore } from './monitor-notes.ts';
import { noNotes } from './monitor-notes.ts';

type Dependencies = {
  monitors: Pick<Monitors, 'create' | 'update' | 'known' | 'paced'>;
  deliveries: Pick<Deliveries, 'sendTest'>;
  notes: MonitorNotesStore;
};

export function createCarryOut({ monitors, deliveries, notes }: Dependencies): CarryOut {
  return async (connection, task): Promise<BulkTask | undefined> => {
    switch (task.kind) {
      case 'create':
        await monitors.create(task, { connection });
        return undefined;
      case 'update': {
        const before = monitors.known(task.id);
        const { geo, callback } = task.changes;
        const changes = { ...(geo && { geo }), ...(callback && { callback }) };
        await monitors.update(task.id, changes, { readBack: false, connection });
        return before && inverseUpdate(task, before);
      }
      case 'notes': {
        const { id } = task;
        const before = notes.get(connection.profile.id, id) ?? noNotes;
        notes.set(connection.profile.id, id, task.notes);
        return { kind: 'notes', id, notes: before };
      }
      case 'test':
        await monitors.paced(connection, () => deliveries.sendTest(task.id));
        return undefined;
    }
  };
}

/** Undefined if an earlier URL is unknown, since the service did not return it. */
function inverseUpdate(
  { id, changes }: BulkTask & { kind: 'update' },
  before: NonNullable<ReturnType<Monitors['known']>>,
): BulkTask | undefined {
  if (changes.callback && before.callbackUri === null) return undefined;
  return {
    kind: 'update',
    id,
    changes: {
      ...(changes.geo && { geo: before.geo }),
      ...(changes.callback && { callback: { kind: 'address', uri: before.callbackUri ?? '' } }),
    },
  };
}
