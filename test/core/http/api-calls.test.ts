// Which token a call carries (docs/interface.md §5.1: any valid token; §5.7: monitors require the application's), and what is sent.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TokenCard } from '#contract/app-rpc/session.ts';
import type { AppErrorCode } from '#contract/app-rpc/app-errors.ts';
import { createApiClient, readAs, type ApiCall } from '#core/connection/api-client.ts';
import { fetchMetadata } from '#core/connection/server-metadata.ts';
import { createTokenChoice, monitorsNeedApplication } from '#core/connection/token-choice.ts';
import { AppFailure, toProblem } from '#core/errors/app-failure.ts';
import type { HttpRequest, HttpResponse, HttpSender } from '#core/http/http-sender.ts';
import { responseLimits } from '#core/http/response-limits.ts';
import type { TokenManager } from '#core/tokens/token-manager.ts';
import { responseDouble } from '../connection-double.ts';

const baseUrl = 'https://api.example';
/** A body that is not JSON. */
const page = '<html>';

const respond = (request: HttpRequest, status: number, value: unknown = {}): HttpResponse => {
  const json = () => Promise.reject(new AppFailure('PROTOCOL', 'not JSON'));
  return responseDouble({ request, status, value, trafficId: 7, ...(value === page && { json }) });
};

/** A sender that answers by a table of statuses, one after the other; 200 without one. */
function sending(answers: readonly (number | { status: number; value: unknown })[] = []) {
  const sent: HttpRequest[] = [];
  const http: HttpSender = {
    async send(request) {
      const answer = answers[sent.length] ?? 200;
      sent.push(request);
      return typeof answer === 'number' ? respond(request, answer) : respond(request, answer.status, answer.value);
    },
    retire: async () => {},
    close: async () => {},
  };
  const tokens = () => sent.map(({ headers }) => headers[0]?.[1].replace('Bearer ', ''));
  return { http, sent, tokens };
}

type Manager = Pick<TokenManager, 'token' | 'tokenInsteadOf' | 'held' | 'card'>;

function manager(name: string, changes: Partial<Manager> = {}): TokenManager {
  return {
    token: async () => name,
    tokenInsteadOf: async (rejected: string) => `${name} instead of ${rejected}`,
    held: async () => undefined,
    card: () => ({ state: 'none' }) as TokenCard,
    ...changes,
  } as Partial<TokenManager> as TokenManager;
}

const signedIn: Partial<Manager> = {
  held: async () => ({ accessToken: 'user', refreshToken: null }),
  card: () => ({ state: 'valid' }) as TokenCard,
};
const failed = (code: AppErrorCode): Partial<Manager> => ({
  card: () => ({ state: 'failed', lastProblem: { code, message: '', details: {} } }) as TokenCard,
});

function clientWith(
  options: {
    answers?: (number | { status: number; value: unknown })[];
    application?: TokenManager | undefined;
    user?: TokenManager;
  } = {},
) {
  const { answers = [], user = manager('user') } = options;
  const application = 'application' in options ? options.application : manager('app');
  const { http, sent, tokens } = sending(answers);
  const choice = createTokenChoice({ application, user }, 'Team');
  const api = createApiClient({ http, choice, baseUrl });
  const call = (path = '/v2/weather/?location_lat=1', more: Partial<ApiCall> = {}) =>
    api.call({ method: 'GET', path, ...more });
  const inUse = () => (choice.inUse() === user ? 'user' : 'app');
  return { call, sent, tokens, inUse };
}

describe('a call', () => {
  const headers = [
    ['authorization', 'Bearer app'],
    ['accept', 'application/json'],
    ['accept-encoding', 'gzip, br'],
  ];

  test('is sent with the token, and with JSON and all that its caller wants', async () => {
    const { call, sent } = clientWith();
    const { signal } = new AbortController();
    const wanted = { signal, isBackground: true, logged: 'on failure', waitMs: 0 } as const;
    expect((await call()).status).toBe(200);
    await call('/v2/monitors/', { method: 'POST', json: { a: 1 }, ...wanted });
    expect(sent).toStrictEqual([
      {
        method: 'GET',
        url: `${baseUrl}/v2/weather/?location_lat=1`,
        headers,
        limit: responseLimits.forecast,
      },
      {
        method: 'POST',
        url: `${baseUrl}/v2/monitors/`,
        headers: [...headers, ['content-type', 'application/json']],
        body: '{"a":1}',
        limit: responseLimits.monitors,
        ...wanted,
      },
    ]);
  });

  test('is repeated once with another token after a 401, and after nothing else', async () => {
    const once = clientWith({ answers: [401] });
    expect((await once.call('/v2/monitors/')).status).toBe(200);
    expect(once.tokens()).toEqual(['app', 'app instead of app']);
    const twice = clientWith({ answers: [401, 401] });
    await expect(twice.call('/v2/monitors/')).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      details: { httpStatus: 401 },
    });
    expect(twice.tokens()).toHaveLength(2);
    for (const status of [403, 404, 500]) {
      const { call, tokens } = clientWith({ answers: [status] });
      await expect(call('/v2/monitors/')).rejects.toMatchObject({ details: { httpStatus: status } });
      expect(tokens()).toHaveLength(1);
    }
  });

  test.each([
    ['/v2/weather/?a', true],
    ['/v2/nowcast/?a', true],
    ['/v2/backtest/?a', true],
    ['/v2/monitors/', false],
    ['/v2/delivery/', false],
    ['/x/v2/weather/', false],
    ['/v2/weather', false],
  ])('of %s may carry a user’s token: %s', async (path, mayBeUsers) => {
    const { call, tokens } = clientWith({ application: undefined, user: manager('user', signedIn) });
    const outcome = await call(path).then(({ status }) => status, toProblem);
    const refused = { code: 'ACCESS_REFUSED', message: '', details: { needs: 'client_credentials' } };
    expect(typeof outcome === 'number' ? outcome : { ...outcome, message: '' }).toEqual(mayBeUsers ? 200 : refused);
    expect(tokens()).toEqual(mayBeUsers ? ['user'] : []);
  });

  test('of monitors says what to do if the application gets no token', async () => {
    const throwing = (error: Error) => manager('app', { token: () => Promise.reject(error) });
    const refused = new AppFailure('UNAUTHORIZED_CLIENT', 'Refused.', { error: 'unauthorized_client' });
    const { call } = clientWith({ application: throwing(refused) });
    const problem = {
      code: 'UNAUTHORIZED_CLIENT',
      details: { error: 'unauthorized_client', needs: 'client_credentials' },
    };
    await expect(call('/v2/monitors/')).rejects.toMatchObject(problem);
    expect(toProblem(monitorsNeedApplication(refused))).toMatchObject({
      ...problem,
      message: expect.stringMatching(/^Refused\. \S/),
    });
    const other = new AppFailure('REFUSED', 'Refused.');
    await expect(clientWith({ application: throwing(other) }).call('/v2/monitors/')).rejects.toBe(other);
    const bug = new TypeError('bug');
    await expect(clientWith({ application: throwing(bug) }).call('/v2/monitors/')).rejects.toBe(bug);
  });
});

describe('the weather is read', () => {
  const user = () => manager('user', signedIn);
  const application = (code: AppErrorCode) => manager('app', failed(code));
  const again = 'app instead of app';

  test.each([
    ['by the application although a user is signed in', { user: user() }, [], ['app'], 'app'],
    ['by the user after a 401', { user: user() }, [401, 401], ['app', again, 'user'], 'user'],
    ['by the user after a 403', { user: user() }, [403], ['app', 'user'], 'user'],
    [
      'by the application if it failed for a while',
      { user: user(), application: application('NETWORK') },
      [],
      ['app'],
      'app',
    ],
    ['by the application if nobody is signed in', { application: application('REFUSED') }, [], ['app'], 'app'],
    ['by the user of a public client', { application: undefined, user: user() }, [], ['user'], 'user'],
  ] as const)('%s', async (_, managers, answers, tokens, inUse) => {
    const client = clientWith({ ...managers, answers: [...answers] });
    expect((await client.call()).status).toBe(200);
    expect(client.tokens()).toEqual(tokens);
    expect(client.inUse()).toBe(inUse);
  });

  test('by the user from then on, until they sign out', async () => {
    let isSignedIn = true;
    const leaving = manager('user', {
      held: async () => (isSignedIn ? { accessToken: 'user', refreshToken: null } : undefined),
      card: () => ({ state: isSignedIn ? 'valid' : 'none' }) as TokenCard,
    });
    const { call, tokens, inUse } = clientWith({ user: leaving, answers: [403] });
    expect(inUse()).toBe('app');
    await call();
    await call();
    expect(tokens()).toEqual(['app', 'user', 'user']);
    isSignedIn = false;
    expect(inUse()).toBe('app');
    await call();
    expect(tokens()).toEqual(['app', 'user', 'user', 'app']);
  });

  test.each([
    ['nobody is signed in', {}, [403], 403, ['app']],
    ['it is none of the token', { user: user() }, [500], 500, ['app']],
    ['the user’s is rejected too', { user: user() }, [403, 401, 401], 403, ['app', 'user', 'user instead of user']],
    ['the user’s is forbidden, too', { user: user() }, [403, 403], 403, ['app', 'user']],
  ] as const)('not at all if %s', async (_, managers, answers, httpStatus, tokens) => {
    const client = clientWith({ ...managers, answers: [...answers] });
    await expect(client.call()).rejects.toMatchObject({ details: { httpStatus } });
    expect(client.tokens()).toEqual(tokens);
    expect(client.inUse()).toBe('app');
  });

  test('by the user if the user’s token fails otherwise, which is then told', async () => {
    const client = clientWith({ user: user(), answers: [403, 404] });
    await expect(client.call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  const throwing = (error: Error) => manager('app', { token: () => Promise.reject(error) });

  test.each([
    ['UNAUTHORIZED_CLIENT', true],
    ['REFUSED', true],
    ['ACCESS_REFUSED', false],
    ['INVALID_CLIENT', false],
    ['INVALID_GRANT', false],
    ['INVALID_SCOPE', false],
  ] as const)('by the user, if there is one, if the token endpoint returns %s', async (code, helps) => {
    const failure = new AppFailure(code, 'No.', { error: 'x' });
    for (const refused of [throwing(failure), application(code)]) {
      const { call, inUse, tokens } = clientWith({ user: user(), application: refused });
      await call();
      expect([tokens(), inUse()]).toEqual([['user'], refused.card().state === 'failed' ? 'user' : 'app']);
    }
    // Wrong credentials have to be corrected first.
    await expect(clientWith({ application: throwing(failure) }).call()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(helps ? /^No\. \S/ : /^No\.$/),
      details: helps ? { error: 'x', needs: 'sign_in' } : { error: 'x' },
    });
  });

  test.each([new AppFailure('NETWORK', 'No.'), new TypeError('bug')])('not if the request fails: %s', async (error) => {
    const { call, tokens } = clientWith({ user: user(), application: throwing(error) });
    await expect(call()).rejects.toBe(error);
    expect(tokens()).toEqual([]);
  });
});

test('a response is read as JSON of a form', async () => {
  const request: HttpRequest = { method: 'GET', url: `${baseUrl}/v2/x`, headers: [] };
  const schema = z.object({ a: z.number() });
  expect(await readAs(respond(request, 200, { a: 1 }), schema, 'an x')).toEqual({ a: 1 });
  await expect(readAs(respond(request, 200, {}), schema, 'an x')).rejects.toMatchObject({
    code: 'PROTOCOL',
    message: 'api.example returned an x: a: is missing.',
    details: { httpStatus: 200, trafficId: 7 },
  });
  await expect(readAs(respond(request, 200, 1), schema, 'an x')).rejects.toMatchObject({
    message: 'api.example returned an x: the response should be an object, but is a number.',
  });
});

describe('the metadata of an authorization server (RFC 8414)', () => {
  const metadata = { issuer: 'https://auth.example', revocation_endpoint: 'https://auth.example/revoke' };
  const request = (name: string) => ({
    method: 'GET',
    url: `https://auth.example/.well-known/${name}`,
    headers: [['accept', 'application/json']],
    limit: responseLimits.metadata,
  });
  const requests = [request('oauth-authorization-server'), request('openid-configuration')];

  const ok = (value: unknown) => ({ status: 200, value });
  const odd = { issuer: 1, revocation_endpoint: 'a'.repeat(2001) };
  const fitting = { authorization_response_iss_parameter_supported: true };

  test.each([
    ['its own document', [ok(metadata)], metadata, 1],
    ['the one of OpenID Connect', [404, ok(metadata)], metadata, 2],
    ['the one behind a page', [ok(page), ok(metadata)], metadata, 2],
    ['no document with another status', [{ status: 201, value: metadata }, 500], undefined, 2],
    ['a document without what does not fit', [ok({ ...odd, ...fitting })], fitting, 1],
  ])('is read from %s', async (_, answers, found, count) => {
    const { http, sent } = sending(answers);
    expect(await fetchMetadata({ http }, 'https://auth.example')).toEqual(found);
    expect(sent).toEqual(requests.slice(0, count));
  });
});
