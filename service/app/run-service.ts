// The service as the task of a process: `npm run service` and `rainbell service`. Logs go to stderr; with --json one line goes to
// stdout when it is ready.
import { pino } from 'pino';
import { systemClock } from '@rainbell/shared';
import { readInvocation, type Config, type Environment } from '../config/config.ts';
import { createService, type Service } from './create-service.ts';
import { migrateDatabase } from './open-service-database.ts';

type Host = {
  environment: Environment;
  workers: { places: URL };
  /** What the user types before the arguments, for the help. */
  program: string;
  print: (text: string) => void;
  /** Called before the start is announced: the reader may send a signal at once. `close` waits for what is being sent. */
  onStart: (close: () => Promise<void>) => void;
};

/** Starts the service, prints the help, or migrates the database, as the arguments ask for. Throws StartError. */
export async function runService(args: readonly string[], host: Host): Promise<void> {
  const invocation = readInvocation(args, host.environment, host.program);
  if (invocation.kind === 'help') return host.print(invocation.text);
  const { config } = invocation;
  const log = createLog(config);
  if (invocation.kind === 'migrate') {
    await migrateDatabase(config, log);
    process.stderr.write('The database is up to date.\n');
    return;
  }
  const service = await createService({ config, clock: systemClock, log, workers: host.workers });
  host.onStart(() => {
    log.info('closing');
    return service.close();
  });
  host.print(invocation.json ? `${JSON.stringify(service.announcement)}\n` : welcome(config, service));
}

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
