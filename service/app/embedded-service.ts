// Runs the service inside a host's process or thread: settings from the environment, and the given port or, if it is in use, a free
// one. Sends the host one message: its introduction, or why it cannot run.
import type { Logger } from 'pino';
import { type Clock, systemCode } from '@rainbell/shared';
import { type ServiceIntroduction, serviceIntroductionSchema } from '@rainbell/contract/service-api';
import { readInvocation, type Environment } from '../config/config.ts';
import { describeFailure, StartError } from '../errors/start-error.ts';
import { createService, type Service } from './create-service.ts';

export type EmbeddedOptions = {
  dataFolder: string;
  /** Preferred port; a free one is used if it is taken. */
  port: number;
  environment: Environment;
  clock: Clock;
  log: Logger;
  workers: { places: URL };
  /** A failure's message completes "could not start: …" for the user. */
  tell: (news: { kind: 'ready'; introduction: ServiceIntroduction } | { kind: 'failed'; message: string }) => void;
};

/** Starts the service and reports the result; `close` waits for a pending start. */
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
    options.tell({ kind: 'ready', introduction: introductionOf(service) });
    return service;
  } catch (error) {
    options.log.error({ err: error }, 'the service could not start');
    options.tell({ kind: 'failed', message: describeFailure(error) });
    return undefined;
  }
}

export function introductionOf({ announcement }: Service): ServiceIntroduction {
  const introduction = serviceIntroductionSchema.safeParse(announcement);
  if (introduction.success) return introduction.data;
  throw new StartError(
    'start',
    'The service has no sandbox, because it is public (RAINBELL_PUBLIC_URL, RAINBELL_TRUSTED_PROXIES), or a public service uses its ' +
      'database.',
  );
}

async function startOnFreePort(options: EmbeddedOptions): Promise<Service> {
  try {
    return await startOn(options, options.port);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    return startOn(options, 0);
  }
}

function startOn({ dataFolder, environment, clock, log, workers }: EmbeddedOptions, port: number): Promise<Service> {
  const flags = ['--data', dataFolder, '--port', String(port), '--host', '127.0.0.1'];
  const invocation = readInvocation(flags, environment);
  if (invocation.kind !== 'run') throw new Error('The embedded service was given --help instead of settings.');
  return createService({ config: invocation.config, clock, log, workers });
}
