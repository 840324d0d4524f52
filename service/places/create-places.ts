// Names places (docs/interface.md §2.5) through a thread that starts at the first question and ends when it was idle for a
// while, because it takes 60 MB. Locations are optional on the wire, so a slow or broken thread costs an answer its location
// and never the answer.
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Location } from '#contract/service-api/weather.ts';
import { within } from '#shared/time/within.ts';

export type PlacesQuestion = { call: string; place: LatLng };
/** `null`: the place is in no country. */
export type PlacesAnswer = { call: string; location: Location | null };

export type Places = {
  /** Undefined where the place is in no country, and where no answer came within the limit; the next question may find it. */
  locate(place: LatLng): Promise<Location | undefined>;
  /** Whether `locate` has the place's name, or knows that it has none. */
  isKnown(place: LatLng): boolean;
  close(): Promise<void>;
};

export type PlacesOptions = {
  workerUrl: URL;
  log: Logger;
  /** The machine's clock: a moved one loads no thread. */
  clock: Clock;
  /** How long one question waits, for instance while the thread still loads. */
  limitMs?: number;
  idleMs?: number;
};

type Asked = { answer: Promise<Location | undefined>; settle: (location: Location | undefined) => void };

/** Almost all young objects are made while the thread loads; more room for them would stay unused from then on. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };
const maximumRemembered = 20_000;
const maximumWaiting = 2_000;

export function createPlaces({ workerUrl, log, clock, limitMs = 400, idleMs = 30_000 }: PlacesOptions): Places {
  // By exact coordinates: rounded ones would give a border town the other country's name to whoever asked second.
  const remembered = new LRUCache<string, PlacesAnswer>({ max: maximumRemembered });
  const asked = new Map<string, Asked>();
  let worker: Worker | undefined;
  let cancelEnd: CancelTimer = () => {};
  let isClosed = false;

  function stopped(thread: Worker): void {
    if (worker !== thread) return;
    worker = undefined;
    cancelEnd();
    for (const { settle } of asked.values()) settle(undefined);
    asked.clear();
  }

  function startWorker(): Worker {
    const thread = new Worker(workerUrl, { name: 'places', resourceLimits });
    thread.on('message', (answer: PlacesAnswer) => {
      remembered.set(answer.call, answer);
      asked.get(answer.call)?.settle(answer.location ?? undefined);
      asked.delete(answer.call);
      if (asked.size > 0) return;
      cancelEnd();
      cancelEnd = clock.after(idleMs, () => {
        stopped(thread);
        void thread.terminate();
      });
    });
    thread.on('error', (error) => log.warn({ err: error }, 'the places thread failed; it starts again when needed'));
    thread.once('exit', () => stopped(thread));
    // Names of places are no reason to keep the process alive.
    thread.unref();
    return thread;
  }

  function ask(call: string, place: LatLng): Promise<Location | undefined> {
    const underWay = asked.get(call);
    if (underWay) return underWay.answer;
    if (asked.size >= maximumWaiting) return Promise.resolve(undefined);
    try {
      worker ??= startWorker();
    } catch (error) {
      log.warn({ err: error }, 'the places thread could not be started');
      return Promise.resolve(undefined);
    }
    const { promise, resolve } = Promise.withResolvers<Location | undefined>();
    asked.set(call, { answer: promise, settle: resolve });
    cancelEnd();
    worker.postMessage({ call, place } satisfies PlacesQuestion);
    return promise;
  }

  return {
    async locate({ lat, lng }) {
      if (isClosed) return undefined;
      const call = `${lat},${lng}`;
      const known = remembered.get(call);
      if (known) return known.location ?? undefined;
      return within(clock, limitMs, ask(call, { lat, lng }));
    },
    isKnown: ({ lat, lng }) => remembered.has(`${lat},${lng}`),
    async close() {
      isClosed = true;
      cancelEnd();
      await worker?.terminate();
    },
  };
}
