// The host of a command's own core: the app's settings, never written, and the service that it works with in place of the selected one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '@rainbell/contract/app-rpc';
import {
  clientSecretName,
  type Host,
  hostOf,
  plainTransport,
  sandboxId,
  type SecretsPort,
  tokenSecretName,
  type Transport,
} from '@rainbell/core';
import { parseJsonObject, readText } from '@rainbell/shared';
import type { NamedService } from './credentials.ts';
import { connectionsSchema } from './saved-connection.ts';
import { connectionId } from './user-tokens.ts';

export type HostOptions = {
  settingsFolder: string;
  /** Undefined for the sandbox. */
  service?: NamedService | undefined;
  userTokens?: SecretsPort;
  readsFeed?: boolean;
  openExternal?: (url: string) => void;
};

/** For a user's sign-in, if flags name the service; the listener takes any free port (RFC 8252 section 7.3). */
const loginRedirectUri = 'http://127.0.0.1/callback';

export function createCommandHost(options: HostOptions): Host {
  const { settingsFolder, service, readsFeed = false, openExternal } = options;
  const id = service ? (service.appConnectionId ?? connectionId(service)) : sandboxId;
  return {
    kind: 'headless',
    notices: () => [],
    secrets: secretsOf(id, options),
    settings: {
      read: () => ({ ...settingsIn(settingsFolder), ...selection(id, settingsFolder, service), readsFeed }),
      write: () => {},
      backUp: () => null,
    },
    openExternal: async (url) => openExternal?.(url),
    onResume: () => () => {},
  };
}

/** The app's settings. A command never changes them. */
export function readSettings(dataFolder: string): Settings {
  const { shape } = settingsSchema;
  const fields = Object.entries(settingsIn(dataFolder)).filter(
    ([name, value]) => Object.hasOwn(shape, name) && shape[name as keyof typeof shape].safeParse(value).success,
  );
  return settingsSchema.parse(Object.fromEntries(fields));
}

/** Certificates and proxy of the connection that the app uses, for what a command sends to other machines. */
export function readRoute(dataFolder: string): Transport {
  const { connections, selectedConnection } = settingsIn(dataFolder);
  const saved = connectionsSchema.safeParse(connections).data ?? [];
  return saved.find(({ id }) => id === selectedConnection) ?? plainTransport;
}

function settingsIn(dataFolder: string): Record<string, unknown> {
  try {
    return parseJsonObject(readText(readFileSync(join(dataFolder, 'settings.json'))).text) ?? {};
  } catch {
    return {};
  }
}

function selection(id: string, settingsFolder: string, service: NamedService | undefined): Record<string, unknown> {
  if (!service || service.appConnectionId !== undefined) return { selectedConnection: id };
  const { baseUrl, clientId, clientSecret } = service;
  const saved = settingsIn(settingsFolder)['connections'];
  const named = {
    id,
    name: hostOf(baseUrl),
    color: 'gray',
    baseUrl,
    authUrl: baseUrl,
    clientId,
    isPublic: clientSecret === undefined,
    redirectUri: loginRedirectUri,
    scope: 'post_metag',
    ...plainTransport,
  };
  return { selectedConnection: id, connections: [...(Array.isArray(saved) ? (saved as unknown[]) : []), named] };
}

/** The token of a user who signed in here; an application's token lives as long as the command. */
function secretsOf(id: string, { service, userTokens }: HostOptions): SecretsPort {
  const nameOf = (name: string) =>
    service && name === tokenSecretName(id, 'user') ? tokenSecretName(connectionId(service), 'user') : undefined;
  return {
    protection: 'Tokens are encrypted on disk with a key file that only your account can read.',
    async read(name) {
      if (name === clientSecretName(id)) return service?.clientSecret ?? null;
      const ownName = nameOf(name);
      return ownName === undefined ? null : ((await userTokens?.read(ownName)) ?? null);
    },
    stateOf(name) {
      if (name === clientSecretName(id) && service?.clientSecret !== undefined) return 'stored';
      const ownName = nameOf(name);
      return ownName === undefined ? 'absent' : (userTokens?.stateOf(ownName) ?? 'absent');
    },
    async write(name, value) {
      const ownName = nameOf(name);
      if (ownName !== undefined) await userTokens?.write(ownName, value);
    },
  };
}
