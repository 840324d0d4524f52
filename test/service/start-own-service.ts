// Our own service in the test's process, as the app embeds it. Passwords are hashed quickly.
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { createService, type Service } from '#service/app/create-service.ts';
import { type Config, configWith } from '#service/config/config.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { quickPasswords } from '#test/service/oauth/oauth-service.ts';

type Parts = { clock?: Clock; log?: Logger; placesWorker?: URL };

const realPlaces = new URL(import.meta.resolve('#service/places/places-worker.ts'));

/** Until the caller closes it. */
export function createOwnService(
  changes: Partial<Config> & { dataFolder: string },
  { clock = systemClock, log = pino({ level: 'silent' }), placesWorker = realPlaces }: Parts = {},
): Promise<Service> {
  return createService({
    config: configWith({ port: 0, provider: 'simulation', ...changes }),
    clock,
    log,
    workers: { places: placesWorker },
    passwords: quickPasswords(),
  });
}

/** Until the test ends. */
export async function startOwnService(
  { dataFolder = temporaryFolder(), ...changes }: Partial<Config> = {},
  parts: Parts = {},
): Promise<Service> {
  const service = await createOwnService({ dataFolder, ...changes }, parts);
  onTestFinished(() => service.close());
  return service;
}
