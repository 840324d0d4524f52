// The sandbox on this machine: that of the app that runs with the data folder, or of a service that we run for the time of
// one command. Both keep their monitors in the same database.
import { join } from 'node:path';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { AppFailure, openLog, requireWritableFolder } from '@rainbell/core';
import { runEmbeddedService, sandboxCredentials, serviceFolder } from '@rainbell/service';
import type { CommandContext } from '../terminal/command.ts';

export function sandboxAt(baseUrl: string, dataFolder: string): ServiceIntroduction {
  const { clientId, clientSecret } = sandboxCredentials(serviceFolder({ dataFolder }));
  return { baseUrl, authUrl: baseUrl, clientId, clientSecret, redirectUri: '', username: '', password: '' };
}

/** Runs a service on a free port until `close`. Throws AppFailure STORAGE, UNAVAILABLE. */
export async function runOwnSandbox(
  dataFolder: string,
  context: Pick<CommandContext, 'environment' | 'clock' | 'workers'>,
) {
  requireWritableFolder(dataFolder);
  const started = Promise.withResolvers<ServiceIntroduction>();
  const service = runEmbeddedService({
    dataFolder,
    ...context,
    port: 0,
    log: openLog(join(dataFolder, 'logs', 'command-line.log'), 'command line'),
    tell(news) {
      if (news.kind === 'ready') return started.resolve(news.introduction);
      started.reject(new AppFailure('UNAVAILABLE', `The service for this command could not start: ${news.message}`));
    },
  });
  return { introduction: await started.promise, close: () => service.close() };
}
