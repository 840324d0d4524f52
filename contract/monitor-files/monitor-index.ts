// Finds monitors by the meaning of location and URL: a service may return either in another form than the one it received.
import { normalUrl } from '@rainbell/shared';
import type { AppMonitor } from '../app-rpc/monitors.ts';
import type { MonitorOptions } from '../service-api/rain-event.ts';
import { isSamePlace, type LatLng, sameDegrees } from '../service-api/geo.ts';

/** Stands for this app's receiver in place of a URL. */
export const thisApp = 'this-app';

export class MonitorIndex {
  readonly #cells = new Map<string, { geo: LatLng; id: string }[]>();

  constructor(monitors: Iterable<AppMonitor>) {
    for (const { id, geo, callbackUri, toThisApp, options } of monitors) {
      this.add(geo, callbackUri, id, options);
      if (toThisApp) this.add(geo, thisApp, id, options);
    }
  }

  /** `uri`: null if the service did not return it. */
  add(geo: LatLng, uri: string | null, id: string, options?: MonitorOptions): void {
    const key = keyOf(cellOf(geo.lat), cellOf(geo.lng), callbackKey(uri, options));
    const cell = this.#cells.get(key);
    if (cell) cell.push({ geo, id });
    else this.#cells.set(key, [{ geo, id }]);
  }

  /** Those at the same place with the same URL and options. */
  *find(geo: LatLng, uri: string | null, options?: MonitorOptions): Generator<string, undefined> {
    const url = callbackKey(uri, options);
    for (const row of cellsAround(geo.lat)) {
      for (const column of cellsAround(geo.lng)) {
        for (const entry of this.#cells.get(keyOf(row, column, url)) ?? [])
          if (isSamePlace(entry.geo, geo)) yield entry.id;
      }
    }
    return undefined;
  }
}

/** Several monitors may send different events of one place to one URL. */
function callbackKey(uri: string | null, { payload, events, conditions }: MonitorOptions = {}): string {
  const url = normalUrl(uri ?? '');
  if (payload === undefined || payload === 'monitor') return url;
  const members = [events ?? [], Object.entries(conditions ?? {}).map(String)].map((each) =>
    each.toSorted((one, other) => (one < other ? -1 : 1)),
  );
  return `${url} ${payload} ${JSON.stringify(members)}`;
}

function cellOf(degrees: number): number {
  return Math.round(degrees * 1000);
}

/** The cells that the same place may be in: one, or two near a border. */
function cellsAround(degrees: number): Set<number> {
  return new Set([cellOf(degrees - sameDegrees), cellOf(degrees + sameDegrees)]);
}

/** ±180 degrees are the same meridian. */
function keyOf(row: number, column: number, url: string): string {
  return `${row} ${(column + 360_000) % 360_000} ${url}`;
}
