// `POST /token/` and `POST /token/revoke/` over HTTP (docs/interface.md §4.2, §5.3): the documented responses, and each refusal with its
// message (RFC 6749 §5.2).
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { basic, type OAuthService, postToken, probe, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication, type Registered } from './registered-application.ts';

const ours = { grant_type: 'client_credentials' };
const basicChallenge = 'Basic realm="Rainbell", charset="UTF-8"';

async function start() {
  const service = await startOAuthService();
  const own = await registerApplication(service);
  const authorization = basic(own.clientId, own.clientSecret);
  type Call = Parameters<typeof postToken>[2];
  const post = (form: Record<string, string>, call: Call = { authorization }) => postToken(service, form, call);
  /** What a refused request gets, in a response that no one caches. */
  const refusal = async (form: Record<string, string>, call?: Call) => {
    const { response, status, answer } = await post(form, call);
    expect(Object.keys(answer)).toEqual(['error', 'error_description']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const challenge = response.headers.get('www-authenticate');
    return [status, answer['error'], answer['error_description'], ...(challenge === null ? [] : [challenge])];
  };
  return { service, own, authorization, post, refusal };
}

test('an application gets a token with its credentials, in exactly the documented form', async () => {
  const { post } = await start();
  const { response, status, answer } = await post(ours);
  expect(status).toBe(200);
  expect(['content-type', 'cache-control', 'pragma'].map((name) => response.headers.get(name))).toEqual([
    'application/json;charset=UTF-8',
    'no-store',
    'no-cache',
  ]);
  expect(Object.entries(answer)).toEqual([
    ['access_token', expect.stringMatching(/^[A-Za-z0-9]{43}$/)],
    ['token_type', 'bearer'],
    ['expires_in', 3600],
    ['refresh_token', expect.stringMatching(/^cc\.[\w-]+$/)],
  ]);
});

test('the token opens the API until its lifetime ends, and a refresh gives a new one of the same kind', async () => {
  const { service, own, post } = await start();
  const first = await post(ours);
  expect((await probe(service, first.answer['access_token'])).status).toBe(200);
  service.clock.advance(3600);
  const late = await probe(service, first.answer['access_token']);
  expect(late.status).toBe(401);
  expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
  const refresh_token = String(first.answer['refresh_token']);
  const second = await post({ grant_type: 'refresh_token', refresh_token });
  expect(second.answer['refresh_token']).toBe(refresh_token);
  expect(await (await probe(service, second.answer['access_token'])).json()).toMatchObject({
    access: { kind: 'client_credentials', scope: [], accountId: null, applicationId: own.id },
  });
});

test('a form of either type is understood, with and without the slash at the end, and in chunks', async () => {
  const { service, authorization, post } = await start();
  for (const contentType of [
    'application/www-form-urlencoded',
    'application/x-www-form-urlencoded',
    'Application/WWW-Form-URLEncoded',
    'application/www-form-urlencoded ; charset="UTF-8"',
  ]) {
    expect([contentType, (await post(ours, { authorization, contentType })).status]).toEqual([contentType, 200]);
  }
  const chunked = await request(`${service.baseUrl}/token`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: Readable.from(['grant_type=client_', 'credentials']),
  });
  await chunked.body.dump();
  expect(chunked.statusCode).toBe(200);
});

test('a body that is not a form, or is an ambiguous one, is refused with what is wrong', async () => {
  const { service, authorization, refusal, post } = await start();
  const invalid = (words: string) => [400, 'invalid_request', words];
  const notAForm = invalid('The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.');
  for (const contentType of ['text/plain', 'multipart/form-data; boundary=x', 'nonsense', 'application/json', null]) {
    expect([contentType, await refusal(ours, { authorization, contentType })]).toEqual([contentType, notAForm]);
  }
  const missing = (name: string) => invalid(`The ${name} parameter is missing; send it in the form body.`);
  expect(await refusal({}, { authorization, contentType: null })).toEqual(missing('grant_type'));
  expect(await refusal({}, { authorization, contentType: null, path: '/token/revoke/' })).toEqual(missing('token'));
  for (const body of ['grant_type=a&grant_type=a', 'grant_type=&grant_type=a', 'grant_type=a&grant_type=']) {
    expect([body, await refusal({}, { authorization, body })]).toEqual([
      body,
      invalid('A parameter appears more than once; send each once.'),
    ]);
  }
  expect(await refusal({ grant_type: '\0' })).toEqual(invalid('A parameter contains a NUL character.'));
  expect(await refusal({ grant_type: '' })).toEqual(missing('grant_type'));
  const foreign = [
    400,
    'unsupported_grant_type',
    'The grant_type must be one of authorization_code, client_credentials, password, refresh_token.',
  ];
  for (const grant_type of ['urn:ietf:params:oauth:grant-type:jwt-bearer', '__proto__', 'x'.repeat(65_000)]) {
    expect(await refusal({ grant_type })).toEqual(foreign);
  }
  // Bytes that are not text; nothing of them is in the response.
  expect(await refusal({}, { authorization, body: 'grant_type=%FF%FE<script>"\\' })).toEqual(foreign);
  const huge = await post({ grant_type: 'x'.repeat(65_537) });
  expect([huge.status, huge.answer['error']]).toEqual([413, 'payload_too_large']);
  expect((await fetch(`${service.baseUrl}/token/`)).status).toBe(405);
});

test('credentials in the body, and a client ID beside the header, are taken', async () => {
  const { own, post, authorization } = await start();
  const { clientId: client_id, clientSecret: client_secret } = own;
  expect((await post({ ...ours, client_id, client_secret }, {})).status).toBe(200);
  expect((await post({ ...ours, client_id }, { authorization })).status).toBe(200);
  // RFC 6749 §2.3.1 form-encodes the ID and the secret in the header, but not in the body.
  const firstEncoded = (text: string) => text.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`);
  const encoded = basic(firstEncoded(client_id), firstEncoded(client_secret));
  expect((await post({ ...ours, client_id }, { authorization: encoded })).status).toBe(200);
});

test('each refusal of a client says what is wrong and what to do', async () => {
  const { service, own, authorization, refusal } = await start();
  const refused = (words: string) => [401, 'invalid_client', words, basicChallenge];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  for (const header of [
    `Basic ${base64(own.clientId)}`,
    'Basic',
    'Basic ',
    'Basic a b',
    `Basic ${base64('a:b')}===`,
    `xBasic ${base64('a:b')}`,
    'Bearer abc',
  ]) {
    expect(await refusal(ours, { authorization: header })).toEqual(
      refused('The Authorization header must be Basic, with client_id:client_secret in base64.'),
    );
  }
  const wrong = refused('The client ID or the client secret is wrong, or the application is disabled.');
  const wrongPairs = [basic(own.clientId, 'x'), basic('nobody', 'x'), basic(own.clientId, ''), basic('', '')];
  for (const header of wrongPairs) expect(await refusal(ours, { authorization: header })).toEqual(wrong);
  const { clientId: publicId } = await registerApplication(service, { isPublic: true, name: 'Public' });
  for (const credentials of [
    { client_id: own.clientId },
    { client_id: own.clientId, client_secret: 'x' },
    // A public client has no secret to be guessed.
    { client_id: publicId, client_secret: 'x' },
  ]) {
    expect(await refusal({ ...ours, ...credentials }, {})).toEqual(wrong);
  }
  expect(await refusal(ours, {})).toEqual(
    refused('Client authentication is missing: send Authorization: Basic, or client_id for a public client.'),
  );
  expect(await refusal({ ...ours, client_id: publicId }, {})).toEqual([
    400,
    'unauthorized_client',
    'A public client cannot keep a secret, so it cannot use client_credentials; open the sign-in page.',
  ]);
  expect(await refusal({ ...ours, client_secret: own.clientSecret }, { authorization })).toEqual([
    400,
    'invalid_request',
    'Authenticate once: either in the Authorization header or in the body.',
  ]);
  expect(await refusal({ ...ours, client_id: 'other' })).toEqual([
    400,
    'invalid_request',
    'The client_id in the body differs from the one in the Authorization header.',
  ]);
});

test('the password grant is for authorized applications, by username or email address', async () => {
  const { service, post, refusal } = await start();
  const scope = ' post_metag  post_metag ';
  const form = { grant_type: 'password', username: carol.username, password: carol.password, scope };
  expect(await refusal(form)).toEqual([
    400,
    'unauthorized_client',
    'The operator has not authorized this application for the password grant; open the sign-in page.',
  ]);
  const trusted = await registerApplication(service, { name: 'Trusted', allowsPassword: true });
  const call = { authorization: basic(trusted.clientId, trusted.clientSecret) };
  for (const username of [carol.username, carol.email, 'CAROL']) {
    const { answer } = await post({ ...form, username }, call);
    expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
    expect(await (await probe(service, answer['access_token'])).json()).toMatchObject({
      access: { applicationId: trusted.id, kind: 'password', scope: ['post_metag'] },
    });
  }
  for (const wrong of [{ password: 'no' }, { username: 'nobody' }]) {
    expect(await refusal({ ...form, ...wrong }, call)).toEqual([
      400,
      'invalid_grant',
      'The username or the password is wrong.',
    ]);
  }
  expect((await refusal({ ...form, password: '' }, call))[1]).toBe('invalid_request');
  // RFC 6749 section 3.3: values separated by spaces. The interface (5.5) knows only post_metag.
  for (const wrong of ['admin', 'POST_METAG', 'post_metag,post_metag', 'post']) {
    const words = 'The only valid scope is post_metag.';
    expect(await refusal({ ...form, scope: wrong }, call)).toEqual([400, 'invalid_scope', words]);
  }
});

/** A user's grant of `post_metag` for an application. */
const grantOf = ({ oauth }: OAuthService, application: Registered) =>
  oauth.tokens.createGrant({ ...grantFields(application), scope: ['post_metag'] });

const grantFields = ({ id, accountId }: Registered) =>
  ({ applicationId: id, accountId, kind: 'authorization_code' }) as const;

/** As RFC 7636 section 4.2 defines it. */
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

test('each refusal of a code says why, and its second use ends what it gave (docs/tokens.md T26)', async () => {
  const { service, own, post, refusal } = await start();
  const { tokens } = service.oauth;
  const grant = await grantOf(service, own);
  const redirect_uri = 'https://app.example.org/cb';
  const exchange = async (codeChallenge: string | null, changes: Record<string, string> = {}) => {
    const code = await tokens.issueCode(grant, redirect_uri, codeChallenge);
    return { grant_type: 'authorization_code', code, redirect_uri, ...changes };
  };
  const invalid = (words: string) => [400, 'invalid_grant', words];
  const badCode = invalid(
    'The code is unknown, expired, or used, or belongs to another application; open the sign-in page again.',
  );
  const fresh = await exchange(null);
  const other = await registerApplication(service, { name: 'Other' });
  expect(await refusal(fresh, { authorization: basic(other.clientId, other.clientSecret) })).toEqual(badCode);
  expect(await refusal({ ...fresh, code: 'x' })).toEqual(badCode);
  expect(await refusal({ ...fresh, redirect_uri: `${redirect_uri}?` })).toEqual(
    invalid('The redirect_uri differs from the one in the authorization request.'),
  );
  // The interface requires it.
  expect(await refusal({ ...fresh, redirect_uri: '' })).toEqual([
    400,
    'invalid_request',
    'The redirect_uri parameter is missing; send it in the form body.',
  ]);
  // The example of RFC 7636 appendix B.
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  for (const [codeChallenge, verifier] of [
    [null, code_verifier],
    [challenge, ''],
    [challenge, 'short'],
    [challenge, `${code_verifier.slice(0, -1)}A`],
    [challenge, challenge],
    // Section 4.1: 43 to 128 of the unreserved characters, even if the challenge is that of the verifier.
    ...['foo', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`, `${'a'.repeat(43)}\n`].map(
      (verifier) => [challengeOf(verifier), verifier] as const,
    ),
  ] as const) {
    expect(await refusal(await exchange(codeChallenge, { code_verifier: verifier }))).toEqual(
      invalid('The code_verifier does not match the code_challenge.'),
    );
  }
  const longest = '-._~'.repeat(32);
  expect((await post(await exchange(challengeOf(longest), { code_verifier: longest }))).status).toBe(200);
  const late = await exchange(challenge, { code_verifier });
  const tooLate = await exchange(null);
  service.clock.advance(59.999);
  const { answer } = await post(late);
  expect((await probe(service, answer['access_token'])).status).toBe(200);
  service.clock.advance(0.001);
  expect(await refusal(tooLate)).toEqual(badCode);
  const last = await exchange(null);
  // Even after its minute.
  expect(await refusal(late)).toEqual(badCode);
  expect((await probe(service, answer['access_token'])).status).toBe(401);
  expect(await refusal(last)).toEqual(badCode);
});

test('each refusal of a refresh token says why; within its lifetime it keeps its scope, which none may broaden', async () => {
  const { service, own, post, refusal } = await start();
  const refresh_token = await service.oauth.tokens.issueRefreshToken(await grantOf(service, own));
  const refresh = { grant_type: 'refresh_token', refresh_token };
  const badToken = [
    400,
    'invalid_grant',
    'The refresh token is unknown, expired, or revoked, or belongs to another application; authorize again.',
  ];
  const other = await registerApplication(service, { name: 'Other' });
  expect(await refusal(refresh, { authorization: basic(other.clientId, other.clientSecret) })).toEqual(badToken);
  expect(await refusal({ ...refresh, refresh_token: 'x' })).toEqual(badToken);
  expect((await refusal({ grant_type: 'refresh_token' }))[2]).toContain('The refresh_token parameter is missing');
  service.clock.advance(90 * 86_400 - 0.001);
  const narrow = await service.oauth.tokens.createGrant({ ...grantFields(own), scope: [] });
  const narrowToken = await service.oauth.tokens.issueRefreshToken(narrow);
  expect(await refusal({ ...refresh, refresh_token: narrowToken, scope: 'post_metag' })).toEqual([
    400,
    'invalid_scope',
    'A refresh can only reduce the granted scope; request more on the sign-in page.',
  ]);
  const { answer } = await post(refresh);
  expect(answer['refresh_token']).toBe(refresh_token);
  expect(await (await probe(service, answer['access_token'])).json()).toMatchObject({
    access: { scope: ['post_metag'], kind: 'authorization_code' },
  });
  service.clock.advance(0.001);
  expect(await refusal(refresh)).toEqual(badToken);
});

test("a public client's refresh token is replaced, and using the old one again ends the whole family", async () => {
  const { service, post } = await start();
  const application = await registerApplication(service, { isPublic: true });
  const refresh = async (refresh_token: unknown, scope = '') => {
    const form = { grant_type: 'refresh_token', refresh_token: String(refresh_token), client_id: application.clientId };
    return (await post({ ...form, scope }, {})).answer;
  };
  const first = await service.oauth.tokens.issueRefreshToken(await grantOf(service, application));
  const second = await refresh(first);
  expect(second['refresh_token']).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(second['refresh_token']).not.toBe(first);
  // Whatever else is wrong with it.
  expect((await refresh(first, 'everything'))['error']).toBe('invalid_grant');
  expect((await refresh(second['refresh_token']))['error']).toBe('invalid_grant');
  expect((await probe(service, second['access_token'])).status).toBe(401);
});

test('revocation ends only the access token, or a refresh token with its family; other clients cannot revoke', async () => {
  const { service, authorization, post } = await start();
  const { answer } = await post(ours);
  const [access, refresh] = [String(answer['access_token']), String(answer['refresh_token'])];
  const revoke = async (token: string, header = authorization) => {
    const revoked = await post({ token }, { path: '/token/revoke/', authorization: header });
    return [revoked.status, revoked.answer['error']];
  };
  const { tokens } = service.oauth;
  const isActive = async (token: string) =>
    (await Promise.all([tokens.findAccessToken(token), tokens.findRefreshToken(token)])).some(Boolean);
  const other = await registerApplication(service);
  expect(await revoke(access, basic(other.clientId, other.clientSecret))).toEqual([200, undefined]);
  expect(await isActive(access)).toBe(true);
  expect(await revoke(access)).toEqual([200, undefined]);
  expect([await isActive(access), await isActive(refresh)]).toEqual([false, true]);
  expect(await revoke(refresh)).toEqual([200, undefined]);
  expect(await isActive(refresh)).toBe(false);
  expect(await revoke('unknown')).toEqual([200, undefined]);
  expect(await revoke(access, basic(other.clientId, 'x'))).toEqual([401, 'invalid_client']);
});

test('the metadata are those of RFC 8414, with issuer parameter', async () => {
  const { baseUrl } = (await start()).service;
  const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  expect(await response.json()).toEqual({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize/`,
    token_endpoint: `${baseUrl}/token/`,
    revocation_endpoint: `${baseUrl}/token/revoke/`,
    scopes_supported: ['post_metag'],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'password', 'refresh_token', 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/documentation/`,
  });
});
