// Wires rain fronts, which decide what notifications of monitors and of callbacks leave out, and what is kept of monitors.
import type { DatabaseSync } from 'node:sqlite';
import { toLatLng } from '#contract/service-api/geo.ts';
import type { ActiveConnection } from '#core/connection/active-connection.ts';
import { createFrontTracker } from '#core/monitors/front-tracker.ts';
import type { KnownMonitors } from '#core/monitors/known-monitors.ts';
import { openMonitorDocuments } from '#core/monitors/monitor-documents.ts';
import { createMonitorNotes } from '#core/monitors/monitor-notes.ts';
import type { PlaceSearch } from '#core/places/place-search.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import type { Clock } from '#shared/time/clock.ts';

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
