// A connection to one service as one client: its HTTP sender, its two tokens, and the API client that picks between them.
import type { Clock } from '@rainbell/shared';
import type { ConnectionFields, TokenOwner } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import type { SecretsPort } from '../ports/host.ts';
import { createApiClient } from './api-client.ts';
import { createTokenChoice } from './token-choice.ts';
import { createHttpSender, httpLimits, type HttpSender, type ObservedRequest } from '../http/http-sender.ts';
import type { JsonReader } from '../http/json-reader.ts';
import { bindingOf } from '../tokens/stored-token.ts';
import { createTokenEndpoint } from '../tokens/token-endpoint.ts';
import { TokenManager } from '../tokens/token-manager.ts';

/** What a connection is made of, with its secret; addresses are without a slash at their end. */
export type ConnectionProfile = Omit<ConnectionFields, 'color'> & {
  id: string;
  isSandbox: boolean;
  /** Undefined for a public client, and if the user has not entered one yet. */
  clientSecret: string | undefined;
};

export type Connection = ReturnType<typeof createConnection>;

export type ConnectionDependencies = {
  clock: Clock;
  secrets: SecretsPort;
  json: JsonReader;
  onState: () => void;
  /** Sees every exchange, with its secrets; returns its ID in the traffic log. */
  observe?: (profile: ConnectionProfile, observed: ObservedRequest) => number | undefined;
};

export function createConnection(profile: ConnectionProfile, dependencies: ConnectionDependencies) {
  const { clock, secrets, json, onState, observe } = dependencies;
  const { baseUrl, clientId, isPublic, clientSecret } = profile;
  const http = createHttpSender({
    clock,
    limits: httpLimits,
    json,
    transport: profile,
    ...(observe ? { observe: (observed: ObservedRequest) => observe(profile, observed) } : {}),
  });
  const secret = isPublic ? undefined : (clientSecret ?? '');
  const endpoint = createTokenEndpoint(http, { baseUrl, clientId, clientSecret: secret });
  // The sandbox is at another port when its own is in use; its client is made from the data folder's key.
  const binding = bindingOf([profile.isSandbox ? 'sandbox' : baseUrl, clientId, secret]);
  const shared = { endpoint, secrets, binding, clock, onState };
  const managerOf = (owner: TokenOwner) =>
    new TokenManager({ ...shared, owner, secretName: tokenSecretName(profile.id, owner) });
  const user = managerOf('user');
  const application = isPublic ? undefined : managerOf('application');
  const tokens = { application, user };
  const choice = createTokenChoice(tokens, profile.name);
  return {
    name: profile.name,
    baseUrl,
    /** Whether the service is our own, with the controls of contract/service-api/sandbox.ts. */
    isSandbox: profile.isSandbox,
    profile,
    api: createApiClient({ http, choice, baseUrl }),
    http,
    endpoint,
    tokens,
    /** Whose token reads the weather. */
    tokenInUse: (): TokenOwner => (choice.inUse() === user ? 'user' : 'application'),
    tokenCard: () => choice.inUse().card(),
    /** When that token is to be refreshed, epoch milliseconds; undefined if it can't be. */
    refreshAt: () => choice.inUse().refreshAt(),
    /** Whether the app has the application token, which monitors require. */
    canReadMonitors: () => application?.card().state === 'valid',
    /** Gets a token ready: the stored one if it is fresh, otherwise a new one. */
    async prepareToken() {
      await choice.inUse().token();
    },
    ...holding(http),
    close: http.close,
  };
}

function holding(http: HttpSender) {
  let users = 0;
  let isRetiring = false;
  const retireWhenFree = async () => {
    if (isRetiring && users === 0) await http.retire();
  };
  return {
    /** Keeps a retiring connection usable until the answer is called, for instance while a dialog is open. */
    hold() {
      users += 1;
      return () => {
        users -= 1;
        void retireWhenFree();
      };
    },
    /** Lets requests in progress end, so that a new refresh token is not lost. */
    retire() {
      isRetiring = true;
      return retireWhenFree();
    },
  };
}

export function clientSecretName(connectionId: string): string {
  return `client secret ${connectionId}`;
}

export function tokenSecretName(connectionId: string, owner: 'application' | 'user'): string {
  return ['token', owner, connectionId].join(' ');
}

export const sandboxId = 'sandbox';
export const sandboxName = 'Sandbox';

export function sandboxProfile(introduction: Omit<ServiceIntroduction, 'username' | 'password'>): ConnectionProfile {
  const { clientId, clientSecret, redirectUri } = introduction;
  return {
    id: sandboxId,
    name: sandboxName,
    isSandbox: true,
    baseUrl: introduction.baseUrl.replace(/\/+$/, ''),
    authUrl: introduction.authUrl.replace(/\/+$/, ''),
    clientId,
    clientSecret,
    isPublic: false,
    redirectUri,
    scope: 'post_metag',
    caPem: null,
    proxyUrl: null,
  };
}
