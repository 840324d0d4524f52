// Entry of the utilityProcess that runs the weather service beside the app. The two meet over HTTP; here pass only the
// introduction and the wish to end.
import { systemClock } from '#contract/clock.ts';
import { openLog } from '#core/hosting/log-file.ts';
import type { FromServiceProcess, ServiceProcessData, ToServiceProcess } from '#core/hosting/service-messages.ts';
import type { Service } from '#service/create-service.ts';
import { startEmbeddedService } from '#service/embedded-service.ts';

const data = JSON.parse(process.argv[2] ?? '') as ServiceProcessData;
const log = openLog(data.logFile, 'service');
const starting = start();

process.parentPort.on('message', ({ data: message }: { data: ToServiceProcess }) => {
  if (message.kind === 'close') void close();
});

async function start(): Promise<Service | undefined> {
  try {
    const service = await startEmbeddedService({
      ...data,
      environment: process.env,
      clock: systemClock,
      log,
      workers: { places: new URL('./service-places-worker.js', import.meta.url) },
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
  process.exit(0);
}

function tell(message: FromServiceProcess): void {
  process.parentPort.postMessage(message);
}
