// Entry of the utilityProcess that runs the weather service beside the app. The two meet over HTTP; here pass only the
// introduction and the wish to end.
import { systemClock } from '#shared/time/clock.ts';
import { openLog } from '#core/hosting/log-file.ts';
import type { FromServiceProcess, ServiceProcessData, ToServiceProcess } from '#core/hosting/service-messages.ts';
import { runEmbeddedService } from '#service/app/embedded-service.ts';

const { logFile, ...data } = JSON.parse(process.argv.at(-1) ?? '') as ServiceProcessData;
const service = runEmbeddedService({
  ...data,
  environment: { ...data.environment, ...process.env },
  clock: systemClock,
  log: openLog(logFile, 'service'),
  workers: { places: new URL('./service-places-worker.js', import.meta.url) },
  tell: (news: FromServiceProcess) => process.parentPort.postMessage(news),
});

process.parentPort.on('message', ({ data: message }: { data: ToServiceProcess }) => {
  if (message.kind === 'close') void service.close().finally(() => process.exit(0));
});
