import { userName } from '@rainbell/shared/node';
import type { Feature, Parts } from '../app/feature.ts';
import { createFronts } from './fronts.ts';

/** Rain fronts over monitors, which decide what notifications leave out. */
export function fronts(parts: Parts): Feature<'monitorFronts'> {
  const { db, events, clock, connectionId, activeConnection, knownMonitors, monitorNotes, places } = parts;
  const all = createFronts({
    db,
    clock,
    activeConnection,
    connectionId,
    user: userName() ?? 'this computer',
    locationOf: knownMonitors.placeOf,
    tagsOf: (id) => monitorNotes.get(connectionId(), id)?.tags ?? [],
    nearest: places.nearest,
  });
  parts.notified.isQuiet = all.isQuiet;
  // A front that was acknowledged grows, also while no screen shows it.
  events.on('deliveryStatesRead', () => void all.refresh().catch(() => {}));
  return {
    handlers: {
      monitorFronts: {
        list: ({ input }) => all.list(input),
        acknowledge: ({ input }) => all.acknowledge(input.id, input.note),
        silence: ({ input }) => all.silence(input),
        endSilence: ({ input }) => all.endSilence(input.id),
      },
    },
  };
}
