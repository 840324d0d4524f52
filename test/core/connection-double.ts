// Connections whose service is the test's: everything but the requests of the API is core's own.
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { type ActiveConnection, createActiveConnection } from '#core/connection/active-connection.ts';
import type { ApiClient } from '#core/connection/api-client.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { type Connection, createConnection, sandboxProfile } from '#core/connection/connection.ts';
import type { HttpResponse } from '#core/http/http-sender.ts';
import { createMemoryHost, testJsonReader } from './core-harness.ts';
import { createManualClock } from './manual-clock.ts';

/** What a service at this URL says of itself and its application. */
export const introductionOf = (baseUrl: string): ServiceIntroduction => ({
  baseUrl,
  authUrl: baseUrl,
  clientId: 'client1',
  clientSecret: 'secret1',
  redirectUri: 'http://127.0.0.1:8490/callback',
  username: 'tester',
  password: 'password1',
});

/** The fields of a connection that a user may save. */
export const goodFields: ConnectionFields = {
  name: 'Team',
  color: 'blue',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://example.com/auth',
  clientId: 'client',
  isPublic: false,
  redirectUri: 'https://app.example/done',
  scope: 'post_metag',
  caPem: null,
  proxyUrl: null,
};

/** A response as core's HTTP sender returns it, with `value` as its JSON. */
export function responseDouble({ value = {}, ...changes }: Partial<HttpResponse> & { value?: unknown } = {}) {
  return {
    request: { method: 'GET', url: 'https://a.example/', headers: [] },
    status: 200,
    headers: [],
    body: Buffer.from(JSON.stringify(value)),
    json: async () => ({ value, itemRanges: [] }),
    firstByteMs: 1,
    tookMs: 1,
    ...changes,
  } satisfies HttpResponse;
}

/** A connection whose API answers with `respond`, and otherwise with an empty object. */
export function connectionDouble(
  id: string,
  {
    respond,
    profile,
    ...changes
  }: { respond?: ApiClient['call']; profile?: Partial<Connection['profile']> } & Partial<
    Omit<Connection, 'profile'>
  > = {},
): Connection {
  const clock = createManualClock();
  const { secrets } = createMemoryHost();
  const parts = { clock, secrets, json: testJsonReader(), onState: () => {} };
  return {
    ...createConnection(
      { ...sandboxProfile(introductionOf('https://a.example')), id, isSandbox: false, ...profile },
      parts,
    ),
    api: { call: respond ?? (async () => responseDouble()) },
    ...changes,
  };
}

/** The connection in use is what `present` returns; `otherwise` is the one that a call waits for. */
export function activeConnectionDouble(
  present: () => Connection | undefined,
  otherwise?: Connection,
): ActiveConnection {
  const active = createActiveConnection({ clock: createManualClock(), onState: () => {} });
  return {
    ...active,
    present,
    current: async () => present() ?? otherwise ?? active.current(),
  };
}
