// The ways to sign in (docs/interface.md §5.4) against our own service, and against a small server for what ours never
// answers.
import { describe, expect, test } from 'vitest';
import { startFakeService, issueTokens } from '#test/core/fake-service.ts';
import type { Clock } from '#shared/time/clock.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import {
  type Answers,
  answerDialog,
  fieldsFor,
  personWithWindow,
  startAccess,
  startRealService,
  useOwn,
} from './access-harness.ts';
import type { DialogOutcome, DialogRequest } from '#core/ports/host.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

/** The app beside our service, for a user with a window who answers like this. */
async function startWithWindow(answers: Answers = {}, clock?: Clock) {
  const service = await startRealService();
  const person = personWithWindow(service, answers);
  const access = await startAccess({ sandbox: service, person, ...(clock && { clock }) });
  const tokenRequests = async () => {
    const { items } = await access.client.traffic.list({ kind: 'token' });
    const requests = await Promise.all(items.map(({ id }) => access.client.traffic.get({ id })));
    return requests.map(({ requestBody }) => requestBody ?? '');
  };
  return { service, person, tokenRequests, ...access };
}

// test/command-line/login.test.ts revokes a token.
describe('a user who signs in to our service', () => {
  test('by code has a token that is refreshable, past the CSRF cookie of the dialog, and PKCE goes along by default (docs/tokens.md T7, T25)', async () => {
    const { client, person } = await startWithWindow();
    const token = { owner: 'user', state: 'valid', grant: 'authorization_code', refreshable: true, deviations: [] };
    const result = await client.session.signIn({ way: 'authorization_code' });
    expect(result).toMatchObject({ outcome: 'approved', token });
    expect(await client.session.signIn({ way: 'authorization_code', pkce: false })).toMatchObject({
      outcome: 'approved',
    });
    expect(person.asked.map(({ searchParams }) => searchParams.get('code_challenge_method'))).toEqual(['S256', null]);
    const { user, application } = await client.session.state();
    expect(user.expiresAt).not.toBeNull();
    expect(application.grant ?? 'client_credentials').toBe('client_credentials');
  });

  test('by the implicit flow reads the fragment, and learns that the token cannot be refreshed (docs/tokens.md T12, T2)', async () => {
    const clock = createManualClock(Date.now());
    const { client } = await startWithWindow({}, clock);
    const result = await client.session.signIn({ way: 'implicit' });
    expect(result).toMatchObject({ outcome: 'approved', token: { grant: 'implicit', refreshable: false } });
    clock.advance(3_601_000);
    expect((await client.session.state()).user).toMatchObject({ state: 'expired', refreshable: false });
    await expect(client.session.refresh({ owner: 'user' })).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      message: expect.stringMatching(/expired at .* Sign in again/),
      data: { needs: 'sign_in' },
    });
  });

  test('by password is signed in, and the password is not stored (docs/tokens.md T23)', async () => {
    const service = await startRealService();
    const { client, host } = await startAccess({ sandbox: service });
    const { username, password } = service;
    expect(await client.session.signIn({ way: 'password', username, password })).toMatchObject({ outcome: 'approved' });
    // This host has no window that could keep a session.
    expect((await client.session.state()).browserSession).toBeNull();
    const { items } = await client.traffic.list({ kind: 'token' });
    const bodies = await Promise.all(items.map(({ id }) => client.traffic.get({ id })));
    const kept = JSON.stringify([bodies, (await client.session.state()).flows, [...host.stored], host.written]);
    expect(kept).not.toContain(password);
    expect(bodies.some(({ requestBody }) => requestBody?.includes('grant_type=password'))).toBe(true);
  });
});

test('the user of a client without client credentials reads the weather, and revokes the token where the user or the service says', async () => {
  const issue = issueTokens();
  const service = await startFakeService({
    'POST /token/': (request, count) =>
      request.body.includes('client_credentials')
        ? { status: 400, body: { error: 'unauthorized_client' } }
        : issue(request, count),
    'GET /v2/weather/': () => ({ body: { objects: [], meta: {} } }),
    'POST /revoke/': () => ({}),
  });
  const { client } = await startAccess({ sandbox: service.introduction });
  const refusal = (words: string, needs: string) => ({
    code: 'UNAUTHORIZED_CLIENT',
    message: expect.stringContaining(words) as string,
    data: { needs },
  });
  await expect(client.forecast.get(torino)).rejects.toMatchObject(refusal('Sign in', 'sign_in'));
  await client.session.signIn({ way: 'password', username: 'ann', password: 'b' });
  await client.forecast.get(torino);
  expect((await client.session.state()).tokenInUse).toBe('user');
  await expect(client.monitors.list()).rejects.toMatchObject(refusal('Monitors require', 'client_credentials'));
  const { token } = await client.session.reveal({ owner: 'user', what: 'refresh_token' });
  const announce = (endpoint: string) => {
    const body = { issuer: service.baseUrl, revocation_endpoint: endpoint };
    service.routes['GET /.well-known/oauth-authorization-server'] = () => ({ body });
  };
  announce('https://elsewhere.example/revoke/');
  await expect(client.session.revoke({ owner: 'user' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const typed = (endpoint: string) => client.session.revoke({ owner: 'user', endpoint });
  await expect(typed('https://elsewhere.example/revoke/')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await typed(`${service.baseUrl}/revoke/`)).toMatchObject({ user: { state: 'none' } });
  expect(service.requestsTo('POST /revoke/').at(-1)?.body).toContain(token);
  await client.session.signIn({ way: 'password', username: 'ann', password: 'b' });
  announce(`${service.baseUrl}/revoke/`);
  expect(await client.session.revoke({ owner: 'user' })).toMatchObject({ user: { state: 'none' } });
  expect(service.requestsTo('POST /revoke/')).toHaveLength(2);
});

describe('an answer of the dialog', () => {
  const otherState = (location: string) => location.replace(/state=[^&]+/, 'state=mine');
  const otherIssuer = (location: string) => location.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example');
  const noIssuer = (location: string) => location.replace(/&iss=[^&]+/, '');

  // authorization-response.test.ts has all combinations; RFC 9207 has the issuer.
  test.each([
    ['another state', 'authorization_code', 'approve', otherState, { outcome: 'wrong_state', message: /state/ }],
    ['another issuer', 'authorization_code', 'approve', otherIssuer, { outcome: 'protocol', message: /\(iss\)/ }],
    ['no issuer', 'implicit', 'deny', noIssuer, { outcome: 'protocol', message: /\(iss\)/ }],
  ] as const)(
    'with %s is not used, and the message says so (docs/tokens.md T4)',
    async (_, way, decision, change, { outcome, message }) => {
      const { client, tokenRequests } = await startWithWindow({ change, decision });
      const result = await client.session.signIn({ way });
      expect(result).toMatchObject({ outcome, message: expect.stringMatching(message) });
      expect((await client.session.state()).user.state).toBe('none');
      expect((await tokenRequests()).filter((body) => body.includes('authorization_code'))).toEqual([]);
    },
  );

  test('of an earlier attempt is refused by the next one (docs/tokens.md T4)', async () => {
    let earlier: string | undefined;
    const { client } = await startWithWindow({ change: (location) => (earlier ??= location) });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({ outcome: 'approved' });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({ outcome: 'wrong_state' });
  });

  test('metadata that claim to be another service do not make its responses acceptable', async () => {
    const service = await startFakeService({
      'GET /.well-known/oauth-authorization-server': () => ({ body: { issuer: 'https://honest.example' } }),
    });
    const openDialog = async (request: DialogRequest): Promise<DialogOutcome> => {
      const state = new URL(request.authorizationUrl(request.redirectUri)).searchParams.get('state') ?? '';
      const query = `state=${state}&code=the-code&iss=https://honest.example`;
      return { kind: 'redirected', url: `${request.redirectUri}?${query}` };
    };
    const { client } = await startAccess({ sandbox: service.introduction, person: { openDialog } });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({
      outcome: 'protocol',
      message: expect.stringContaining('“https://honest.example” (iss)'),
    });
    expect(service.requestsTo('POST /token/').some(({ body }) => body.includes('the-code'))).toBe(false);
  });
});

describe('a sign-in page without an answer', () => {
  const ending = (outcome: DialogOutcome) => ({ openDialog: async () => outcome });

  test.each([
    // Some pages refuse app windows, so the browser is named as the other way.
    ['closed', { kind: 'closed' }, /choose “Sign in with my browser”/],
    ['timed_out', { kind: 'timed-out' }, /choose “Sign in with my browser”/],
    ['no_dialog', { kind: 'failed', message: 'The sign-in page could not be loaded.' }, /could not be loaded/],
  ] as const)('ends as %s, with words, and nothing stays open (docs/tokens.md T5)', async (outcome, dialog, words) => {
    const service = await startFakeService();
    const { client } = await startAccess({ sandbox: service.introduction, person: ending(dialog) });
    const result = await client.session.signIn({ way: 'authorization_code', window: 'app' });
    expect(result.outcome).toBe(outcome);
    expect(result.message).toMatch(words);
    expect((await client.session.state()).open).toBeNull();
  });

  test('is closed by a second one, which then gets its answer (docs/tokens.md T5)', async () => {
    const service = await startRealService();
    const opened: DialogRequest[] = [];
    const bothOpen = Promise.withResolvers<void>();
    const openDialog = async (request: DialogRequest): Promise<DialogOutcome> => {
      const address = request.authorizationUrl(request.redirectUri);
      opened.push(request);
      if (opened.length === 2) return { kind: 'redirected', url: await answerDialog(address, service) };
      bothOpen.resolve();
      return new Promise((resolve) => request.signal.addEventListener('abort', () => resolve({ kind: 'closed' })));
    };
    const { client } = await startAccess({ sandbox: service, person: { openDialog } });
    const first = client.session.signIn({ way: 'authorization_code' });
    await bothOpen.promise;
    expect((await client.session.state()).open).not.toBeNull();
    const second = await client.session.signIn({ way: 'implicit' });
    expect(await first).toMatchObject({ outcome: 'closed' });
    expect(second).toMatchObject({ outcome: 'approved' });
    expect((await client.session.state()).open).toBeNull();
  });
});

test('a sign-in that ends after connections were switched to and fro is not lost', async () => {
  const service = await startRealService();
  const [opened, answered] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const openDialog = async (request: DialogRequest): Promise<DialogOutcome> => {
    opened.resolve(request.authorizationUrl(request.redirectUri));
    return { kind: 'redirected', url: await answered.promise };
  };
  const harness = await startAccess({ sandbox: service, person: { openDialog } });
  const { client } = harness;
  const result = client.session.signIn({ way: 'authorization_code' });
  const address = await opened.promise;
  await useOwn(harness, fieldsFor(service), service.clientSecret);
  await client.connections.select({ id: 'sandbox' });
  answered.resolve(await answerDialog(address, service));
  expect(await result).toMatchObject({ outcome: 'approved' });
  expect((await client.session.state()).user).toMatchObject({ state: 'valid', grant: 'authorization_code' });
});

test('a token that is a JWT is shown with its claims, read on this machine (docs/tokens.md T30)', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${part({ alg: 'HS256' })}.${part({ sub: 'ann', exp: 1 })}.c2ln`;
  const service = await startFakeService({ 'POST /token/': issueTokens({ access_token: jwt }) });
  const { client } = await startAccess({ sandbox: service.introduction });
  expect(await client.session.signIn({ way: 'client_credentials' })).toMatchObject({
    outcome: 'approved',
    token: { owner: 'application', grant: 'client_credentials' },
  });
  const revealed = await client.session.reveal({ owner: 'application', what: 'access_token' });
  expect(revealed.token).toBe(jwt);
  expect(JSON.parse(revealed.jwt?.claims ?? '')).toEqual({ sub: 'ann', exp: 1 });
});

describe('the token request after a dialog', () => {
  const back = (query: string) => ({
    openDialog: async (request: DialogRequest): Promise<DialogOutcome> => {
      const state = new URL(request.authorizationUrl(request.redirectUri)).searchParams.get('state') ?? '';
      return { kind: 'redirected', url: `${request.redirectUri}?state=${state}&${query}` };
    },
  });

  test('carries the fields of RFC 6749 and PKCE, and no others (docs/tokens.md T9)', async () => {
    const service = await startFakeService();
    const { client } = await startAccess({ sandbox: service.introduction, person: back('code=the-code&extra=1') });
    await client.session.signIn({ way: 'authorization_code' });
    const request = service.requestsTo('POST /token/').find(({ body }) => body.includes('the-code'));
    const fields = Object.fromEntries(new URLSearchParams(request?.body));
    expect(fields).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: service.introduction.redirectUri,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(request?.headers.authorization).toMatch(/^Basic /);
  });

  test('of a public client names it and has no secret and no Basic header (docs/tokens.md T9)', async () => {
    const service = await startFakeService();
    const harness = await startAccess({ sandbox: service.introduction, person: back('code=the-code') });
    await useOwn(harness, fieldsFor(service.introduction, { clientId: 'public1', isPublic: true }), null);
    await harness.client.session.signIn({ way: 'authorization_code' });
    const request = service.requestsTo('POST /token/').find(({ body }) => body.includes('the-code'));
    expect(new URLSearchParams(request?.body).get('client_id')).toBe('public1');
    expect(request?.body).not.toContain('client_secret');
    expect(request?.headers.authorization).toBeUndefined();
  });

  test.each([
    ['refused', 'invalid_grant', { status: 400, body: { error: 'invalid_grant', error_description: 'It was used.' } }],
    ['refused', null, { status: 403, body: 'no' }],
    ['server', null, { status: 503, body: 'down' }],
    ['network', null, { hangUp: true }],
    ['protocol', null, { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }],
  ])('ends as %s with the code %s if the service answers so', async (outcome, error, answer) => {
    const issue = issueTokens();
    const service = await startFakeService({
      'POST /token/': (request, count) => (request.body.includes('the-code') ? answer : issue(request, count)),
    });
    const { client } = await startAccess({ sandbox: service.introduction, person: back('code=the-code') });
    const result = await client.session.signIn({ way: 'authorization_code' });
    expect([result.outcome, 'error' in result ? result.error : null]).toEqual([outcome, error]);
    const [flow] = (await client.session.state()).flows;
    expect(flow).toMatchObject({ id: result.flowId, outcome, message: result.message });
    expect(flow?.steps.map(({ kind }) => kind).slice(0, 2)).toEqual(['dialog', 'redirect']);
  });

  test('is not sent when the dialog answers with an error of its own', async () => {
    const service = await startFakeService();
    const person = back('error=server_error&error_description=Come%20back%20later.');
    const { client } = await startAccess({ sandbox: service.introduction, person });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({
      outcome: 'refused',
      error: 'server_error',
      description: 'Come back later.',
    });
    expect(service.requestsTo('POST /token/').some(({ body }) => body.includes('authorization_code'))).toBe(false);
  });
});

test('the log shows each step of a sign-in and of a refresh, and hides code, state, tokens and secret (docs/tokens.md T17)', async () => {
  const { client, service } = await startWithWindow();
  await client.session.signIn({ way: 'authorization_code' });
  const secrets = async () => {
    const tokens = (['access_token', 'refresh_token'] as const).map((what) =>
      client.session.reveal({ owner: 'user', what }),
    );
    return (await Promise.all(tokens)).map(({ token }) => token);
  };
  const before = await secrets();
  await client.session.refresh({ owner: 'user' });
  const { flows } = await client.session.state();
  const [refresh, signIn] = flows;
  expect(signIn?.steps.map(({ kind }) => kind)).toEqual(['dialog', 'redirect', 'request', 'answer', 'end']);
  expect(signIn?.steps[1]?.fields).toContainEqual(['code', '••••••••']);
  expect(signIn?.steps[3]?.fields).toContainEqual(['expires_in', '3600']);
  expect(refresh).toMatchObject({ way: 'refresh', outcome: 'approved' });
  const [request, answer] = refresh?.steps ?? [];
  expect(request).toMatchObject({ kind: 'request', method: 'POST', url: `${service.baseUrl}/token/` });
  expect(request?.fields).toContainEqual(['grant_type', 'refresh_token']);
  expect(request?.fields).toContainEqual(['refresh_token', '••••••••']);
  expect(answer).toMatchObject({ kind: 'answer', status: 200 });
  expect(answer?.fields).toContainEqual(['token_type', 'bearer']);
  expect(answer?.fields).toContainEqual(['access_token', '••••••••']);
  const text = JSON.stringify(flows);
  for (const secret of [...before, ...(await secrets()), service.clientSecret]) expect(text).not.toContain(secret);
});
