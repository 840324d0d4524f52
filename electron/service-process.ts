// The utilityProcess of the weather service. The app uses it over HTTP; messages only start and end it, and ask for the system's proxy.
import { systemClock } from '@rainbell/shared';
import {
  type FromServiceProcess,
  openLog,
  type ProxyAnswer,
  type ProxyQuestion,
  type ServiceProcessData,
  type ToServiceProcess,
} from '@rainbell/core';
import { setProxyResolver } from '@rainbell/shared/node';
import { runEmbeddedService } from '@rainbell/service';

const { logFile, ...data } = JSON.parse(process.argv.at(-1) ?? '') as ServiceProcessData;
const service = runEmbeddedService({
  ...data,
  environment: { ...data.environment, ...process.env },
  clock: systemClock,
  log: openLog(logFile, 'service'),
  workers: { places: new URL('./service-places-worker.js', import.meta.url) },
  tell: (news: FromServiceProcess) => process.parentPort.postMessage(news),
});

const questions = new Map<number, (proxyUrl: string | null) => void>();
let lastId = 0;
setProxyResolver((url) => {
  lastId += 1;
  process.parentPort.postMessage({ kind: 'resolve-proxy', id: lastId, url } satisfies ProxyQuestion);
  return new Promise((resolve) => questions.set(lastId, resolve));
});

process.parentPort.on('message', ({ data: message }: { data: ToServiceProcess | ProxyAnswer }) => {
  if (message.kind === 'proxy') {
    questions.get(message.id)?.(message.proxyUrl);
    questions.delete(message.id);
  }
  if (message.kind === 'close') void service.close().finally(() => process.exit(0));
});
