// `npm run service`: the service as a process of its own. Logs go to stderr; with --json one line goes to stdout when it is
// ready. A start that fails ends with a sentence: exit code 2 for a wrong setting, 1 for everything else.
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { readInvocation, type Config } from './config/config.ts';
import { createService } from './app/create-service.ts';
import { describeFailure, StartError } from './errors/start-error.ts';

async function run(): Promise<void> {
  const invocation = readInvocation(process.argv.slice(2), process.env);
  if (invocation.kind === 'help') {
    process.stdout.write(invocation.text);
    return;
  }
  const { config, json } = invocation;
  const log = pino({ name: 'rainbell-service', level: config.logLevel, redact: redactedPaths }, pino.destination(2));
  const workers = { places: new URL('./places/places-worker.ts', import.meta.url) };
  const service = await createService({ config, clock: systemClock, log, workers });
  let isClosing = false;
  const close = (signal: NodeJS.Signals) => {
    // A second signal does not wait.
    if (isClosing) process.exit(1);
    isClosing = true;
    log.info({ signal }, 'closing');
    service.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  // Last of all: whoever reads it may send a signal at once.
  if (json) process.stdout.write(`${JSON.stringify(service.introduction)}\n`);
  else process.stderr.write(welcome(config, service.introduction.baseUrl));
}

const redactedPaths = ['*.authorization', '*.cookie', '*.token', '*.secret', '*.password', '*.code', '*.clientSecret'];

function welcome(config: Config, baseUrl: string): string {
  return `The weather service answers at ${baseUrl} (weather from: ${config.provider}). Ctrl-C ends it.\n`;
}

function fail(error: unknown): never {
  process.stderr.write(`${describeFailure(error, 'The service failed')}\n`);
  process.exit(error instanceof StartError && error.kind === 'settings' ? 2 : 1);
}

try {
  await run();
} catch (error) {
  fail(error);
}
