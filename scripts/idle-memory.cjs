// Loaded into each thread of the headless host: gives memory back once the thread is idle. V8 collects only while a thread
// allocates, so without this the room that the start took stays taken for as long as the app runs.

/** Long enough not to delay work, and over within a minute of the start. */
const intervalMs = 20_000;
const idleShare = 0.02;
/** A collection takes 20 to 70 ms, so it has to be worth it. */
const minGrowth = 8 * 2 ** 20;

let before = performance.eventLoopUtilization();
/** The size of the heap after the last collection. */
let released = 0;

setInterval(() => void look(), intervalMs).unref();

async function look() {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, before);
  before = now;
  if (utilization > idleShare || heapSize() < released + minGrowth) return;
  // Also drops compiled code that is not in use.
  await findCollector()?.({ type: 'major', flavor: 'last-resort', execution: 'async' });
  released = heapSize();
}

/**
 * Returns V8's function for a collection, or undefined while another thread looks for it. With `--expose-gc` as an option of the process, V8
 * would reject the code that comes with Node for its own modules, which costs each thread's start 12 ms. The option is reset because
 * V8 also rejects code that it kept under other options.
 * @returns {typeof globalThis.gc}
 */
function findCollector() {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  /** @type {typeof globalThis.gc} */
  const collect = process.getBuiltinModule('node:vm').runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}

function heapSize() {
  // Loaded late, because it would take 2 ms of each thread's start.
  return process.getBuiltinModule('node:v8').getHeapStatistics().total_physical_size;
}

module.exports = { findCollector };
