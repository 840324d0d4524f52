// The service inside of a host's process or thread: the settings of the environment, the port asked for or, where it is in
// use, a free one.
import type { Clock } from '#contract/clock.ts';
import type { Logger } from 'pino';
import { readInvocation, type Environment } from './config.ts';
import { createService, type Service } from './create-service.ts';

export type EmbeddedOptions = {
  dataFolder: string;
  /** The port to prefer; where it is in use, a free one is taken. */
  port: number;
  environment: Environment;
  clock: Clock;
  log: Logger;
  workers: { places: URL };
};

/** Listens when it resolves; rejects with a sentence for the person. */
export async function startEmbeddedService(options: EmbeddedOptions): Promise<Service> {
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
