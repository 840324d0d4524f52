// Place search for the screens: coordinates at once, names through the places' thread, which starts at the first name.
import { Worker } from 'node:worker_threads';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Place, PlaceBox } from '@rainbell/contract/app-rpc';
import type { Log } from '../ports/log.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { parseCoordinates } from './parse-coordinates.ts';

export type Question = { text: string; limit: number } | { near: readonly LatLng[] } | { box: PlaceBox; limit: number };
export type PlacesQuery = Question & { call: number };
/** A place per location for `near`, undefined far from any; otherwise what the text finds. */
export type PlacesResult = { call: number; places: (Place | undefined)[] };

export type PlaceSearch = ReturnType<typeof createPlaceSearch>;

type Waiting = { resolve: (places: PlacesResult['places']) => void; reject: (error: Error) => void };

export function createPlaceSearch({ workerUrl, log }: { workerUrl: URL; log: Log }) {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let calls = 0;

  function startWorker(): Worker {
    const started = new Worker(workerUrl, { name: 'places' });
    started.on('message', ({ call, places }: PlacesResult) => {
      waiting.get(call)?.resolve(places);
      waiting.delete(call);
    });
    started.on('error', (error) => log.error({ err: error }, 'the places thread failed'));
    started.once('exit', () => {
      worker = undefined;
      for (const call of waiting.values())
        call.reject(new AppFailure('INTERNAL', 'The place search stopped. Try again.'));
      waiting.clear();
    });
    // The thread for places must not keep the process alive.
    started.unref();
    return started;
  }

  function lookUp(question: Question): Promise<PlacesResult['places']> {
    worker ??= startWorker();
    const thread = worker;
    calls += 1;
    const call = calls;
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      thread.postMessage({ ...question, call } satisfies PlacesQuery);
    });
  }

  return {
    async search(text: string, limit: number): Promise<Place[]> {
      const coordinates = parseCoordinates(text);
      if (coordinates) {
        const { lat, lng } = coordinates;
        return [{ name: `${lat}, ${lng}`, countryCode: null, lat, lng, population: null }];
      }
      if (text.trim() === '') return [];
      return (await lookUp({ text, limit })).filter((place) => place !== undefined);
    },
    async within(box: PlaceBox, limit: number): Promise<Place[]> {
      return (await lookUp({ box, limit })).filter((place) => place !== undefined);
    },
    /** The town that each location is in or near; null far from any. */
    async nearest(locations: readonly LatLng[]): Promise<(Place | null)[]> {
      if (locations.length === 0) return [];
      return (await lookUp({ near: locations })).map((place) => place ?? null);
    },
    async close() {
      await worker?.terminate();
    },
  };
}
