// Reads the JSON of responses: short ones at once, long ones in a thread, so that they never block the app. At most two
// threads run at a time, each for one response and no longer than its deadline.
import { Worker } from 'node:worker_threads';
import type { Clock } from '@rainbell/shared';
import { limitParallel } from './limit-parallel.ts';
import { type JsonBounds, type JsonOutcome, readJsonText } from './read-json.ts';

export type JsonJob = { bytes: Uint8Array; bounds: JsonBounds };

export type JsonReader = ReturnType<typeof createJsonReader>;

type Options = {
  /** Entry of the thread (json-worker.ts); a bundle has it elsewhere. */
  workerUrl: URL;
  clock: Clock;
  deadlineMs?: number;
};

const maxThreads = 2;
/** Longest body that is read at once, which takes a few milliseconds. */
const inlineBytes = 256 * 1024;
const defaultDeadlineMs = 10_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

type Outcome = Awaited<ReturnType<JsonReader['read']>>;

function outcomeOf(worker: Worker, startDeadline: (expired: () => void) => void): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    startDeadline(() => resolve({ ok: false, reason: 'deadline' }));
    worker.once('message', (outcome: JsonOutcome) => resolve(outcome));
    worker.once('messageerror', reject);
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ ok: false, reason: 'memory' });
      else reject(error);
    });
  });
}

export function createJsonReader({ workerUrl, clock, deadlineMs = defaultDeadlineMs }: Options) {
  const inTurn = limitParallel(maxThreads);

  async function inThread(job: JsonJob): Promise<Outcome> {
    let cancelDeadline = () => {};
    let worker: Worker | undefined;
    try {
      worker = new Worker(workerUrl, { workerData: job, name: 'json', resourceLimits });
      // An abandoned response must not keep the process alive.
      worker.unref();
      return await outcomeOf(worker, (expired) => {
        cancelDeadline = clock.after(deadlineMs, expired);
      });
    } finally {
      cancelDeadline();
      await worker?.terminate();
    }
  }

  return {
    /** `deadline` and `memory` are the reasons for which a thread is stopped. */
    async read(body: Buffer, bounds: JsonBounds): Promise<JsonOutcome | { ok: false; reason: 'deadline' | 'memory' }> {
      if (body.length <= inlineBytes) return readJsonText(body.toString('utf8'), bounds);
      return inTurn(() => inThread({ bytes: body, bounds }));
    },
  };
}
