// The token manager over real HTTP: when it sends requests, how often, and what it does when one is rejected.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpSender, httpLimits } from '#core/http/http-sender.ts';
import { createTokenEndpoint } from '#core/tokens/token-endpoint.ts';
import { TokenManager } from '#core/tokens/token-manager.ts';
import { createMemoryHost, type MemoryHost, testJsonReader } from '../core-harness.ts';
import { issueTokens, startFakeService, type FakeService, type Route } from '../fake-service.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

type Setup = {
  service: FakeService;
  clock: ManualClock;
  manager: TokenManager;
  stored: Map<string, string>;
  secrets: MemoryHost['secrets'];
  restart: () => TokenManager;
};

async function setUp(routes: Record<string, Route> = {}): Promise<Setup> {
  const service = await startFakeService(routes);
  const clock = createManualClock();
  const http = createHttpSender({ clock, limits: httpLimits, json: testJsonReader() });
  onTestFinished(() => http.close());
  const { secrets, stored } = createMemoryHost();
  const restart = () =>
    new TokenManager({
      endpoint: createTokenEndpoint(http, service.introduction),
      secrets,
      secretName: 'token',
      owner: 'application',
      binding: 'this client',
      clock,
      onState: () => {},
    });
  return { service, clock, manager: restart(), stored, secrets, restart };
}

describe('a token manager', () => {
  test('asks by client credentials with Basic authentication and the documented content type', async () => {
    const { service, manager } = await setUp();
    expect(await manager.token()).toBe('access-1');
    const [request] = service.requestsTo('POST /token/');
    expect(request?.body).toBe('grant_type=client_credentials');
    expect(request?.headers['content-type']).toBe('application/www-form-urlencoded');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('client1:secret1').toString('base64')}`);
  });

  test('makes one request for fifty callers, and one for fifty whose token was rejected', async () => {
    const { service, manager } = await setUp();
    const fifty = async (ask: () => Promise<string>) => new Set(await Promise.all(Array.from({ length: 50 }, ask)));
    expect(await fifty(() => manager.token())).toEqual(new Set(['access-1']));
    expect(service.requestsTo('POST /token/')).toHaveLength(1);
    expect(await fifty(() => manager.tokenInsteadOf('access-1'))).toEqual(new Set(['access-2']));
    expect(service.requestsTo('POST /token/')).toHaveLength(2);
  });

  test('refreshes 30 seconds before the expiry, with the refresh token', async () => {
    const { service, clock, manager } = await setUp();
    await manager.token();
    clock.advance(3_569_000);
    expect(await manager.token()).toBe('access-1');
    clock.advance(2000);
    expect(await manager.token()).toBe('access-2');
    expect(service.requestsTo('POST /token/')[1]?.body).toBe('grant_type=refresh_token&refresh_token=refresh-1');
  });

  test('gets a token of a known age when the clock is set back', async () => {
    const { service, clock, manager, restart } = await setUp();
    await manager.token();
    clock.advance(1_800_000);
    clock.jump(-3 * 3_600_000);
    expect(await manager.token()).toBe('access-2');
    expect(await restart().token()).toBe('access-2');
    clock.advance(3_571_000);
    expect(await manager.token()).toBe('access-3');
    expect(service.requestsTo('POST /token/')).toHaveLength(3);
  });

  test('counts the expiry from before the request, however long the answer takes', async () => {
    const { service, clock, manager } = await setUp();
    const issue = issueTokens();
    service.routes['POST /token/'] = (request, count) => {
      clock.advance(10_000);
      return issue(request, count);
    };
    const requestedAt = clock.now();
    await manager.token();
    expect(manager.card()).toMatchObject({
      state: 'valid',
      expiresAt: new Date(requestedAt + 3_600_000).toISOString(),
    });
  });

  test('keeps the old refresh token if the response has none', async () => {
    const { service, clock, manager } = await setUp({ 'POST /token/': issueTokens() });
    await manager.token();
    service.routes['POST /token/'] = issueTokens({ refresh_token: undefined });
    for (let hour = 0; hour < 2; hour += 1) {
      clock.advance(3_600_000);
      await manager.token();
    }
    expect(service.requestsTo('POST /token/').map((request) => request.body)).toEqual([
      'grant_type=client_credentials',
      'grant_type=refresh_token&refresh_token=refresh-1',
      'grant_type=refresh_token&refresh_token=refresh-1',
    ]);
  });

  test('takes client credentials again when the refresh token is no longer accepted', async () => {
    const { service, clock, manager } = await setUp();
    const issue = issueTokens();
    await manager.token();
    service.routes['POST /token/'] = (request, count) =>
      request.body.includes('refresh_token')
        ? { status: 400, body: { error: 'invalid_grant' } }
        : issue(request, count);
    clock.advance(3_600_000);
    expect(await manager.token()).toBe('access-3');
  });

  test('takes over what another process with the same store rotated first (docs/tokens.md T14)', async () => {
    const { service, clock, manager, restart } = await setUp();
    const issue = issueTokens();
    const spent = new Set<string>();
    service.routes['POST /token/'] = (request, count) => {
      const used = new URLSearchParams(request.body).get('refresh_token');
      if (used !== null && spent.has(used)) return { status: 400, body: { error: 'invalid_grant' } };
      if (used !== null) spent.add(used);
      return issue(request, count);
    };
    await manager.token();
    const other = restart();
    clock.advance(3_600_000);
    expect(await other.token()).toBe('access-2');
    expect(await manager.token()).toBe('access-2');
    expect(service.requestsTo('POST /token/').filter(({ body }) => body.includes('client_credentials'))).toHaveLength(
      1,
    );
  });

  test('keeps nothing of a refresh that was in progress when it was cleared (docs/tokens.md T8)', async () => {
    const { service, manager, stored } = await setUp();
    const issue = issueTokens();
    const asked = Promise.withResolvers<void>();
    const forgotten = Promise.withResolvers<void>();
    service.routes['POST /token/'] = async (request, count) => {
      asked.resolve();
      await forgotten.promise;
      return issue(request, count);
    };
    const token = manager.token();
    const ended = token.catch((error: unknown) => error);
    await asked.promise;
    await manager.delete();
    forgotten.resolve();
    expect(await ended).toMatchObject({ code: 'ACCESS_REFUSED' });
    expect(stored.has('token')).toBe(false);
  });

  test('stores the new refresh token before it hands out the access token', async () => {
    const { stored, secrets, manager } = await setUp();
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { write } = secrets;
    secrets.write = async (name, value) => {
      started.resolve();
      await released.promise;
      return write(name, value);
    };
    let isHandedOut = false;
    const token = manager.token().finally(() => (isHandedOut = true));
    await started.promise;
    // More than any chain of promises needs.
    await setImmediate();
    expect([isHandedOut, stored.has('token')]).toEqual([false, false]);
    released.resolve();
    expect(await token).toBe('access-1');
    expect(stored.get('token')).toContain('refresh-1');
  });

  test('renews a token that lives for ten seconds only when half of it is over', async () => {
    const { service, clock, manager } = await setUp({ 'POST /token/': issueTokens({ expires_in: 10 }) });
    await manager.token();
    clock.advance(4000);
    await manager.token();
    expect(service.requestsTo('POST /token/')).toHaveLength(1);
    clock.advance(2000);
    await manager.token();
    expect(service.requestsTo('POST /token/')).toHaveLength(2);
  });

  test.each([
    [415, undefined],
    [400, 'invalid_request'],
    [400, 'unsupported_grant_type'],
  ])('turns to the standard content type after %i %s, and remembers it', async (status, error) => {
    const issue = issueTokens();
    const { service, manager } = await setUp({
      'POST /token/': (request, count) =>
        request.headers['content-type'] === 'application/x-www-form-urlencoded'
          ? issue(request, count)
          : { status, body: { error } },
    });
    await manager.token();
    await manager.refresh();
    expect(service.requestsTo('POST /token/').map((request) => request.headers['content-type'])).toEqual([
      'application/www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
    ]);
  });

  test.each([
    [401, 'invalid_client', 'INVALID_CLIENT'],
    [400, 'invalid_client', 'INVALID_CLIENT'],
    [400, 'unauthorized_client', 'UNAUTHORIZED_CLIENT'],
    [400, 'invalid_scope', 'INVALID_SCOPE'],
    [429, 'rate_limited', 'RATE_LIMITED'],
    [500, 'server_error', 'SERVER'],
  ])('reports %i %s as %s, quoting the service and never the secret', async (status, error, code) => {
    const { manager } = await setUp({
      'POST /token/': () => ({ status, body: { error, error_description: 'No such luck.' } }),
    });
    const failure: unknown = await manager.token().catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ code, details: { httpStatus: status } });
    expect(String(failure)).toContain('No such luck');
    expect(JSON.stringify(failure) + String(failure)).not.toContain('secret1');
  });

  test('never sends the secret unencrypted to another machine', async () => {
    const clock = createManualClock();
    const http = createHttpSender({ clock, limits: httpLimits, json: testJsonReader() });
    onTestFinished(() => http.close());
    const endpoint = createTokenEndpoint(http, { baseUrl: 'http://service.example', clientId: 'a', clientSecret: 'b' });
    await expect(endpoint.request({ grant: 'client_credentials' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
