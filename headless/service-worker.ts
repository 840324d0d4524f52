// Entry of the thread that runs the weather service beside the app. The two meet only over HTTP.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#contract/clock.ts';
import { readInvocation } from '#service/config.ts';
import { createService, type Service } from '#service/create-service.ts';
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
    const service = await createOnFreePort();
    tell({ kind: 'ready', introduction: service.introduction });
    return service;
  } catch (error) {
    log.error({ err: error }, 'the service could not start');
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

async function createOnFreePort(): Promise<Service> {
  try {
    return await create(data.port);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    return create(0);
  }
}

function create(listenPort: number): Promise<Service> {
  const invocation = readInvocation(
    ['--data', data.dataFolder, '--port', String(listenPort), '--host', '127.0.0.1'],
    process.env,
  );
  if (invocation.kind !== 'run') throw new Error('the service was asked for help');
  const workers = { places: new URL(import.meta.resolve('#service/places/places-worker.ts')) };
  return createService({ config: invocation.config, clock: systemClock, log, workers });
}

function isPortTaken(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && current.code === 'EADDRINUSE') return true;
  }
  return false;
}

async function close(): Promise<void> {
  const service = await starting;
  await service?.close();
  port.close();
}

function tell(message: FromServiceWorker): void {
  port.postMessage(message);
}
