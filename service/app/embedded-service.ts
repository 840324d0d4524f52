// The service inside of a host's process or thread: the settings of the environment, the port asked for or, where it is in
// use, a free one. It introduces itself to the host once, or says why it cannot run.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { readInvocation, type Environment } from '#service/config/config.ts';
import { describeFailure } from '#service/errors/start-error.ts';
import { createService, type Service } from './create-service.ts';

export type EmbeddedOptions = {
  dataFolder: string;
  /** The port to prefer; where it is in use, a free one is taken. */
  port: number;
  environment: Environment;
  clock: Clock;
  log: Logger;
  workers: { places: URL };
  /** The message of a failure is a sentence for the person. */
  tell: (news: { kind: 'ready'; introduction: ServiceIntroduction } | { kind: 'failed'; message: string }) => void;
};

/** Starts the service and tells how that went; `close` waits for a start that is under way. */
export function runEmbeddedService(options: EmbeddedOptions): { close: () => Promise<void> } {
  const starting = startAndTell(options);
  return {
    async close() {
      const service = await starting;
      await service?.close();
    },
  };
}

async function startAndTell(options: EmbeddedOptions): Promise<Service | undefined> {
  try {
    const service = await startOnFreePort(options);
    options.tell({ kind: 'ready', introduction: service.introduction });
    return service;
  } catch (error) {
    options.log.error({ err: error }, 'the service could not start');
    options.tell({ kind: 'failed', message: describeFailure(error, 'It failed') });
    return undefined;
  }
}

async function startOnFreePort(options: EmbeddedOptions): Promise<Service> {
  try {
    return await startOn(options, options.port);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    return startOn(options, 0);
  }
}

function startOn({ dataFolder, environment, clock, log, workers }: EmbeddedOptions, port: number): Promise<Service> {
  const flags = ['--data', dataFolder, '--port', String(port), '--host', '127.0.0.1'];
  const invocation = readInvocation(flags, environment);
  if (invocation.kind !== 'run') throw new Error('The embedded service was asked for help instead of to run.');
  return createService({ config: invocation.config, clock, log, workers });
}

function isPortTaken(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && current.code === 'EADDRINUSE') return true;
  }
  return false;
}
