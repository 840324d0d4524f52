// `npm run service`: the service as a separate process. A failed start prints one sentence: exit code 2 for a wrong setting, 1 for
// everything else.
import { runService } from './app/run-service.ts';
import { describeFailure, StartError } from './errors/start-error.ts';

function endOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  const onSignal = () => {
    // A second signal exits at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    close().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function fail(error: unknown): never {
  process.stderr.write(`error: ${describeFailure(error, 'The service failed')}\n`);
  process.exit(error instanceof StartError && error.kind === 'settings' ? 2 : 1);
}

// A closed terminal or pipe, or a full disk, must not end this program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// Not awaited: in the bundle, what is imported later waits for this module to end.
runService(process.argv.slice(2), {
  environment: process.env,
  workers: { places: new URL('./places/places-worker.ts', import.meta.url) },
  program: 'npm run service --',
  print: (text) => void process.stdout.write(text),
  onStart: endOnSignal,
}).catch(fail);
