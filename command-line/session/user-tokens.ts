// Stores the tokens of users who signed in with `rainbell login`, in a separate folder below the data folder, so that commands and
// a running app never write the same file. Each access reads the file again, because two commands may run at once and refresh
// tokens of public clients work once.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@rainbell/shared';
import { openSecretFile, requireWritableFolder, type SecretsPort, tokenSecretName } from '@rainbell/core';
import { makePrivateFolder } from '@rainbell/shared/node';
import type { NamedService } from './credentials.ts';

/** Names a service and client, however the command line names them. */
export function connectionId({ baseUrl, clientId }: Pick<NamedService, 'baseUrl' | 'clientId'>): string {
  const facts = JSON.stringify([baseUrl.replace(/\/+$/, ''), clientId]);
  return `command-${createHash('sha256').update(facts).digest('hex').slice(0, 22)}`;
}

export function createUserTokens(dataFolder: string, clock: Clock) {
  const folder = join(dataFolder, 'command-line');
  const open = () => openSecretFile({ folder, clock }).secrets;
  const exists = () => existsSync(join(folder, 'secrets.json'));
  const isOfUser = (name: string) => name.startsWith(tokenSecretName('', 'user'));
  const secrets: SecretsPort = {
    protection: 'Tokens are encrypted on disk with a key file that only your account can read.',
    read: async (name) => (isOfUser(name) && exists() ? open().read(name) : null),
    stateOf: (name) => (isOfUser(name) && exists() ? open().stateOf(name) : 'absent'),
    async write(name, value) {
      if (!isOfUser(name) || (value === null && !exists())) return;
      requireWritableFolder(dataFolder);
      makePrivateFolder(folder);
      await open().write(name, value);
    },
  };
  return {
    secrets,
    /** Whether a user signed in for a connection. */
    has: (id: string) => secrets.stateOf(tokenSecretName(id, 'user')) !== 'absent',
  };
}
