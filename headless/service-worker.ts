// Entry of the thread that runs the weather service beside the app. The two meet only over HTTP.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#contract/clock.ts';
import type { Service } from '#service/create-service.ts';
import { startEmbeddedService } from '#service/embedded-service.ts';
import { openLog } from './log-file.ts';
import type { FromServiceWorker, ServiceWorkerData, ToServiceWorker } from './service-messages.ts';

if (!parentPort) throw new Error('service-worker.ts runs in a worker thread only');
const port = parentPort;
const data = workerData as ServiceWorkerData;
const log = openLog(data.logFile, 'service');
const starting = start();

port.on('message', (message: ToServiceWorker) => {
  if (message.kind === 'close') void close();
});

async function start(): Promise<Service | undefined> {
  try {
    const service = await startEmbeddedService({
      dataFolder: data.dataFolder,
      port: data.port,
      environment: process.env,
      clock: systemClock,
      log,
      workers: { places: new URL(import.meta.resolve('#service/places/places-worker.ts')) },
    });
    tell({ kind: 'ready', introduction: service.introduction });
    return service;
  } catch (error) {
    log.error({ err: error }, 'the service could not start');
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

async function close(): Promise<void> {
  const service = await starting;
  await service?.close();
  // In a thread this ends the thread alone; a timer that is left over must not keep the whole app from ending.
  process.exit(0);
}

function tell(message: FromServiceWorker): void {
  port.postMessage(message);
}
