// How Node runs the headless host, for `npm run headless` and for the benchmarks of it.
import { fileURLToPath } from 'node:url';

/**
 * With V8's usual 1 MB for young objects, collections interrupt the start, with 16 MB still one of 20 ms; `idle-memory.cjs` returns what the start took. One helper
 * thread of V8 is enough for three threads that are seldom busy at once, and takes 4 MB less than four.
 */
export const headlessFlags = /** @type {const} */ ([
  '--min-semi-space-size=32',
  '--v8-pool-size=1',
  // With `--import`, Node would load its loader of ES modules in each thread.
  '--require',
  fileURLToPath(new URL('idle-memory.cjs', import.meta.url)),
]);

/**
 * glibc gives each thread an arena of its own and returns pages late: two arenas for all threads, and a fixed threshold for returning
 * them. Other C libraries ignore both.
 * @type {Readonly<Record<string, string>>}
 */
export const headlessEnvironment = {
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
  MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'] ?? '131072',
};
