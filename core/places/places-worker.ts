// Entry of the thread that knows the places: loading 135,000 of them takes long enough to be felt elsewhere.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { LatLng } from '@rainbell/contract/service-api';
import { readAllCities } from '@rainbell/shared/node';
import { createPlaceIndex } from './place-index.ts';
import { createNearestPlace, largestWithin, type NearestPlace } from './nearest-place.ts';
import type { PlacesResult, PlacesQuery, Question } from './place-search.ts';

if (!parentPort) throw new Error('places-worker.ts runs in a worker thread only');
const port = parentPort;

// The build puts the file beside the built worker.
const cities = readAllCities();
const index = createPlaceIndex(cities, readFileSync(new URL('place-data.tsv.br', import.meta.url)));

let nearest: NearestPlace | undefined;

port.on('message', ({ call, ...question }: PlacesQuery) => {
  port.postMessage({ call, places: answer(question) } satisfies PlacesResult);
});

function answer(question: Question): PlacesResult['places'] {
  if ('near' in question) return findNearest(question.near);
  if ('box' in question) return largestWithin(cities, question.box, question.limit).map(index.cityPlace);
  return index.search(question.text, question.limit);
}

function findNearest(locations: readonly LatLng[]) {
  nearest ??= createNearestPlace(cities, index.cityPlace);
  return locations.map(nearest);
}
