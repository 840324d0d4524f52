// Entry of the thread that names places: reading 135,000 towns would delay responses noticeably.
import { parentPort } from 'node:worker_threads';
import { readAllCities } from '@rainbell/shared/node';
import type { PlacesResult, PlacesQuery } from './create-places.ts';
import { createLocator } from './locality.ts';

if (!parentPort) throw new Error('places-worker.ts runs in a worker thread only');
const port = parentPort;

const locate = createLocator(readAllCities());

port.on('message', ({ call, place }: PlacesQuery) => {
  port.postMessage({ call, location: locate(place) ?? null } satisfies PlacesResult);
});
