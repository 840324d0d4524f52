// How Node runs the headless host, for `npm run headless` and for the benchmarks of it.
/**
 * With V8's usual 1 MB for young objects, collections interrupt the start, with 16 MB still one of 20 ms; `idle-memory.mjs` returns what the start took. One helper
 * thread of V8 is enough for three threads that are seldom busy at once, and takes 4 MB less than four.
 */
export const headlessFlags = /** @type {const} */ ([
  '--min-semi-space-size=32',
  '--v8-pool-size=1',
  '--import',
  // As a URL: a path with #, ?, or % would be read as one.
  new URL('idle-memory.mjs', import.meta.url).href,
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
