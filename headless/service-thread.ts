// The weather service in a thread of its own, so that slow queries never hold up a screen.
import { Worker } from 'node:worker_threads';
import {
  type Log,
  type ServiceProcessData,
  superviseService,
  type SupervisorOptions,
  type ToServiceProcess,
} from '@rainbell/core';

type Options = Omit<SupervisorOptions, 'start'> & {
  workerUrl: URL;
  workerData: ServiceProcessData;
  log: Log;
};

/** Twice as much memory would stay taken from the start on. One user's requests leave few young objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

export function startServiceThread(options: Options): { close: () => Promise<void> } {
  const { workerUrl, workerData, log, ...events } = options;
  const start: SupervisorOptions['start'] = ({ onMessage, onExit }) => {
    const worker = new Worker(workerUrl, { workerData, name: 'service', resourceLimits });
    worker.on('message', onMessage);
    worker.on('error', (error) => log.error({ err: error }, 'the service thread failed'));
    worker.once('exit', onExit);
    return {
      requestClose: () => worker.postMessage({ kind: 'close' } satisfies ToServiceProcess),
      end: () => void worker.terminate(),
    };
  };
  return superviseService({ ...events, start });
}
