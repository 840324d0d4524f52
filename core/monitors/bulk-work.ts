// What each task of an action on many does, and how it is undone.
import type { LatLng, Rain } from '@rainbell/contract/service-api';
import type { Clock } from '@rainbell/shared';
import type { BulkTask } from '@rainbell/contract/app-rpc';
import type { Connection } from '../connection/connection.ts';
import type { Deliveries } from './deliveries.ts';
import type { Monitors } from './monitors.ts';
import type { MonitorNotesStore } from './monitor-notes.ts';
import { noNotes } from './monitor-notes.ts';
import { createWritePace } from './write-pace.ts';

export type BulkWork = ReturnType<typeof createBulkWork>;

type Dependencies = {
  monitors: Pick<Monitors, 'create' | 'update' | 'knownUrl' | 'paced'>;
  deliveries: Pick<Deliveries, 'sendTest' | 'setOn' | 'resend'>;
  notes: MonitorNotesStore;
  clock: Clock;
  /** The sandbox's rain; `start` returns the ID of its scenario. */
  rain: {
    start: (center: LatLng, rain: Rain) => Promise<string | undefined>;
    end: (scenarioId: string) => Promise<unknown>;
  };
};

/** Resends go one after another with this pause, to spare the receivers. */
const resendPauseMs = 200;

export function createBulkWork({ monitors, deliveries, notes, clock, rain }: Dependencies) {
  const resendPace = createWritePace(clock, () => ({ atOnce: 1, perSecond: Infinity }));
  return {
    /** The task that undoes this one, from what is known before it is sent; undefined if nothing does, or if that shows later. */
    inverseOf(connection: Connection, task: BulkTask): BulkTask | undefined {
      if (task.kind === 'callback') {
        // An earlier URL is unknown if the service did not return it.
        const uri = monitors.knownUrl(task.id);
        return uri === undefined ? undefined : { ...task, callback: { kind: 'address', uri } };
      }
      if (task.kind === 'delivery') return { ...task, isOn: !task.isOn };
      if (task.kind !== 'notes') return undefined;
      return { ...task, notes: notes.get(connection.profile.id, task.id) ?? noNotes };
    },
    /** Whether a task needs no request; `save` carries such tasks out, all at once. */
    isLocal: ({ kind }: BulkTask): boolean => kind === 'notes',
    save({ profile }: Connection, tasks: readonly BulkTask[]): void {
      const written = tasks.flatMap((task) => (task.kind === 'notes' ? [[task.id, task.notes] as const] : []));
      notes.setAll(profile.id, new Map(written));
    },
    /** Sends a task, and returns what undoes it if only the response says so. */
    async send(connection: Connection, task: BulkTask): Promise<BulkTask | undefined> {
      switch (task.kind) {
        case 'create':
          await monitors.create(task, { connection });
          return undefined;
        case 'callback':
          await monitors.update(task.id, { callback: task.callback }, { readBack: false, connection });
          return undefined;
        case 'test':
          await monitors.paced(connection, () => deliveries.sendTest(task.id));
          return undefined;
        case 'delivery':
          await monitors.paced(connection, () => deliveries.setOn(task.id, task.isOn));
          return undefined;
        case 'resend':
          await resendPace(async () => {
            if (task.turnsOn) await deliveries.setOn(task.id, true);
            await deliveries.resend(task.id, task.eventId);
            await new Promise<void>((resolve) => void clock.after(resendPauseMs, resolve));
          });
          return undefined;
        case 'rain': {
          const { label, center } = task;
          const id = await monitors.paced(connection, () => rain.start(center, task.rain));
          return id === undefined ? undefined : { kind: 'end-rain', label, scenarioId: id };
        }
        case 'end-rain':
          await monitors.paced(connection, () => rain.end(task.scenarioId));
          return undefined;
        case 'notes':
          // Carried out by `save`.
          return undefined;
      }
    },
  };
}
