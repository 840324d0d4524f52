// The exact responses of the OAuth endpoints: metadata, and errors of clients and of access tokens.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { planOf } from '#service/accounts/plans.ts';
import { createAccessCheck } from '#service/oauth/access-check.ts';
import type { KnownAccess } from '#service/oauth/token-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { basic, postToken, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

test.each(['on', 'off'] as const)(
  'the metadata are those of RFC 8414, with issuer parameter %s',
  async (issuerParameter) => {
    const { baseUrl } = await startOAuthService({ issuerParameter });
    const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const methods = ['client_secret_basic', 'client_secret_post', 'none'];
    expect(await response.json()).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize/`,
      device_authorization_endpoint: `${baseUrl}/token/device/`,
      token_endpoint: `${baseUrl}/token/`,
      revocation_endpoint: `${baseUrl}/token/revoke/`,
      introspection_endpoint: `${baseUrl}/token/introspect/`,
      scopes_supported: ['post_metag'],
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        'password',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'implicit',
      ],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      // A public client cannot check tokens.
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: issuerParameter === 'on',
      service_documentation: `${baseUrl}/documentation/`,
    });
  },
);

type Exchange = { path?: string; form?: Record<string, string>; authorization?: string; type?: string | null };

async function start(changes: Parameters<typeof startOAuthService>[0] = {}) {
  const service = await startOAuthService(changes);
  const own = await registerApplication(service);
  const authorization = basic(own.clientId, own.clientSecret);
  /** With node:http, which sends no content type automatically. */
  const post = ({
    path = '/token/',
    form = {},
    authorization: header,
    type = 'application/x-www-form-urlencoded',
  }: Exchange) =>
    new Promise<{ status: number; challenge: unknown; cache: unknown; json: Record<string, unknown> }>(
      (resolve, reject) => {
        const headers = {
          ...(header === undefined ? {} : { authorization: header }),
          ...(type === null ? {} : { 'content-type': type }),
        };
        const sent = request(`${service.baseUrl}${path}`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              challenge: response.headers['www-authenticate'],
              cache: [response.headers['cache-control'], response.headers.pragma, response.headers['content-type']],
              json: JSON.parse(text) as Record<string, unknown>,
            }),
          );
        });
        sent.on('error', reject).end(new URLSearchParams(form).toString());
      },
    );
  const refusal = async (exchange: Exchange) => {
    const { status, json, challenge } = await post(exchange);
    expect(Object.keys(json)).toEqual(['error', 'error_description']);
    return [status, json['error'], json['error_description'], ...(challenge === undefined ? [] : [challenge])];
  };
  return { ...service, own, authorization, post, refusal };
}

const basicChallenge = 'Basic realm="Rainbell", charset="UTF-8"';

test('each refusal of a client says what is wrong and what to do', async () => {
  const { refusal, post, own, authorization, oauth, clock } = await start();
  const form = { grant_type: 'client_credentials' };
  const wrong = [
    401,
    'invalid_client',
    'The client ID or the client secret is wrong, or the application is disabled.',
    basicChallenge,
  ];
  const malformed = [
    401,
    'invalid_client',
    'The Authorization header must be Basic, with the base64 form of client_id:client_secret.',
    basicChallenge,
  ];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const colonless = `Basic ${base64(own.clientId)}`;
  for (const header of [
    colonless,
    'Basic',
    'Basic ',
    'Basic a b',
    `Basic ${base64('a:b')}===`,
    `xBasic ${base64('a:b')}`,
  ]) {
    expect(await refusal({ form, authorization: header })).toEqual(malformed);
  }
  for (const header of [
    basic(own.clientId, 'x'),
    basic('nobody', 'x'),
    basic(own.clientId, ''),
    `Basic ${base64(':')}`,
  ]) {
    expect(await refusal({ form, authorization: header })).toEqual(wrong);
  }
  expect(await refusal({ form })).toEqual([
    401,
    'invalid_client',
    'Client authentication is missing: send Authorization: Basic, or client_id for a public client.',
    basicChallenge,
  ]);
  expect(await refusal({ form: { ...form, client_id: own.clientId } })).toEqual(wrong);
  expect(await refusal({ form: { ...form, client_secret: own.clientSecret }, authorization })).toEqual([
    400,
    'invalid_request',
    'Authenticate once: either in the Authorization header or in the body.',
  ]);
  expect(await refusal({ form: { ...form, client_id: 'other' }, authorization })).toEqual([
    400,
    'invalid_request',
    'The client_id in the body differs from the one in the Authorization header.',
  ]);
  expect(await refusal({ form: { grant_type: 'x' }, authorization })).toEqual([
    400,
    'unsupported_grant_type',
    'The grant_type must be one of authorization_code, client_credentials, password, refresh_token, ' +
      'urn:ietf:params:oauth:grant-type:device_code.',
  ]);
  const notAForm = [
    400,
    'invalid_request',
    'The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
  ];
  for (const type of ['text/plain', 'nonsense', 'application/json']) {
    expect(await refusal({ form, authorization, type })).toEqual(notAForm);
  }

  // An old secret works in its grace period, in the header and in the body.
  const application = await oauth.applications.findActive(own.clientId);
  const renewed = await oauth.applications.renewSecret(application!, 24);
  const statusWith = async (client_secret: string) =>
    (await post({ form: { ...form, client_id: own.clientId, client_secret } })).status;
  expect([await statusWith(own.clientSecret), await statusWith(renewed)]).toEqual([200, 200]);
  clock.advance(86_399);
  expect(await statusWith(own.clientSecret)).toBe(200);
  clock.advance(1);
  expect([await statusWith(own.clientSecret), await statusWith(renewed)]).toEqual([401, 200]);
});

test('each successful response is JSON that no one caches', async () => {
  const { post, own, authorization, baseUrl } = await start();
  const cache = ['no-store', 'no-cache', 'application/json;charset=UTF-8'];
  const token = expect.stringMatching(/^[A-Za-z0-9]{43}$/);
  const issued = await post({ form: { grant_type: 'client_credentials' }, authorization });
  const response = { status: 200, challenge: undefined, cache };
  const bearer = { access_token: token, token_type: 'bearer', expires_in: 3600 };
  const json = { ...bearer, refresh_token: expect.stringMatching(/^cc\.[\w-]+$/) };
  expect(issued).toEqual({ ...response, json });
  expect(await post({ path: '/token/device/', form: { scope: 'post_metag' }, authorization })).toEqual({
    ...response,
    json: {
      device_code: token,
      user_code: expect.any(String),
      expires_in: 900,
      interval: 5,
      verification_uri: `${baseUrl}/device/`,
      verification_uri_complete: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/device\/\?user_code=\w{4}-\w{4}$/),
    },
  });
  const given = { token: String(issued.json['access_token']) };
  expect(await post({ path: '/token/introspect/', form: given, authorization })).toMatchObject({
    ...response,
    json: { active: true, token_type: 'bearer', client_id: own.clientId, grant: 'client_credentials' },
  });
  expect(await post({ path: '/token/revoke/', form: given, authorization })).toMatchObject({ status: 200, json: {} });
  expect((await post({ path: '/token/introspect/', form: given, authorization })).json).toEqual({ active: false });
});

test('a body is required if the endpoint needs a parameter, and a public client may not check tokens', async () => {
  const { refusal, authorization, post, ...service } = await start();
  const missing = (name: string) => [
    400,
    'invalid_request',
    `The parameter ${name} is missing; send it in the form body.`,
  ];
  expect(await refusal({ authorization, type: null })).toEqual(missing('grant_type'));
  expect(await refusal({ path: '/token/revoke/', authorization, type: null })).toEqual(missing('token'));
  expect(await refusal({ path: '/token/introspect/', authorization, type: null })).toEqual(missing('token'));
  expect((await post({ path: '/token/device/', authorization, type: null })).status).toBe(200);
  const { clientId: client_id } = await registerApplication(service, { isPublic: true, name: 'Public' });
  const challenge = basicChallenge;
  expect(await refusal({ path: '/token/introspect/', form: { client_id, token: 'x' } })).toEqual([
    401,
    'invalid_client',
    'Only a confidential application can check tokens.',
    challenge,
  ]);
  expect(await refusal({ form: { client_id, grant_type: 'client_credentials' } })).toEqual([
    400,
    'unauthorized_client',
    'A public client cannot keep a secret, so it cannot use client_credentials; open the sign-in page.',
  ]);
  expect(await refusal({ form: { client_id, client_secret: 'x', grant_type: 'client_credentials' } })).toEqual([
    401,
    'invalid_client',
    'The client ID or the client secret is wrong, or the application is disabled.',
    challenge,
  ]);
  const huge = await post({ form: { grant_type: 'x'.repeat(65_537) }, authorization });
  expect([huge.status, huge.json['error']]).toEqual([413, 'payload_too_large']);
  const large = await post({ form: { grant_type: 'x'.repeat(65_000) }, authorization });
  expect([large.status, large.json['error']]).toEqual([400, 'unsupported_grant_type']);
});

test('each refusal of a code, a password, and a refresh token says why', async () => {
  const { refusal, own, authorization, oauth, clock, db, post } = await start();
  const { tokens } = oauth;
  const trusted = await registerApplication({ oauth, db, clock }, { name: 'Trusted', allowsPassword: true });
  const password = { grant_type: 'password', username: carol.username, password: carol.password };
  const trustedHeader = basic(trusted.clientId, trusted.clientSecret);
  expect(await refusal({ form: password, authorization })).toEqual([
    400,
    'unauthorized_client',
    'The operator has not authorized this application for the password grant; open the sign-in page.',
  ]);
  expect(await refusal({ form: { ...password, password: 'x' }, authorization: trustedHeader })).toEqual([
    400,
    'invalid_grant',
    'The username or the password is wrong.',
  ]);
  const issued = await post({ form: { ...password, scope: 'post_metag' }, authorization: trustedHeader });
  const described = await tokens.describe(String(issued.json['access_token']));
  expect(described).toMatchObject({
    applicationId: trusted.id,
    username: 'carol',
    kind: 'password',
    scope: 'post_metag',
  });

  const grant = await tokens.createGrant({
    applicationId: own.id,
    accountId: own.accountId,
    kind: 'authorization_code',
    scope: ['post_metag'],
  });
  const redirect_uri = 'https://app.example.org/cb';
  // The example of RFC 7636 appendix B.
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const exchange = async (codeChallenge: string | null, changes: Record<string, string>, afterSeconds = 0) => {
    const code = await tokens.issueCode(grant, redirect_uri, codeChallenge);
    clock.advance(afterSeconds);
    return { code, form: { grant_type: 'authorization_code', code, redirect_uri, ...changes } };
  };
  const badCode = [
    400,
    'invalid_grant',
    'The code is unknown, expired, or used, or belongs to another application; open the sign-in page again.',
  ];
  const badVerifier = [400, 'invalid_grant', 'The code_verifier does not match the code_challenge.'];
  const { form: fresh } = await exchange(null, {});
  expect(await refusal({ form: fresh, authorization: trustedHeader })).toEqual(badCode);
  expect(await refusal({ form: { ...fresh, code: 'x' }, authorization })).toEqual(badCode);
  expect(await refusal({ form: (await exchange(null, {}, 60)).form, authorization })).toEqual(badCode);
  expect(
    await refusal({ form: (await exchange(null, { redirect_uri: `${redirect_uri}?` })).form, authorization }),
  ).toEqual([400, 'invalid_grant', 'The redirect_uri differs from that of the authorization request.']);
  for (const [codeChallenge, code_verifier] of [
    [null, verifier],
    [challenge, ''],
    [challenge, 'short'],
    [challenge, `${verifier.slice(0, -1)}A`],
    ['short', 'short'],
  ] as const) {
    expect(await refusal({ form: (await exchange(codeChallenge, { code_verifier })).form, authorization })).toEqual(
      badVerifier,
    );
  }
  const late = await exchange(challenge, { code_verifier: verifier }, 59.999);
  expect((await post({ form: late.form, authorization })).status).toBe(200);
  expect(await refusal({ form: late.form, authorization })).toEqual(badCode);
  // Its reuse has ended the grant, and with it the other codes.
  expect(await refusal({ form: fresh, authorization })).toEqual(badCode);

  const other = await tokens.createGrant({
    applicationId: own.id,
    accountId: own.accountId,
    kind: 'authorization_code',
    scope: ['post_metag'],
  });
  const refresh_token = await tokens.issueRefreshToken(other);
  const refresh = { grant_type: 'refresh_token', refresh_token };
  const badToken = [
    400,
    'invalid_grant',
    'The refresh token is unknown, expired, or revoked, or belongs to another application; authorize again.',
  ];
  expect(await refusal({ form: refresh, authorization: trustedHeader })).toEqual(badToken);
  expect(await refusal({ form: { ...refresh, refresh_token: 'x' }, authorization })).toEqual(badToken);
  expect(await refusal({ form: { grant_type: 'refresh_token' }, authorization })).toEqual([
    400,
    'invalid_request',
    'The parameter refresh_token is missing; send it in the form body.',
  ]);
  clock.advance(90 * 86_400 - 0.001);
  expect((await post({ form: refresh, authorization })).json['refresh_token']).toBe(refresh_token);
  clock.advance(0.001);
  expect(await refusal({ form: refresh, authorization })).toEqual(badToken);
});

test('each refusal of an access token is that of RFC 6750 section 3', async () => {
  const { baseUrl, authorization, post } = await start();
  const issued = await post({ form: { grant_type: 'client_credentials' }, authorization });
  const token = String(issued.json['access_token']);
  const probe = async (header?: string, query = '') => {
    const response = await fetch(
      `${baseUrl}/v2/probe${query}`,
      header === undefined ? {} : { headers: { authorization: header } },
    );
    const json = (await response.json()) as Record<string, unknown>;
    const { error, error_description: words } = json;
    return response.ok ? response.status : [response.status, error, words, response.headers.get('www-authenticate')];
  };
  const invalid = (words: string) => [
    401,
    'invalid_token',
    words,
    `Bearer realm="Rainbell", error="invalid_token", error_description="${words}"`,
  ];
  const none = 'Send an access token: Authorization: Bearer ACCESS_TOKEN. Get one with POST /token/.';
  expect(await probe()).toEqual([401, 'invalid_token', none, 'Bearer realm="Rainbell"']);
  for (const header of [
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token} x`,
    'Bearer a b',
    'Bearer =',
    `xBearer ${token}`,
  ]) {
    expect(await probe(header)).toEqual(invalid('The Authorization header must be: Bearer ACCESS_TOKEN.'));
  }
  const unknown = invalid('The access token is unknown, expired, or revoked; get a new one at /token/.');
  expect(await probe('Bearer x')).toEqual(unknown);
  for (const header of [`Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`])
    expect(await probe(header)).toBe(200);
  expect(await probe(`Bearer ${token}`, '?other=1')).toBe(200);
  for (const query of ['?access_token=x', '?a=1&access_token']) {
    expect(await probe(`Bearer ${token}`, query)).toEqual([
      400,
      'invalid_request',
      'Send the access token in the Authorization header, not in the URL.',
      'Bearer realm="Rainbell", error="invalid_request"',
    ]);
  }
});

test.each<[[number, number, number], string, string]>([
  [[9, 1, 0], '60', 'The plan Drizzle allows 1 request a minute. Try again in 60 s, or choose a larger plan.'],
  [[9, 2, 0], '60', 'The plan Drizzle allows 2 requests a minute. Try again in 60 s, or choose a larger plan.'],
  [[9, 0, 1], '64800', 'The plan Drizzle allows 1 request a day. Try again in 64800 s, or choose a larger plan.'],
  [[9, 0, 2], '64800', 'The plan Drizzle allows 2 requests a day. Try again in 64800 s, or choose a larger plan.'],
])('a plan of %j refuses the next request', async (planDrizzle, seconds, words) => {
  const service = await startOAuthService({ planDrizzle });
  const { clientId, clientSecret, id } = await registerApplication(service, { plan: 'drizzle' });
  const { answer } = await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization: basic(clientId, clientSecret) },
  );
  const token = String(answer['access_token']);
  const call = () => fetch(`${service.baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${token}` } });
  // Before anything is known of the plan's use, the fast path counts nothing.
  expect(service.oauth.countKnown(token)).toBeUndefined();
  expect(service.oauth.usage.isLoaded(id, planOf(service.oauth.plans, 'drizzle'))).toBe(false);
  for (let count = Math.max(planDrizzle[1], planDrizzle[2]); count > 0; count -= 1)
    expect((await call()).status).toBe(200);
  expect(service.oauth.countKnown(token)).toBeUndefined();
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    seconds,
    { error: 'rate_limited', error_description: words },
  ]);
});

test('a cached token is used for a quarter of a second, and revocations apply to what they name', async () => {
  const { db, clock, oauth, own } = await start();
  const machineClock = createManualClock();
  const access = (name: string, changes: Partial<KnownAccess> = {}): KnownAccess => ({
    applicationId: 'app',
    accountId: null,
    kind: 'client_credentials',
    scope: [],
    grantId: `grant of ${name}`,
    expiresAt: clock.now() + 1_000,
    plan: 'drizzle',
    ...changes,
  });
  const known = new Map<string, KnownAccess>();
  const lookUps: string[] = [];
  const findAccessToken = async (token: string) => {
    lookUps.push(token);
    return known.get(token);
  };
  const check = createAccessCheck({ db, clock, machineClock, tokens: { findAccessToken } });
  for (const name of ['a', 'b']) known.set(name, access(name));
  known.set('user', access('user', { accountId: own.accountId, applicationId: 'other' }));
  expect([check.peek('a'), check.remembers('a')]).toEqual([undefined, false]);
  const findAll = () => Promise.all(['a', 'b', 'user'].map((name) => check.find(name)));
  expect(await findAll()).toEqual([known.get('a'), known.get('b'), known.get('user')]);
  expect([check.peek('a'), check.remembers('a'), check.remembers('x')]).toEqual([known.get('a'), true, false]);
  await findAll();
  expect(lookUps).toEqual(['a', 'b', 'user']);
  machineClock.advance(249);
  expect(check.peek('a')).toEqual(known.get('a'));
  machineClock.advance(1);
  expect(check.peek('a')).toBeUndefined();

  const dropped = async (revoked: Parameters<typeof check.drop>[0]) => {
    await findAll();
    lookUps.length = 0;
    check.drop(revoked);
    await findAll();
    return lookUps.toSorted();
  };
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update('a').digest('hex');
  expect(await dropped([])).toEqual([]);
  expect(await dropped([{ kind: 'token', subject: hash }])).toEqual(['a']);
  expect(await dropped([{ kind: 'token', subject: 'grant of b' }])).toEqual([]);
  expect(await dropped([{ kind: 'grant', subject: 'grant of b' }])).toEqual(['b']);
  expect(await dropped([{ kind: 'application', subject: 'app' }])).toEqual(['a', 'b']);
  expect(await dropped([{ kind: 'account', subject: own.accountId }])).toEqual(['user']);
  expect(await dropped([{ kind: 'account', subject: 'app' }])).toEqual([]);
  check.forget();
  expect(check.peek('a')).toBeUndefined();
  await findAll();

  // A lookup that began before a revocation is not cached after it.
  for (const end of [() => check.forget(), () => check.drop([{ kind: 'grant', subject: 'x' }])]) {
    check.drop([{ kind: 'token', subject: hash }]);
    const early = check.find('a');
    end();
    expect(await early).toEqual(known.get('a'));
    expect(check.peek('a')).toBeUndefined();
  }

  await findAll();
  clock.advance(0.999);
  expect(await check.find('a')).toEqual(known.get('a'));
  clock.advance(0.001);
  expect([await check.find('a'), check.peek('a')]).toEqual([undefined, undefined]);
  // It was valid, so its client doesn't queue with anonymous ones, until a lookup finds nothing.
  expect(check.remembers('a')).toBe(true);
  check.forget();
  await check.find('a');
  expect(check.remembers('a')).toBe(false);
  expect(oauth.remembers('a')).toBe(false);
});

test('revocations are sent to the feed, and those of other processes are applied at once', async () => {
  const service = await start();
  const { createOAuth } = await import('#service/oauth/create-oauth.ts');
  const sent: unknown[] = [];
  let receive: ((revoked: readonly { kind: 'grant'; subject: string }[]) => void) | undefined;
  const oauth = createOAuth({
    config: service.config,
    clock: service.clock,
    machineClock: createManualClock(),
    log: service.log,
    db: service.db,
    passwords: service.passwords,
    feed: { send: (revoked) => void sent.push(revoked), listen: (apply) => void (receive = apply) },
  });
  const client = await oauth.applications.findActive(service.own.clientId);
  const { accessToken } = await oauth.tokens.issueClientTokens(client!);
  const headers = { authorization: `Bearer ${accessToken}` };
  const isValid = () => oauth.isStillValid({ headers } as Parameters<typeof oauth.isStillValid>[0]);
  expect([await isValid(), await isValid()]).toEqual([true, true]);
  const row = await service.db.selectFrom('access_tokens').select('family').executeTakeFirstOrThrow();
  await service.db.deleteFrom('access_tokens').execute();
  expect(await isValid()).toBe(true);
  receive?.([{ kind: 'grant', subject: row.family ?? '' }]);
  expect(await isValid()).toBe(false);
  await oauth.tokens.revoke({ applicationId: service.own.id });
  expect(sent).toEqual([{ kind: 'application', subject: service.own.id }]);

  await oauth.close();
});
