// The thread of the weather service. The app uses it over HTTP; messages only introduce and end it.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@rainbell/shared';
import { type FromServiceProcess, openLog, type ServiceProcessData, type ToServiceProcess } from '@rainbell/core';
import { runEmbeddedService } from '@rainbell/service';

if (!parentPort) throw new Error('service-worker.ts runs in a worker thread only');
const port = parentPort;
const { logFile, ...data } = workerData as ServiceProcessData;
const service = runEmbeddedService({
  ...data,
  environment: { ...data.environment, ...process.env },
  clock: systemClock,
  log: openLog(logFile, 'service'),
  workers: { places: new URL(import.meta.resolve('@rainbell/service/places-worker')) },
  tell: (news: FromServiceProcess) => port.postMessage(news),
});

port.on('message', (message: ToServiceProcess) => {
  // In a thread this ends only the thread; a leftover timer must not keep the whole app from ending.
  if (message.kind === 'close') void service.close().finally(() => process.exit(0));
});
