// Entry of the thread that knows the places: loading 135,000 of them takes long enough to be felt elsewhere.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Place, PlaceBox } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { readAllCities } from '@rainbell/shared/node';
import { serveCalls } from '../ports/called-thread.ts';
import { createPlaceIndex } from './place-index.ts';
import { createNearestPlace, largestWithin, type NearestPlace } from './nearest-place.ts';

if (!parentPort) throw new Error('places-worker.ts runs in a worker thread only');

// The build puts the file beside the built worker.
const cities = readAllCities();
const index = createPlaceIndex(cities, readFileSync(new URL('place-data.tsv.br', import.meta.url)));
let nearestPlace: NearestPlace | undefined;

export type PlaceFunctions = typeof functions;

const functions = {
  search: index.search,
  /** The largest first. */
  within: (box: PlaceBox, limit: number): Place[] => largestWithin(cities, box, limit).map(index.cityPlace),
  nearest(locations: readonly LatLng[]): (Place | null)[] {
    const find = (nearestPlace ??= createNearestPlace(cities, index.cityPlace));
    return locations.map((location) => find(location) ?? null);
  },
};
serveCalls(parentPort, functions);
