// The sandbox on this machine: that of the app that runs with the data folder, or of a service that we run for the time of
// one command. Both keep their monitors in the same database.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@rainbell/shared';
import { AppFailure, openLog, readAddressFile, requireWritableFolder } from '@rainbell/core';
import { runEmbeddedService, sandboxCredentials, serviceFolder } from '@rainbell/service';
import type { Workers } from '../terminal/command.ts';
import type { NamedService } from './credentials.ts';
import { isFolderInUse } from './receiver-session.ts';

export type OwnSandbox = NamedService & { close: () => Promise<void> };

type SandboxService = NamedService & { clientSecret: string };

/** Returns the last known address of the app's service, which may have changed since; undefined if no app runs with the folder. */
export function findRunningSandbox(dataFolder: string, clock: Clock): SandboxService | undefined {
  const keyFolder = serviceFolder({ dataFolder });
  if (!existsSync(join(keyFolder, 'sandbox.key'))) return undefined;
  const baseUrl = readAddressFile(dataFolder)?.service;
  if (!baseUrl || !isFolderInUse({ dataFolder, clock })) return undefined;
  const { clientId, clientSecret } = sandboxCredentials(keyFolder);
  return { baseUrl, clientId, clientSecret };
}

/** Runs a service on a free port until `close`. Throws AppFailure STORAGE, UNAVAILABLE. */
export async function runOwnSandbox(dataFolder: string, clock: Clock, workers: Workers): Promise<OwnSandbox> {
  requireWritableFolder(dataFolder);
  const started = Promise.withResolvers<NamedService>();
  const service = runEmbeddedService({
    dataFolder,
    port: 0,
    environment: process.env,
    clock,
    log: openLog(join(dataFolder, 'logs', 'command-line.log'), 'command line'),
    workers,
    tell(news) {
      if (news.kind === 'ready') return started.resolve(news.introduction);
      started.reject(new AppFailure('UNAVAILABLE', `The service for this command could not start: ${news.message}`));
    },
  });
  return { ...(await started.promise), close: () => service.close() };
}
