// The sandbox on this machine: that of the app that runs with the data folder, or of a service that we run for the time of
// one command. Both keep their monitors in the same database.
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Clock } from '#contract/clock.ts';
import { AppFailure } from '#core/app-failure.ts';
import { requireWritableFolder } from '#core/database/app-database.ts';
import { openLog } from '#core/hosting/log-file.ts';
import { serviceFolder } from '#service/config.ts';
import { runEmbeddedService } from '#service/embedded-service.ts';
import { sandboxCredentials } from '#service/oauth/sandbox-key.ts';
import type { NamedService } from './credentials.ts';
import { isFolderInUse } from './station.ts';

export type OwnSandbox = NamedService & { close: () => Promise<void> };

const readyLineSchema = z.object({
  name: z.literal('service'),
  baseUrl: z.url(),
  msg: z.literal('the service is ready'),
});

/** Where the app's service should be; undefined where no app runs with the folder. It may have moved since. */
export async function findRunningSandbox(dataFolder: string, clock: Clock): Promise<NamedService | undefined> {
  const keyFolder = serviceFolder({ dataFolder });
  if (!existsSync(join(keyFolder, 'sandbox.key'))) return undefined;
  const baseUrl = await lastReadyAddress(join(dataFolder, 'logs', 'rainbell.log'));
  if (baseUrl === undefined || !isFolderInUse({ dataFolder, clock })) return undefined;
  const { clientId, clientSecret } = sandboxCredentials(keyFolder);
  return { baseUrl, clientId, clientSecret };
}

/** The service takes a free port where its own is in use; the app's log is where it says which. */
async function lastReadyAddress(logFile: string): Promise<string | undefined> {
  if (!existsSync(logFile)) return undefined;
  let address: string | undefined;
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    if (line.includes('"the service is ready"')) address = addressIn(line) ?? address;
  }
  return address;
}

function addressIn(line: string): string | undefined {
  try {
    return readyLineSchema.safeParse(JSON.parse(line)).data?.baseUrl;
  } catch {
    return undefined;
  }
}

/** Runs a service on a free port until `close`. Throws AppFailure STORAGE, UNAVAILABLE. */
export async function runOwnSandbox(dataFolder: string, clock: Clock): Promise<OwnSandbox> {
  requireWritableFolder(dataFolder);
  const started = Promise.withResolvers<NamedService>();
  const service = runEmbeddedService({
    dataFolder,
    port: 0,
    environment: process.env,
    clock,
    log: openLog(join(dataFolder, 'logs', 'command-line.log'), 'command line'),
    workers: { places: new URL(import.meta.resolve('#service/places/places-worker.ts')) },
    tell(news) {
      if (news.kind === 'ready') return started.resolve(news.introduction);
      started.reject(new AppFailure('UNAVAILABLE', `The service for this command could not start: ${news.message}`));
    },
  });
  return { ...(await started.promise), close: () => service.close() };
}
