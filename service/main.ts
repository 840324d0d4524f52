// `npm run service`: the service as a separate process. Logs go to stderr; with --json one line goes to stdout when it is ready. A
// failed start prints one sentence: exit code 2 for a wrong setting, 1 for everything else.
import { pino } from 'pino';
import { systemClock } from '@rainbell/shared';
import { readInvocation, type Config } from './config/config.ts';
import { createService, type Service } from './app/create-service.ts';
import { migrateDatabase } from './app/open-service-database.ts';
import { describeFailure, StartError } from './errors/start-error.ts';

async function run(): Promise<void> {
  const invocation = readInvocation(process.argv.slice(2), process.env);
  if (invocation.kind === 'help') {
    process.stdout.write(invocation.text);
    return;
  }
  const { config } = invocation;
  const workers = { places: new URL('./places/places-worker.ts', import.meta.url) };
  if (invocation.kind === 'migrate') {
    await migrateDatabase(config, createLog(config));
    process.stderr.write('The database is up to date.\n');
    return;
  }
  const { json } = invocation;
  const log = createLog(config);
  const service = await createService({ config, clock: systemClock, log, workers });
  let isClosing = false;
  const close = (signal: NodeJS.Signals) => {
    // A second signal exits at once.
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
  // Must be last: the reader may send a signal at once.
  if (json) process.stdout.write(`${JSON.stringify(service.announcement)}\n`);
  else process.stdout.write(welcome(config, service));
}

/** Logs to stderr. */
function createLog({ logLevel: level }: Config) {
  // pino's own destination would try forever to write its last lines to a full disk.
  return pino({ name: 'rainbell-service', level, redact: redactedPaths }, process.stderr);
}

const redactedPaths = ['*.authorization', '*.cookie', '*.token', '*.secret', '*.password', '*.code', '*.clientSecret'];

function welcome(config: Config, { announcement: { baseUrl }, setupPath }: Service): string {
  if (setupPath !== undefined)
    return `Rainbell is ready: ${baseUrl}${setupPath} (valid for 15 minutes, once). Press Ctrl+C to stop it.\n`;
  return `The weather service is listening at ${baseUrl} (weather from: ${config.provider}). Press Ctrl+C to stop it.\n`;
}

function fail(error: unknown): never {
  process.stderr.write(`error: ${describeFailure(error, 'The service failed')}\n`);
  process.exit(error instanceof StartError && error.kind === 'settings' ? 2 : 1);
}

// A closed terminal or pipe, or a full disk, must not end this program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// Not awaited: in the bundle, what is imported later waits for this module to end.
run().catch(fail);
