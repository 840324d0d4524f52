// Work in a thread of its own, so that the caller's own does not slow it down: it runs until it is stopped, then reports what it saw.
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Starts the module, which calls `runInThread`, at once. */
export function startThread<Result>(module: string, task: unknown): { stop: () => Promise<Result> } {
  const thread = new Worker(new URL(module), { workerData: task });
  const ended = once(thread, 'message');
  return {
    async stop() {
      thread.postMessage('stop');
      const [result] = (await ended) as [Result];
      return result;
    },
  };
}

/** Does nothing in the main thread. */
export async function runInThread<Task>(run: (task: Task, stopped: AbortSignal) => Promise<unknown>): Promise<void> {
  if (!parentPort) return;
  const stopping = new AbortController();
  parentPort.once('message', () => stopping.abort());
  parentPort.postMessage(await run(workerData as Task, stopping.signal));
}
