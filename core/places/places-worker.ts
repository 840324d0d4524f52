// Entry of the thread that knows the places: loading 135,000 of them takes long enough to be felt elsewhere.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { readAllCities } from '#storage/cities.ts';
import { createPlaceIndex } from './place-index.ts';
import type { PlacesAnswer, PlacesQuestion } from './place-search.ts';

if (!parentPort) throw new Error('places-worker.ts runs in a worker thread only');
const port = parentPort;

// The build puts the file beside the built worker.
const index = createPlaceIndex(readAllCities(), readFileSync(new URL('place-data.tsv.br', import.meta.url)));

port.on('message', ({ call, text, limit }: PlacesQuestion) => {
  port.postMessage({ call, places: index.search(text, limit) } satisfies PlacesAnswer);
});
