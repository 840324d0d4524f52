// Finds monitors by location and callback URL, both by their meaning: a service may return either in another form than the one it
// received.
import { normalUrl } from '#shared/network/same-url.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { isSamePlace, type LatLng } from '#contract/service-api/geo.ts';

/** Stands for this app's receiver in place of a URL. */
export const thisApp = 'this-app';

/** Of a grid that is coarser than the tolerance: the same place is in the same cell or a neighboring one. */
const cellsPerDegree = 1000;
const neighbors = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => [north, east] as const));

export class MonitorIndex {
  readonly #cells = new Map<string, { geo: LatLng; id: string }[]>();

  constructor(monitors: Iterable<AppMonitor>) {
    for (const { id, geo, callbackUri, toThisApp } of monitors) {
      this.add(geo, callbackUri, id);
      if (toThisApp) this.add(geo, thisApp, id);
    }
  }

  /** `uri`: null if the service did not return it. */
  add(geo: LatLng, uri: string | null, id: string): void {
    const key = keyOf(...cellOf(geo), uri);
    const cell = this.#cells.get(key);
    if (cell) cell.push({ geo, id });
    else this.#cells.set(key, [{ geo, id }]);
  }

  /** Those at the same place with the same URL. */
  *find(geo: LatLng, uri: string | null): Generator<string, undefined> {
    const [row, column] = cellOf(geo);
    for (const [north, east] of neighbors) {
      for (const entry of this.#cells.get(keyOf(row + north, column + east, uri)) ?? [])
        if (isSamePlace(entry.geo, geo)) yield entry.id;
    }
    return undefined;
  }
}

function cellOf({ lat, lng }: LatLng): [number, number] {
  return [Math.round(lat * cellsPerDegree), Math.round(lng * cellsPerDegree)];
}

/** ±180 degrees are the same meridian. */
function keyOf(row: number, column: number, uri: string | null): string {
  const around = 360 * cellsPerDegree;
  return `${row} ${((column % around) + around) % around} ${uri === null ? '' : normalUrl(uri)}`;
}
