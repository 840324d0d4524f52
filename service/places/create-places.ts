// Names places (docs/interface.md §2.5) in a thread that starts with the first request and ends when idle, because it takes 60 MB.
// Locations are optional in the API, so a slow or broken thread costs a response only its location.
import { Worker } from 'node:worker_threads';
import { createCache } from '../cache/create-cache.ts';
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, within } from '@rainbell/shared';
import type { LatLng, Location } from '@rainbell/contract/service-api';

export type PlacesQuery = { call: string; place: LatLng };
/** `null`: the place is in no country. */
export type PlacesResult = { call: string; location: Location | null };

export type Places = ReturnType<typeof createPlaces>;

export type PlacesOptions = {
  workerUrl: URL;
  log: Logger;
  /** The machine's clock: moving the service's clock must not unload the thread. */
  clock: Clock;
  /** How long one request waits, for example while the thread loads. */
  limitMs?: number;
  idleMs?: number;
};

/** Almost all short-lived objects are created while the thread loads; more room for them would stay unused later. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };
const maximumRemembered = 20_000;
const maximumWaiting = 2_000;

export function createPlaces({ workerUrl, log, clock, limitMs = 400, idleMs = 30_000 }: PlacesOptions) {
  // By exact coordinates: rounded ones could return the neighboring country for a border town.
  const remembered = createCache<string, PlacesResult>(maximumRemembered);
  const pending = new Map<string, PromiseWithResolvers<Location | undefined>>();
  let worker: Worker | undefined;
  let cancelEnd: CancelTimer = () => {};
  let isClosed = false;

  function stopped(thread: Worker): void {
    if (worker !== thread) return;
    worker = undefined;
    cancelEnd();
    for (const { resolve } of pending.values()) resolve(undefined);
    pending.clear();
  }

  function startWorker(): Worker {
    const thread = new Worker(workerUrl, { name: 'places', resourceLimits });
    thread.on('message', (result: PlacesResult) => {
      remembered.set(result.call, result);
      pending.get(result.call)?.resolve(result.location ?? undefined);
      pending.delete(result.call);
      if (pending.size > 0) return;
      cancelEnd();
      cancelEnd = clock.after(idleMs, () => {
        stopped(thread);
        void thread.terminate();
      });
    });
    thread.on('error', (error) =>
      log.warn({ err: error }, 'the places thread failed; it will be restarted when needed'),
    );
    thread.once('exit', () => stopped(thread));
    // Place names must not keep the process alive.
    thread.unref();
    return thread;
  }

  function requestLocation(call: string, place: LatLng): Promise<Location | undefined> {
    const underWay = pending.get(call);
    if (underWay) return underWay.promise;
    if (pending.size >= maximumWaiting) return Promise.resolve(undefined);
    try {
      worker ??= startWorker();
    } catch (error) {
      log.warn({ err: error }, 'the places thread could not be started');
      return Promise.resolve(undefined);
    }
    const started = Promise.withResolvers<Location | undefined>();
    pending.set(call, started);
    cancelEnd();
    worker.postMessage({ call, place } satisfies PlacesQuery);
    return started.promise;
  }

  return {
    /** Returns undefined if the place is in no country, or the limit expires; the next call may succeed. */
    async locate({ lat, lng }: LatLng): Promise<Location | undefined> {
      if (isClosed) return undefined;
      const call = `${lat},${lng}`;
      const known = remembered.get(call);
      if (known) return known.location ?? undefined;
      return within(clock, limitMs, requestLocation(call, { lat, lng }));
    },
    /** Whether `locate` has cached the place's name, or that it has none. */
    isKnown: ({ lat, lng }: LatLng) => remembered.has(`${lat},${lng}`),
    async close() {
      isClosed = true;
      cancelEnd();
      await worker?.terminate();
    },
  };
}
