// Loaded into a watched process by `--import`, so also into each of its threads: every few seconds each thread collects its
// garbage and reports its heap and how late its event loop was. Threads report to the main thread, which reports to the soak.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, threadId, threadName } from 'node:worker_threads';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { probeChannel, type ThreadSample } from './sample.ts';

const everyMs = 5_000;
const nanosecondsPerMs = 1e6;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const channel = new BroadcastChannel(probeChannel);
if (isMainThread) channel.onmessage = ({ data }) => process.send?.(data);
channel.unref();

setInterval(() => {
  // Read before the collection, which itself holds the loop up.
  const loopDelayP99Ms = delay.percentile(99) / nanosecondsPerMs;
  collectGarbage();
  delay.reset();
  const thread = isMainThread ? 'main' : threadName || `thread ${threadId}`;
  const sample: ThreadSample = { thread, heapBytes: process.memoryUsage().heapUsed, loopDelayP99Ms };
  if (isMainThread) process.send?.(sample);
  else channel.postMessage(sample);
}, everyMs).unref();
// The soak's own channel must not keep the process alive.
process.channel?.unref();
