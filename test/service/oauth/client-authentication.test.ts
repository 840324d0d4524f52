// How clients of the token endpoint authenticate (docs/interface.md §5.3) and what each refusal says (RFC 6749 §5.2), with bodies that
// are wrong on purpose.
import { describe, expect, test } from 'vitest';
import { basic, type OAuthService, postToken, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

const ours = { grant_type: 'client_credentials' };

test('credentials in the body, and a client id beside the header, are taken', async () => {
  const service = await startOAuthService();
  const { clientId, clientSecret } = service.sandbox;
  expect((await postToken(service, { ...ours, client_id: clientId, client_secret: clientSecret })).status).toBe(200);
  const authorization = basic(clientId, clientSecret);
  expect((await postToken(service, { ...ours, client_id: clientId }, { authorization })).status).toBe(200);
  const encoded = basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret).replace('a', '%61'));
  expect((await postToken(service, ours, { authorization: encoded })).status).toBe(200);
  // RFC 6749 §2.3.1 form-encodes the ID in the header, but not in the body.
  const encodedId = basic(
    clientId.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
    clientSecret,
  );
  expect((await postToken(service, { ...ours, client_id: clientId }, { authorization: encodedId })).status).toBe(200);
});

test.each([
  ['no credentials at all', undefined, {}],
  ['an unknown client', basic('nobody', 'x'), {}],
  ['a wrong secret', basic('SANDBOX', 'x'), {}],
  ['an empty secret', basic('SANDBOX', ''), {}],
  ['a header that is not base64', 'Basic ???', {}],
  ['a header without a colon', `Basic ${Buffer.from('abc').toString('base64')}`, {}],
  ['another scheme', 'Bearer abc', {}],
  ['only the id of a confidential client', undefined, { client_id: 'SANDBOX' }],
  ['a wrong secret in the body', undefined, { client_id: 'SANDBOX', client_secret: 'x' }],
])('%s is answered 401 invalid_client with WWW-Authenticate', async (_name, header, form) => {
  const service = await startOAuthService();
  const { clientId } = service.sandbox;
  const authorization =
    header === basic('SANDBOX', 'x')
      ? basic(clientId, 'x')
      : header === basic('SANDBOX', '')
        ? basic(clientId, '')
        : header;
  const named = 'client_id' in form ? { ...form, client_id: clientId } : form;
  const { response, status, answer } = await postToken(
    service,
    { ...ours, ...named },
    authorization === undefined ? {} : { authorization },
  );
  expect([status, answer['error']]).toEqual([401, 'invalid_client']);
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['nothing', ''],
  ['an empty grant_type', 'grant_type='],
  ['a repeated parameter', 'grant_type=client_credentials&grant_type=client_credentials'],
  ['two ways to authenticate', 'grant_type=client_credentials&client_secret=x'],
  ['a NUL character', 'grant_type=client_credentials&x=%00'],
  ['another client id than the header', 'grant_type=client_credentials&client_id=other'],
])('a body with %s is answered 400 invalid_request', async (_name, body) => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const { status, answer } = await postToken(service, {}, { authorization, body });
  expect([status, answer['error']]).toEqual([400, 'invalid_request']);
});

test('JSON, a foreign grant and a name from the prototype are refused in the words of RFC 6749', async () => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const json = await postToken(
    service,
    {},
    { authorization, contentType: 'application/json', body: '{"grant_type":"client_credentials"}' },
  );
  expect([json.status, json.answer['error']]).toEqual([400, 'invalid_request']);
  for (const grant_type of ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'constructor', '__proto__', 'toString']) {
    const { status, answer } = await postToken(service, { grant_type }, { authorization });
    expect([status, answer['error']]).toEqual([400, 'unsupported_grant_type']);
  }
  expect((await fetch(`${service.baseUrl}/token/`)).status).toBe(405);
});

test('a body over 64 KB is refused', async () => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const { status } = await postToken(service, { ...ours, filling: 'x'.repeat(70_000) }, { authorization });
  expect(status).toBe(413);
});

test('a public client cannot use client credentials, and has no secret to be guessed', async () => {
  const service = await startOAuthService();
  const { clientId } = await registerApplication(service, { isPublic: true });
  expect((await postToken(service, { ...ours, client_id: clientId })).answer['error']).toBe('unauthorized_client');
  expect((await postToken(service, ours, { authorization: basic(clientId, 'guess') })).answer['error']).toBe(
    'invalid_client',
  );
});

test('the password grant is for authorized applications, by username or email address', async () => {
  const service = await startOAuthService();
  const plain = await registerApplication(service);
  const form = { grant_type: 'password', username: carol.username, password: carol.password, scope: 'post_metag' };
  const refused = await postToken(service, form, { authorization: basic(plain.clientId, plain.clientSecret) });
  expect([refused.status, refused.answer['error']]).toEqual([400, 'unauthorized_client']);
  const trusted = await registerApplication(service, { allowsPassword: true });
  const authorization = basic(trusted.clientId, trusted.clientSecret);
  for (const username of [carol.username, carol.email, 'CAROL']) {
    const { answer } = await postToken(service, { ...form, username }, { authorization });
    expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
  }
  for (const wrong of [{ password: 'no' }, { username: 'nobody' }]) {
    expect((await postToken(service, { ...form, ...wrong }, { authorization })).answer['error']).toBe('invalid_grant');
  }
  expect((await postToken(service, { ...form, password: '' }, { authorization })).answer['error']).toBe(
    'invalid_request',
  );
  expect((await postToken(service, { ...form, scope: 'admin' }, { authorization })).answer['error']).toBe(
    'invalid_scope',
  );
});

test('guessing is slowed down with 429, long after what honest clients do wrong', async () => {
  const service = await startOAuthService();
  const { clientId, clientSecret } = service.sandbox;
  const guess = async () => (await postToken(service, ours, { authorization: basic(clientId, 'guess') })).status;
  for (let count = 0; count < 25; count += 1) expect(await guess()).toBe(401);
  const honest = async () => (await postToken(service, ours, { authorization: basic(clientId, clientSecret) })).status;
  for (let count = 0; count < 145; count += 1) expect(await honest()).toBe(200);
  for (let count = 0; count < 15; count += 1) await guess();
  const { response, status } = await postToken(service, ours, { authorization: basic(clientId, 'guess') });
  expect(status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a token may be sent in the Authorization header only', async () => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const token = String((await postToken(service, ours, { authorization })).answer['access_token']);
  const none = await fetch(`${service.baseUrl}/v2/probe`);
  expect(none.status).toBe(401);
  expect(none.headers.get('www-authenticate')).toBe('Bearer realm="Rainbell"');
  const query = await fetch(`${service.baseUrl}/v2/probe?access_token=${token}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(query.status).toBe(400);
  const lower = await fetch(`${service.baseUrl}/v2/probe`, { headers: { authorization: `bearer ${token}` } });
  expect(lower.status).toBe(200);
});

test('revocation ends only the access token, or a refresh token with its family; other clients cannot revoke', async () => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const { answer } = await postToken(service, ours, { authorization });
  const [access, refresh] = [String(answer['access_token']), String(answer['refresh_token'])];
  const post = (path: string, token: string, header: string) =>
    fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: header, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}`,
    });
  const { tokens } = service.oauth;
  const isActive = async (token: string) =>
    (await Promise.all([tokens.findAccessToken(token), tokens.findRefreshToken(token)])).some(Boolean);
  const other = await registerApplication(service);
  const foreign = basic(other.clientId, other.clientSecret);
  expect((await post('/token/revoke/', access, foreign)).status).toBe(200);
  expect(await isActive(access)).toBe(true);
  expect((await post('/token/revoke/', access, authorization)).status).toBe(200);
  expect([await isActive(access), await isActive(refresh)]).toEqual([false, true]);
  expect((await post('/token/revoke/', refresh, authorization)).status).toBe(200);
  expect(await isActive(refresh)).toBe(false);
  expect((await post('/token/revoke/', 'unknown', authorization)).status).toBe(200);
  expect((await post('/token/revoke/', access, basic(other.clientId, 'x'))).status).toBe(401);
});

describe('behind a reverse proxy', () => {
  const guessUntilRefused = async (service: OAuthService, write = (client: string, _count: number) => client) => {
    const authorization = basic(service.sandbox.clientId, 'guess');
    const guess = (client: string, count = 0) =>
      postToken(service, ours, { authorization, forwardedFor: `198.51.100.99, ${write(client, count)}` });
    for (let count = 0; count < 41; count += 1) await guess('2001:db8:0:1:2:3:4:5', count);
    for (let count = 0; count < 41; count += 1) await guess('198.51.100.1', count);
    const clients = ['198.51.100.1', '198.51.100.2', '2001:db8:0:1:2:3:4:5', '2001:db8:0:2:2:3:4:5'];
    return Promise.all(clients.map(async (client) => (await guess(client, 41)).status));
  };

  test('guesses are counted by the client that a trusted proxy names', async () => {
    const service = await startOAuthService({ trustedProxies: ['127.0.0.0/8'] });
    expect(await guessUntilRefused(service)).toEqual([429, 401, 429, 401]);
  });

  test('a port behind the address changes nothing, as Azure and RFC 7239 write it', async () => {
    const service = await startOAuthService({ trustedProxies: ['127.0.0.0/8', '198.51.100.98'] });
    const write = (client: string, count: number) =>
      `${client.includes(':') ? `[${client}]` : client}:${50_000 + count}, 198.51.100.98:${count + 1}`;
    expect(await guessUntilRefused(service, write)).toEqual([429, 401, 429, 401]);
  });

  test('headers that any client can set change nothing if no proxy is trusted', async () => {
    expect(await guessUntilRefused(await startOAuthService())).toEqual([429, 429, 429, 429]);
  });
});
