import { toLatLng } from '@rainbell/contract/service-api';
import type { Feature, Parts } from '../app/feature.ts';
import { openFrontDocuments } from './front-documents.ts';
import { createFrontTracker } from './front-tracker.ts';

/** Rain fronts over monitors, which decide what notifications leave out. */
export function fronts(parts: Parts): Feature<'monitorFronts'> {
  const { db, events, clock, connectionId, activeConnection, knownMonitors, monitorNotes, places } = parts;
  const remarks: string[] = [];
  const { silences, acknowledged } = openFrontDocuments(db, remarks);
  const tracker = createFrontTracker({
    clock,
    connectionId,
    locationOf(id) {
      const monitor = knownMonitors.get(activeConnection.present(), id);
      return monitor && toLatLng(monitor.geo);
    },
    tagsOf: (id) => monitorNotes.get(connectionId(), id)?.tags ?? [],
    nearest: places.nearest,
    silences,
    acknowledged,
  });
  Object.assign(parts.notified, { isQuiet: tracker.isQuiet, filter: tracker.filter });
  // Before the watch over deliveries, which uses them to group monitors.
  events.prependListener('deliveryStatesRead', tracker.note);
  return {
    handlers: {
      monitorFronts: {
        list: tracker.list,
        acknowledge: ({ input }) => tracker.acknowledge(input.id, input.note),
        replaceSilences: ({ input }) => silences.replace(input.silences),
      },
    },
    remarks: () => remarks,
  };
}
