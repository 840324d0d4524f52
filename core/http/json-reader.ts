// Reads the JSON of responses: short ones at once, long ones in a thread, so that they never block the app. At most two
// threads run at a time, each for one response, whose size and values are bounded (response-limits.ts, read-json.ts).
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { limitParallel } from './limit-parallel.ts';
import { type JsonBounds, type JsonOutcome, readJsonText } from './read-json.ts';

export type JsonJob = { bytes: Uint8Array; bounds: JsonBounds };

export type JsonReader = ReturnType<typeof createJsonReader>;

const maxThreads = 2;
/** Longest body that is read at once, which takes a few milliseconds. */
const inlineBytes = 256 * 1024;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** `workerUrl`: the entry of the thread (json-worker.ts); a bundle has it elsewhere. */
export function createJsonReader(workerUrl: URL) {
  const inTurn = limitParallel(maxThreads);

  async function inThread(job: JsonJob): Promise<JsonOutcome> {
    const worker = new Worker(workerUrl, { workerData: job, name: 'json', resourceLimits });
    // An abandoned response must not keep the process alive.
    worker.unref();
    try {
      const [outcome] = (await once(worker, 'message')) as [JsonOutcome];
      return outcome;
    } finally {
      await worker.terminate();
    }
  }

  return {
    async read(body: Buffer, bounds: JsonBounds): Promise<JsonOutcome> {
      if (body.length <= inlineBytes) return readJsonText(body.toString('utf8'), bounds);
      return inTurn(() => inThread({ bytes: body, bounds }));
    },
  };
}
