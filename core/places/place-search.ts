// Place search for the screens: coordinates at once, names through the places' thread, which starts at the first name.
import { Worker } from 'node:worker_threads';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Place, PlaceBox } from '@rainbell/contract/app-rpc';
import type { Log } from '../ports/log.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { createCalledThread } from '../ports/called-thread.ts';
import { parseCoordinates } from './parse-coordinates.ts';
import type { PlaceFunctions } from './places-worker.ts';

export type PlaceSearch = ReturnType<typeof createPlaceSearch>;

export function createPlaceSearch({ workerUrl, log }: { workerUrl: URL; log: Log }) {
  const thread = createCalledThread<PlaceFunctions>({
    create: () =>
      new Worker(workerUrl, { name: 'places' }).on('error', (error) =>
        log.error({ err: error }, 'the places thread failed'),
      ),
    failed(message) {
      if (message !== undefined) log.error({ message }, 'the places thread failed');
      return new AppFailure('INTERNAL', 'The place search stopped. Try again.');
    },
  });
  const running = () => {
    // The thread for places must not keep the process alive.
    thread.start().unref();
    return thread;
  };

  return {
    async search(text: string, limit: number): Promise<Place[]> {
      const coordinates = parseCoordinates(text);
      if (coordinates) {
        const { lat, lng } = coordinates;
        return [{ name: `${lat}, ${lng}`, countryCode: null, lat, lng, population: null }];
      }
      if (text.trim() === '') return [];
      return running().call('search', text, limit);
    },
    async within(box: PlaceBox, limit: number): Promise<Place[]> {
      return running().call('within', box, limit);
    },
    /** The town that each location is in or near; null far from any. */
    async nearest(locations: readonly LatLng[]): Promise<(Place | null)[]> {
      if (locations.length === 0) return [];
      return running().call('nearest', locations);
    },
    close: thread.terminate,
  };
}
