// The authorization dialog over HTTP (docs/interface.md §4.1): its answers, its errors, and what it refuses.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  authorize,
  createAgent,
  decisionAction,
  type DialogPage,
  hiddenFields,
  signInAction,
} from './dialog-browser.ts';
import { basic, type OAuthService, postToken, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

const asked = ({ sandbox }: OAuthService, changes: Record<string, string> = {}) => ({
  client_id: sandbox.clientId,
  response_type: 'code',
  redirect_uri: sandbox.redirectUri,
  scope: 'post_metag',
  state: 'x y&z=ä',
  ...changes,
});

test('a user signs in, allows it, and the application exchanges the code for a token of that user', async () => {
  const service = await startOAuthService();
  const { sandbox } = service;
  const answer = await authorize(createAgent(service.baseUrl), asked(service), sandbox);
  expect(answer.status).toBe(303);
  expect(answer.location).toMatch(
    /^http:\/\/127\.0\.0\.1:7777\/callback\?state=x\+y%26z%3D%C3%A4&code=[A-Za-z0-9]{43}&iss=http%3A%2F%2F127\.0\.0\.1%3A\d+$/,
  );
  const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
  const { status, answer: token } = await postToken(
    service,
    { grant_type: 'authorization_code', code, redirect_uri: sandbox.redirectUri },
    { authorization: basic(sandbox.clientId, sandbox.clientSecret) },
  );
  expect(status).toBe(200);
  expect(Object.keys(token)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
  const probe = await fetch(`${service.baseUrl}/v2/probe`, {
    headers: { authorization: `Bearer ${String(token['access_token'])}` },
  });
  expect(await probe.json()).toMatchObject({ access: { kind: 'authorization_code', scope: ['post_metag'] } });
});

test('the implicit flow answers in the fragment, with the token and its lifetime and without a refresh token', async () => {
  const service = await startOAuthService();
  const answer = await authorize(
    createAgent(service.baseUrl),
    asked(service, { response_type: 'token', state: 's1' }),
    service.sandbox,
  );
  expect(answer.location).toMatch(
    /^http:\/\/127\.0\.0\.1:7777\/callback#state=s1&access_token=[A-Za-z0-9]{43}&expires_in=3600&token_type=bearer&scope=post_metag&iss=http%3A%2F%2F127\.0\.0\.1%3A\d+$/,
  );
});

test('the names on the pages can’t change the direction of the text around them', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  expect(opened.text).toMatch(/to <strong><bdi>[^<]+<\/bdi><\/strong> by <bdi>[^<]+<\/bdi>/);
  const consent = await openConsent(service, agent);
  expect(consent.text).toMatch(/Allow <bdi>[^<]+<\/bdi>\?/);
  expect(consent.text).toMatch(/By <strong><bdi>[^<]+<\/bdi><\/strong>\. Its description: <bdi>/);
});

test('denying returns that to the application, with its state', async () => {
  const service = await startOAuthService();
  const answer = await authorize(
    createAgent(service.baseUrl),
    asked(service, { state: 's1' }),
    service.sandbox,
    'deny',
  );
  const { searchParams } = new URL(answer.location ?? '');
  expect(Object.fromEntries(searchParams)).toMatchObject({ state: 's1', error: 'access_denied' });
});

test.each([
  ['an unknown client', { client_id: 'nobody' }],
  ['no client', { client_id: '' }],
  ['no redirect address', { redirect_uri: '' }],
  ['an address that is not registered', { redirect_uri: 'https://evil.test/callback' }],
  ['an address that begins like a registered one', { redirect_uri: 'http://127.0.0.1:7777.evil.test/callback' }],
  ['a longer path', { redirect_uri: 'http://127.0.0.1:7777/callback/extra' }],
  ['user information', { redirect_uri: 'http://127.0.0.1:7777@evil.test/callback' }],
  ['a name instead of the loopback literal', { redirect_uri: 'http://localhost:7777/callback' }],
])('%s gets an error page and no redirect (docs/tokens.md T27)', async (_name, changes) => {
  const service = await startOAuthService();
  const answer = await createAgent(service.baseUrl).get(
    `/oauth/authorize/?${new URLSearchParams(asked(service, changes))}`,
  );
  expect(answer.status).toBe(400);
  expect(answer.location).toBeNull();
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test.each([
  ['no response_type', { response_type: '' }, 'invalid_request'],
  ['an unknown response_type', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['no scope', { scope: '' }, 'invalid_request'],
  ['an unknown scope', { scope: 'post_metag admin' }, 'invalid_scope'],
  ['a plain code challenge', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
  ['a code challenge without a method', { code_challenge: 'a'.repeat(43) }, 'invalid_request'],
  ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
])('%s goes back to the application as an error', async (_name, changes, error) => {
  const service = await startOAuthService();
  const query = new URLSearchParams(asked(service, { state: 'abc', ...changes }));
  const answer = await createAgent(service.baseUrl).get(`/oauth/authorize/?${query}`);
  expect(answer.status).toBe(302);
  const { searchParams } = new URL(answer.location ?? '');
  expect(searchParams.get('error')).toBe(error);
  expect([...searchParams.keys()][0]).toBe('state');
});

test('an error of the implicit flow goes back in the fragment', async () => {
  const service = await startOAuthService();
  const query = new URLSearchParams(asked(service, { response_type: 'token', scope: 'admin', state: 'abc' }));
  const answer = await createAgent(service.baseUrl).get(`/oauth/authorize/?${query}`);
  expect(answer.location).toMatch(/\/callback#state=abc&error=invalid_scope&/);
});

test('a loopback address is taken on any port, and the state comes back byte for byte', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const redirect = encodeURIComponent('http://127.0.0.1:50123/callback');
  const state = '%7B%22a%22%3A%22b+c%22%7D~!*();=/?:@,$-_.%E2%82%AC%0A%00%ff';
  const opened = await agent.get(
    `/oauth/authorize?client_id=${service.sandbox.clientId}&response_type=code&scope=post_metag&redirect_uri=${redirect}&state=${state}`,
  );
  const denied = await agent.submit(opened, decisionAction, { decision: 'deny' });
  expect(denied.location).toMatch(/^http:\/\/127\.0\.0\.1:50123\/callback\?state=/);
  expect(denied.location?.split('state=')[1]?.split('&error=')[0]).toBe(state);
});

test('a form without the right token, from another site, or from another browser is refused', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  const { username, password } = service.sandbox;
  const forged = await agent.submit(opened, signInAction, { username, password, csrf: 'x' });
  expect(forged.status).toBe(403);
  const foreign = await agent.submit(opened, signInAction, { username, password }, { origin: 'https://evil.test' });
  expect(foreign.status).toBe(403);
  const consent = await openConsent(service, agent);
  const other = await createAgent(service.baseUrl).submit(consent, decisionAction, { decision: 'approve' });
  expect(other.status).toBe(403);
});

/** The consent page of a signed-in user. */
async function openConsent(service: OAuthService, agent = createAgent(service.baseUrl)): Promise<DialogPage> {
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  const { username, password } = service.sandbox;
  const signedIn = await agent.submit(opened, signInAction, { username, password });
  return agent.get(signedIn.location ?? '');
}

const statusesOf = (answers: readonly DialogPage[]) =>
  answers.map((answer) => answer.status).toSorted((one, other) => one - other);

test('a consent page allows the request once, and refuses every later use', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const consent = await openConsent(service, agent);
  const allow = () => agent.submit(consent, decisionAction, { decision: 'approve' });
  expect(statusesOf(await Promise.all([allow(), allow(), allow()]))).toEqual([303, 400, 400]);
  const later = [await allow(), await agent.submit(consent, decisionAction, { decision: 'deny' })];
  expect(statusesOf(later)).toEqual([400, 400]);
  expect(later.map(({ location }) => location)).toEqual([null, null]);
  expect(await service.db.selectFrom('codes').select('hash').execute()).toHaveLength(1);
});

test('opening the dialog, a wrong password, and canceling write nothing', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  // From here on SQLite refuses every write.
  await sql`PRAGMA query_only = ON`.execute(service.db);
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  expect(opened.status).toBe(200);
  expect((await agent.submit(opened, signInAction, { username: 'sandbox', password: 'no' })).status).toBe(422);
  expect((await agent.submit(opened, decisionAction, { decision: 'deny' })).status).toBe(303);
  await sql`PRAGMA query_only = OFF`.execute(service.db);
});

test('only a sign-in sets a cookie, in place of one that the service did not issue, and signing out ends it', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const name = `rainbell_session_${new URL(service.baseUrl).port}`;
  const address = `/oauth/authorize/?${new URLSearchParams(asked(service))}`;
  const planted = { headers: { cookie: `${name}=${'x'.repeat(43)}` } };
  expect((await fetch(`${service.baseUrl}${address}`, planted)).headers.getSetCookie()).toEqual([]);
  const opened = await agent.get(address);
  const wrong = await agent.submit(opened, signInAction, { username: 'x', password: 'y' });
  expect([opened, wrong].flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  const { username, password } = service.sandbox;
  const signedIn = await agent.submit(opened, signInAction, { username, password });
  expect(signedIn.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^rainbell_session_\d+=[\w.-]{80,}; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const consent = await agent.get(address);
  const switched = await agent.submit(consent, '/oauth/authorize/switch/', {});
  expect(switched.headers.getSetCookie()).toEqual([expect.stringMatching(new RegExp(`^${name}=;`))]);
});

test('the pages are good for 30 minutes', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const consent = await openConsent(service, agent);
  service.clock.advance(30 * 60 - 1);
  const wrong = await agent.submit(consent, signInAction, { username: 'x', password: 'y', ...formOf(consent) });
  expect(wrong.status).toBe(422);
  service.clock.advance(1);
  const late = await agent.submit(consent, decisionAction, { decision: 'approve' });
  expect(late.status).toBe(400);
  expect(late.text).toContain('older than 30 minutes');
  expect(late.location).toBeNull();
});

const formOf = (page: DialogPage) => hiddenFields(page.text, decisionAction);

test.each([
  ['a changed request', (token: string) => `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`],
  ['a changed signature', (token: string) => token.replace(/.{4}$/, 'AAAA')],
  ['a request without a signature', (token: string) => token.split('.')[0] ?? ''],
  ['no request', () => ''],
])('a form with %s is refused', async (_name, change) => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const consent = await openConsent(service, agent);
  const request = change(formOf(consent)['request'] ?? '');
  const answer = await agent.submit(consent, decisionAction, { decision: 'approve', request });
  expect(answer.status).toBe(400);
  expect(answer.location).toBeNull();
});

test('the form of one browser is refused in another, also with the other browser’s own CSRF token', async () => {
  const service = await startOAuthService();
  const consent = await openConsent(service);
  const attacker = createAgent(service.baseUrl);
  const own = await openConsent(service, attacker);
  const mixed = { decision: 'approve', request: formOf(consent)['request'] ?? '' };
  const answer = await attacker.submit(own, decisionAction, mixed);
  expect(answer.status).toBe(400);
  expect(answer.location).toBeNull();
});

test('an application that was disabled while the page was open gets no code', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const consent = await openConsent(service, agent);
  const application = await service.oauth.applications.findActive(service.sandbox.clientId);
  if (application) await service.oauth.applications.setDisabled(application, true);
  const answer = await agent.submit(consent, decisionAction, { decision: 'approve' });
  expect(answer.status).toBe(400);
  expect(await service.db.selectFrom('codes').select('hash').execute()).toEqual([]);
});

test('every response names the service as iss, last, and the metadata say so', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  const denied = await agent.submit(opened, decisionAction, { decision: 'deny' });
  const query = new URLSearchParams(asked(service, { scope: 'admin' }));
  const refused = await agent.get(`/oauth/authorize/?${query}`);
  query.set('response_type', 'token');
  const inFragment = await agent.get(`/oauth/authorize/?${query}`);
  const metadata = await (await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    issuer: service.baseUrl,
    authorization_response_iss_parameter_supported: true,
  });
  for (const { location } of [denied, refused, inFragment]) {
    expect(location?.split('&').at(-1)).toBe(`iss=${encodeURIComponent(service.baseUrl)}`);
  }
});

test('an application that requires PKCE gets no code without it, and the error names the setting', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service, { isPublic: true, requiresPkce: true });
  const query = asked(service, { client_id: application.clientId, redirect_uri: application.redirectUri, state: 's' });
  const refused = await createAgent(service.baseUrl).get(`/oauth/authorize/?${new URLSearchParams(query)}`);
  const { searchParams } = new URL(refused.location ?? '');
  expect(searchParams.get('error')).toBe('invalid_request');
  expect(searchParams.get('error_description')).toContain("'Require PKCE'");
  expect(searchParams.get('state')).toBe('s');
  const implicit = new URLSearchParams({ ...query, response_type: 'token' });
  const inFragment = await createAgent(service.baseUrl).get(`/oauth/authorize/?${implicit}`);
  const fragment = new URLSearchParams(new URL(inFragment.location ?? '').hash.slice(1));
  expect(fragment.get('error')).toBe('unauthorized_client');
  expect(fragment.get('error_description')).toContain("'Require PKCE'");
  const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  const answer = await authorize(createAgent(service.baseUrl), { ...query, ...challenge }, carol);
  expect(new URL(answer.location ?? '').searchParams.get('code')).toMatch(/^[A-Za-z0-9]{43}$/);
});

test('75 sign-ins and 170 token requests from one address pass, of which 25 are refused for their secret', async () => {
  const service = await startOAuthService();
  const { clientId, clientSecret } = service.sandbox;
  const signIns = Array.from({ length: 75 }, () =>
    authorize(createAgent(service.baseUrl), asked(service), service.sandbox),
  );
  const tokens = Array.from({ length: 170 }, (_, count) => {
    const secret = count < 25 ? 'wrong' : clientSecret;
    const form = { grant_type: 'client_credentials' };
    return postToken(service, form, { authorization: basic(clientId, secret) });
  });
  const locations = (await Promise.all(signIns)).map(({ location }) => location ?? '');
  expect(locations.filter((location) => location.includes('&code='))).toHaveLength(75);
  const statuses = (await Promise.all(tokens)).map(({ status }) => status);
  expect([statuses.filter((status) => status === 401), statuses.filter((status) => status === 200)]).toEqual([
    Array<number>(25).fill(401),
    Array<number>(145).fill(200),
  ]);
});

test('no page may be framed, run scripts or be cached, and the policy lets the form redirect to the application (docs/tokens.md T27)', async () => {
  const service = await startOAuthService();
  const opened = await createAgent(service.baseUrl).get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  const policy = opened.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self' http://127.0.0.1:7777;");
  expect(opened.headers.get('x-frame-options')).toBe('DENY');
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect(opened.headers.get('referrer-policy')).toBe('same-origin');
});

test('wrong credentials return the form with a warning and the name; the session ID changes at sign-in', async () => {
  const service = await startOAuthService();
  const agent = createAgent(service.baseUrl);
  const opened = await agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service))}`);
  const wrong = await agent.submit(opened, signInAction, { username: '<b>', password: 'no' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Username or password wrong.');
  expect(wrong.text).toContain('value="&lt;b&gt;"');
  const { username, password } = service.sandbox;
  const right = await agent.submit(wrong, signInAction, { username, password });
  expect(right.status).toBe(303);
  expect(right.headers.getSetCookie()[0]).not.toBe(opened.headers.getSetCookie()[0]);
  expect(hiddenFields(wrong.text, signInAction)['request']).toBe(hiddenFields(opened.text, signInAction)['request']);
});

test('a name that does not belong to the service is not answered, so no page elsewhere can rebind to it', async () => {
  const service = await startOAuthService();
  const { request } = await import('undici');
  const answer = await request(`${service.baseUrl}/oauth/authorize/`, { headers: { host: 'evil.test' } });
  await answer.body.dump();
  expect(answer.statusCode).toBe(421);
});
