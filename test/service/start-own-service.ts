// Our own service in the test's process, as the app embeds it, until the test ends. Passwords are hashed quickly.
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { createService, type Service } from '#service/app/create-service.ts';
import { type Config, configWith } from '#service/config/config.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { quickPasswords } from '#test/service/oauth/oauth-service.ts';

type Parts = { clock?: Clock; log?: Logger; placesWorker?: URL };

const realPlaces = new URL(import.meta.resolve('#service/places/places-worker.ts'));

export async function startOwnService(
  { dataFolder = temporaryFolder(), ...changes }: Partial<Config> = {},
  { clock = systemClock, log = pino({ level: 'silent' }), placesWorker = realPlaces }: Parts = {},
): Promise<Service> {
  const service = await createService({
    config: configWith({ port: 0, dataFolder, provider: 'simulation', ...changes }),
    clock,
    log,
    workers: { places: placesWorker },
    passwords: quickPasswords(),
  });
  onTestFinished(() => service.close());
  return service;
}
