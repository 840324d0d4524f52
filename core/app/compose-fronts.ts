// Wires rain fronts, which decide what notifications of monitors and of callbacks leave out, and what is kept of monitors.
import type { DatabaseSync } from 'node:sqlite';
import { toLatLng } from '@rainbell/contract/service-api';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { createFrontTracker } from '../monitors/front-tracker.ts';
import type { KnownMonitors } from '../monitors/known-monitors.ts';
import { openMonitorDocuments } from '../monitors/monitor-documents.ts';
import { createMonitorNotes } from '../monitors/monitor-notes.ts';
import type { PlaceSearch } from '../places/place-search.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { Clock } from '@rainbell/shared';

type Dependencies = {
  db: DatabaseSync;
  settings: AppSettings;
  activeConnection: ActiveConnection;
  knownMonitors: KnownMonitors;
  places: Pick<PlaceSearch, 'nearest'>;
  clock: Clock;
};

export function composeFronts({ db, settings, activeConnection, knownMonitors, places, clock }: Dependencies) {
  const monitorNotes = createMonitorNotes(db);
  const monitorDocuments = openMonitorDocuments(db);
  const connectionId = () => settings.get().selectedConnection;
  const fronts = createFrontTracker({
    clock,
    connectionId,
    locationOf(id) {
      const monitor = knownMonitors.get(activeConnection.present(), id);
      return monitor && toLatLng(monitor.geo);
    },
    tagsOf: (id) => monitorNotes.get(connectionId(), id)?.tags ?? [],
    nearest: places.nearest,
    silences: monitorDocuments.silences,
    acknowledged: monitorDocuments.acknowledged,
  });
  return { fronts, monitorDocuments, monitorNotes };
}
