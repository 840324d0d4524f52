// A connection to one service: its API client with the token kept behind it.
import type { Clock } from '#contract/clock.ts';
import type { TokenState } from '#contract/procedures/app.ts';
import type { ServiceIntroduction } from '#contract/sandbox.ts';
import type { SecretsPort } from '../host.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { createHttpSender, httpLimits } from './http-exchange.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { createTokenKeeper } from './token-keeper.ts';

export type Connection = {
  readonly name: string;
  readonly baseUrl: string;
  /** Whether the service is our own, with the controls of contract/sandbox.ts. */
  readonly isSandbox: boolean;
  readonly api: ApiClient;
  tokenState: () => TokenState;
  /** Has a token ready: the kept one where it is fresh, else a new one. */
  prepareToken: () => Promise<void>;
  renewToken: () => Promise<void>;
  close: () => Promise<void>;
};

export function createSandboxConnection({
  introduction,
  clock,
  secrets,
  onState,
}: {
  introduction: ServiceIntroduction;
  clock: Clock;
  secrets: SecretsPort;
  onState: () => void;
}): Connection {
  const baseUrl = introduction.baseUrl.replace(/\/+$/, '');
  const http = createHttpSender({ clock, limits: httpLimits });
  const { clientId, clientSecret } = introduction;
  const tokens = createTokenKeeper({
    endpoint: createTokenEndpoint(http, { baseUrl, clientId, clientSecret }),
    secrets,
    secretName: `token sandbox ${clientId}`,
    clock,
    onState,
  });
  return {
    name: 'Sandbox',
    baseUrl,
    isSandbox: true,
    api: createApiClient({ http, tokens, baseUrl }),
    tokenState: tokens.state,
    async prepareToken() {
      await tokens.token();
    },
    renewToken: tokens.renew,
    close: http.close,
  };
}
