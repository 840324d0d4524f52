// The host's side of the service's thread: starts it, starts it anew when it ends unasked, and tells in words what is.
import { Worker } from 'node:worker_threads';
import type { AppProblem } from '#contract/app-errors.ts';
import type { Clock } from '#contract/clock.ts';
import type { ServiceIntroduction } from '#contract/sandbox.ts';
import type { Log } from '#core/log.ts';
import type { FromServiceWorker, ServiceWorkerData, ToServiceWorker } from './service-messages.ts';

export type ServiceThread = { close: () => Promise<void> };

type Options = {
  workerUrl: URL;
  workerData: ServiceWorkerData;
  clock: Clock;
  log: Log;
  onReady: (introduction: ServiceIntroduction) => void;
  onFailed: (problem: AppProblem) => void;
};

const restartDelaysMs = [1000, 5000, 30_000];
const longestCloseMs = 5000;

export function startServiceThread(options: Options): ServiceThread {
  const { clock, log } = options;
  let restarts = 0;
  let isClosing = false;
  let cancelRestart = () => {};
  let worker = start();

  function start(): Worker {
    const started = new Worker(options.workerUrl, { workerData: options.workerData, name: 'service' });
    started.on('message', (message: FromServiceWorker) => {
      if (message.kind === 'ready') {
        options.onReady(message.introduction);
      } else {
        fail(`The weather service on this machine could not start: ${message.message}`);
      }
    });
    started.on('error', (error) => log.error({ err: error }, 'the service thread failed'));
    started.once('exit', restartLater);
    return started;
  }

  function restartLater(): void {
    if (isClosing) return;
    const delayMs = restartDelaysMs[restarts];
    restarts += 1;
    if (delayMs === undefined)
      return fail('The weather service on this machine stopped several times. Start Rainbell again.');
    fail(`The weather service on this machine stopped and is started again in ${delayMs / 1000} s.`);
    cancelRestart = clock.after(delayMs, () => {
      worker = start();
    });
  }

  function fail(message: string): void {
    options.onFailed({ code: 'NETWORK', message, details: {} });
  }

  return {
    async close() {
      isClosing = true;
      cancelRestart();
      const exited = new Promise<void>((resolve) => {
        worker.once('exit', () => resolve());
        if (worker.threadId === -1) resolve();
      });
      worker.postMessage({ kind: 'close' } satisfies ToServiceWorker);
      const cancelTimer = clock.after(longestCloseMs, () => void worker.terminate());
      await exited;
      cancelTimer();
    },
  };
}
