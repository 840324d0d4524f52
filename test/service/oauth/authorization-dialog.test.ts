// The authorization dialog over HTTP (docs/interface.md §4.1): its answers, its errors, and what it refuses.
import { sql } from 'kysely';
import { request } from 'undici';
import { expect, test } from 'vitest';
import {
  type Agent,
  authorize,
  createAgent,
  decisionAction,
  type DialogPage,
  hiddenFields,
  signInAction,
} from './dialog-browser.ts';
import { basic, type OAuthService, postToken, probe, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

const asked = ({ sandbox }: OAuthService, changes: Record<string, string> = {}) => ({
  client_id: sandbox.clientId,
  response_type: 'code',
  redirect_uri: sandbox.redirectUri,
  scope: 'post_metag',
  state: 'x y&z=ä',
  ...changes,
});

async function start() {
  const service = await startOAuthService();
  return { service, sandbox: service.sandbox, agent: createAgent(service.baseUrl) };
}

/** The first page, or what comes instead of it. */
const open = (service: OAuthService, agent: Agent, changes?: Record<string, string>) =>
  agent.get(`/oauth/authorize/?${new URLSearchParams(asked(service, changes))}`);

/** The consent page of a signed-in user. */
async function openConsent(service: OAuthService, agent: Agent): Promise<DialogPage> {
  const { username, password } = service.sandbox;
  const signedIn = await agent.submit(await open(service, agent), signInAction, { username, password });
  return agent.get(signedIn.location ?? '');
}

test('a user signs in, allows it, and the application exchanges the code for a token of that user', async () => {
  const { service, sandbox, agent } = await start();
  const answer = await authorize(agent, asked(service), sandbox);
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
  expect(await (await probe(service, token['access_token'])).json()).toMatchObject({
    access: { kind: 'authorization_code', scope: ['post_metag'] },
  });
});

test('the implicit flow answers in the fragment, with the token and its lifetime and without a refresh token', async () => {
  const { service, sandbox, agent } = await start();
  const answer = await authorize(agent, asked(service, { response_type: 'token', state: 's1' }), sandbox);
  expect(answer.location).toMatch(
    /^http:\/\/127\.0\.0\.1:7777\/callback#state=s1&access_token=[A-Za-z0-9]{43}&expires_in=3600&token_type=bearer&scope=post_metag&iss=http%3A%2F%2F127\.0\.0\.1%3A\d+$/,
  );
});

test('a query in the redirect address is kept, and the answer is added to it', async () => {
  const { service, agent } = await start();
  const { clientId, redirectUri } = await registerApplication(service);
  const query = asked(service, { client_id: clientId, redirect_uri: redirectUri, state: 's' });
  expect((await authorize(agent, query, carol)).location).toMatch(
    /^https:\/\/app\.example\.org\/callback\?from=rainbell&state=s&code=[A-Za-z0-9]+&iss=[^&]+$/,
  );
});

test('the names on the pages are not read as markup, and can’t change the direction of the text around them', async () => {
  const { service, agent } = await start();
  const { clientId, redirectUri } = await registerApplication(service, { name: '<script>alert(1)</script>' });
  const page = await open(service, agent, { client_id: clientId, redirect_uri: redirectUri });
  expect(page.text).toMatch(/to <strong><bdi>&lt;script&gt;[^<]+<\/bdi><\/strong> by <bdi>[^<]+<\/bdi>/);
  const consent = await openConsent(service, agent);
  expect(consent.text).toMatch(/Allow <bdi>[^<]+<\/bdi>\?/);
  expect(consent.text).toMatch(/By <strong><bdi>[^<]+<\/bdi><\/strong>\. Its description: <bdi>/);
});

test('a request that names no registered redirect address gets an error page and no redirect (docs/tokens.md T27)', async () => {
  const { service, agent } = await start();
  for (const changes of [
    { client_id: 'nobody' },
    { client_id: '' },
    { redirect_uri: '' },
    { redirect_uri: 'https://evil.test/callback' },
    { redirect_uri: 'http://127.0.0.1:7777@evil.test/callback' },
    // A name instead of the loopback literal.
    { redirect_uri: 'http://localhost:7777/callback' },
  ]) {
    const { status, location, headers } = await open(service, agent, changes);
    expect([changes, status, location, headers.get('content-type')]).toEqual([
      changes,
      400,
      null,
      'text/html; charset=utf-8',
    ]);
  }
});

test('any other error goes back to the application, with its state first and the service as iss last', async () => {
  const { service, agent } = await start();
  const codeChallenge = { code_challenge: 'a'.repeat(43) };
  for (const [changes, error] of [
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ scope: '' }, 'invalid_request'],
    [{ scope: 'post_metag admin' }, 'invalid_scope'],
    [{ scope: 'admin', response_type: 'token' }, 'invalid_scope'],
    [{ ...codeChallenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [codeChallenge, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    // RFC 7636 section 4.2: 32 bytes in base64url.
    ...['a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}~`, `${'a'.repeat(42)}.`].map(
      (code_challenge) => [{ code_challenge, code_challenge_method: 'S256' }, 'invalid_request'] as const,
    ),
  ] as const) {
    const { status, location } = await open(service, agent, { ...changes, state: 'abc' });
    const mark = 'response_type' in changes && changes.response_type === 'token' ? '#' : '?';
    const [address, answer = ''] = location?.split(mark) ?? [];
    const parameters = [...new URLSearchParams(answer)];
    expect([changes, status, address, parameters]).toEqual([
      changes,
      302,
      service.sandbox.redirectUri,
      [
        ['state', 'abc'],
        ['error', error],
        ['error_description', expect.stringMatching(/\.$/)],
        ['iss', service.baseUrl],
      ],
    ]);
  }
});

test('a loopback address is taken on any port, and a denial returns with the state byte for byte', async () => {
  const { service, sandbox, agent } = await start();
  const redirect = encodeURIComponent('http://127.0.0.1:50123/callback');
  const state = '%7B%22a%22%3A%22b+c%22%7D~!*();=/?:@,$-_.%E2%82%AC%0A%00%ff';
  const opened = await agent.get(
    `/oauth/authorize?client_id=${sandbox.clientId}&response_type=code&scope=post_metag&redirect_uri=${redirect}&state=${state}`,
  );
  const denied = await agent.submit(opened, decisionAction, { decision: 'deny' });
  const iss = encodeURIComponent(service.baseUrl);
  expect(denied.location).toBe(
    `http://127.0.0.1:50123/callback?state=${state}&error=access_denied&error_description=The%20user%20denied%20access.&iss=${iss}`,
  );
});

const formOf = (page: DialogPage) => hiddenFields(page.text, decisionAction);

test('a form without the right token, from another site, or from another browser is refused', async () => {
  const { service, sandbox, agent } = await start();
  const opened = await open(service, agent);
  const { username, password } = sandbox;
  const forged = await agent.submit(opened, signInAction, { username, password, csrf: 'x' });
  const foreign = await agent.submit(opened, signInAction, { username, password }, { origin: 'https://evil.test' });
  const consent = await openConsent(service, agent);
  const attacker = createAgent(service.baseUrl);
  const other = await attacker.submit(consent, decisionAction, { decision: 'approve' });
  expect([forged.status, foreign.status, other.status]).toEqual([403, 403, 403]);
  // Also with the other browser's own CSRF token.
  const own = await openConsent(service, attacker);
  const { request = '' } = formOf(consent);
  for (const wrong of [request, formOf(own)['request']?.replace(/.{4}$/, 'AAAA') ?? '', '']) {
    const { status, location } = await attacker.submit(own, decisionAction, { decision: 'approve', request: wrong });
    expect([wrong, status, location]).toEqual([wrong, 400, null]);
  }
});

test('a consent page allows the request once, and refuses every later use', async () => {
  const { service, agent } = await start();
  const consent = await openConsent(service, agent);
  const allow = () => agent.submit(consent, decisionAction, { decision: 'approve' });
  const statuses = (await Promise.all([allow(), allow(), allow()])).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([303, 400, 400]);
  for (const later of [await allow(), await agent.submit(consent, decisionAction, { decision: 'deny' })]) {
    expect([later.status, later.location]).toEqual([400, null]);
  }
  expect(await service.db.selectFrom('codes').select('hash').execute()).toHaveLength(1);
});

test('a page is no longer good after 30 minutes, or once its application was disabled', async () => {
  const { service, sandbox, agent } = await start();
  const old = await openConsent(service, agent);
  service.clock.advance(30 * 60);
  const late = await agent.submit(old, decisionAction, { decision: 'approve' });
  expect([late.status, late.location]).toEqual([400, null]);
  expect(late.text).toContain('older than 30 minutes');
  const consent = await open(service, agent);
  const application = await service.oauth.applications.findActive(sandbox.clientId);
  if (application) await service.oauth.applications.setDisabled(application, true);
  expect((await agent.submit(consent, decisionAction, { decision: 'approve' })).status).toBe(400);
  expect(await service.db.selectFrom('codes').select('hash').execute()).toEqual([]);
});

test('opening the dialog, a wrong password, and canceling write nothing', async () => {
  const { service, agent } = await start();
  // From here on SQLite refuses every write.
  await sql`PRAGMA query_only = ON`.execute(service.db);
  const opened = await open(service, agent);
  expect(opened.status).toBe(200);
  expect((await agent.submit(opened, signInAction, { username: 'sandbox', password: 'no' })).status).toBe(422);
  expect((await agent.submit(opened, decisionAction, { decision: 'deny' })).status).toBe(303);
  await sql`PRAGMA query_only = OFF`.execute(service.db);
});

test('only a sign-in sets a cookie, in place of one that the service did not issue, and signing out ends it', async () => {
  const { service, sandbox, agent } = await start();
  const name = `rainbell_session_${new URL(service.baseUrl).port}`;
  const address = `${service.baseUrl}/oauth/authorize/?${new URLSearchParams(asked(service))}`;
  const planted = await fetch(address, { headers: { cookie: `${name}=${'x'.repeat(43)}` } });
  const opened = await open(service, agent);
  const wrong = await agent.submit(opened, signInAction, { username: '<b>', password: 'no' });
  expect([planted, opened, wrong].flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Username or password wrong.');
  expect(wrong.text).toContain('value="&lt;b&gt;"');
  const { username, password } = sandbox;
  const signedIn = await agent.submit(wrong, signInAction, { username, password });
  expect(signedIn.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^rainbell_session_\d+=[\w.-]{80,}; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const consent = await open(service, agent);
  const switched = await agent.submit(consent, '/oauth/authorize/switch/', {});
  expect(switched.headers.getSetCookie()).toEqual([expect.stringMatching(new RegExp(`^${name}=;`))]);
});

test('an application that requires PKCE gets no code without it, and the error names the setting', async () => {
  const { service, agent } = await start();
  const application = await registerApplication(service, { isPublic: true, requiresPkce: true });
  const query = asked(service, { client_id: application.clientId, redirect_uri: application.redirectUri });
  const refused = await open(service, agent, query);
  const { searchParams } = new URL(refused.location ?? '');
  expect(searchParams.get('error')).toBe('invalid_request');
  expect(searchParams.get('error_description')).toContain("'Require PKCE'");
  const inFragment = await open(service, agent, { ...query, response_type: 'token' });
  const fragment = new URLSearchParams(new URL(inFragment.location ?? '').hash.slice(1));
  expect(fragment.get('error')).toBe('unauthorized_client');
  expect(fragment.get('error_description')).toContain("'Require PKCE'");
  const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  const answer = await authorize(agent, { ...query, ...challenge }, carol);
  expect(new URL(answer.location ?? '').searchParams.get('code')).toMatch(/^[A-Za-z0-9]{43}$/);
});

test('no page may be framed, run scripts or be cached, and the policy lets the form redirect to the application (docs/tokens.md T27)', async () => {
  const { service, agent } = await start();
  const opened = await open(service, agent);
  const policy = opened.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self' http://127.0.0.1:7777;");
  expect(opened.headers.get('x-frame-options')).toBe('DENY');
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect(opened.headers.get('referrer-policy')).toBe('same-origin');
});

test('a name that does not belong to the service is not answered, so no page elsewhere can rebind to it', async () => {
  const { service } = await start();
  const answer = await request(`${service.baseUrl}/oauth/authorize/`, { headers: { host: 'evil.test' } });
  await answer.body.dump();
  expect(answer.statusCode).toBe(421);
});
