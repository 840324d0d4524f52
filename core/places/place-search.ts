// Place search for the screens: coordinates at once, names through the places' thread, which starts at the first name.
import { Worker } from 'node:worker_threads';
import type { Place } from '#contract/app-rpc/places.ts';
import type { Log } from '#core/ports/log.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { parseCoordinates } from './coordinates-text.ts';

export type PlacesQuestion = { call: number; text: string; limit: number };
export type PlacesAnswer = { call: number; places: Place[] };

export type PlaceSearch = {
  search: (text: string, limit: number) => Promise<Place[]>;
  close: () => Promise<void>;
};

type Waiting = { resolve: (places: Place[]) => void; reject: (error: Error) => void };

export function createPlaceSearch({ workerUrl, log }: { workerUrl: URL; log: Log }): PlaceSearch {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let calls = 0;

  function startWorker(): Worker {
    const started = new Worker(workerUrl, { name: 'places' });
    started.on('message', ({ call, places }: PlacesAnswer) => {
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
    // Places are no reason to keep the process alive.
    started.unref();
    return started;
  }

  return {
    async search(text, limit) {
      const coordinates = parseCoordinates(text);
      if (coordinates) {
        const { lat, lng } = coordinates;
        return [{ name: `${lat}, ${lng}`, countryCode: null, lat, lng, population: null }];
      }
      if (text.trim() === '') return [];
      worker ??= startWorker();
      const thread = worker;
      calls += 1;
      const call = calls;
      return new Promise((resolve, reject) => {
        waiting.set(call, { resolve, reject });
        thread.postMessage({ call, text, limit } satisfies PlacesQuestion);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
