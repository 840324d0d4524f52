// The exact responses of the token endpoints: each refusal, and what no one may cache.
import { expect, test } from 'vitest';
import { basic } from './oauth-service.ts';
import { startWithClient } from './posting-client.ts';
import { carol, registerApplication } from './registered-application.ts';

const basicChallenge = 'Basic realm="Rainbell", charset="UTF-8"';

test('each refusal of a client says what is wrong and what to do', async () => {
  const { refusal, own, authorization } = await startWithClient();
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
    'The Authorization header must be Basic, with client_id:client_secret in base64.',
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
    'The grant_type must be one of authorization_code, client_credentials, password, refresh_token.',
  ]);
  const notAForm = [
    400,
    'invalid_request',
    'The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
  ];
  for (const type of ['text/plain', 'nonsense', 'application/json']) {
    expect(await refusal({ form, authorization, type })).toEqual(notAForm);
  }
});

test('each successful response is JSON that no one caches', async () => {
  const { post, authorization } = await startWithClient();
  const cache = ['no-store', 'no-cache', 'application/json;charset=UTF-8'];
  const token = expect.stringMatching(/^[A-Za-z0-9]{43}$/);
  const issued = await post({ form: { grant_type: 'client_credentials' }, authorization });
  const bearer = { access_token: token, token_type: 'bearer', expires_in: 3600 };
  const json = { ...bearer, refresh_token: expect.stringMatching(/^cc\.[\w-]+$/) };
  expect(issued).toEqual({ status: 200, challenge: undefined, cache, json });
  const given = { token: String(issued.json['access_token']) };
  expect(await post({ path: '/token/revoke/', form: given, authorization })).toMatchObject({ status: 200, json: {} });
});

test('a body is required if the endpoint needs a parameter', async () => {
  const { refusal, authorization, post, ...service } = await startWithClient();
  const missing = (name: string) => [
    400,
    'invalid_request',
    `The ${name} parameter is missing; send it in the form body.`,
  ];
  expect(await refusal({ authorization, type: null })).toEqual(missing('grant_type'));
  expect(await refusal({ path: '/token/revoke/', authorization, type: null })).toEqual(missing('token'));
  const { clientId: client_id } = await registerApplication(service, { isPublic: true, name: 'Public' });
  expect(await refusal({ form: { client_id, grant_type: 'client_credentials' } })).toEqual([
    400,
    'unauthorized_client',
    'A public client cannot keep a secret, so it cannot use client_credentials; open the sign-in page.',
  ]);
  expect(await refusal({ form: { client_id, client_secret: 'x', grant_type: 'client_credentials' } })).toEqual([
    401,
    'invalid_client',
    'The client ID or the client secret is wrong, or the application is disabled.',
    basicChallenge,
  ]);
  const huge = await post({ form: { grant_type: 'x'.repeat(65_537) }, authorization });
  expect([huge.status, huge.json['error']]).toEqual([413, 'payload_too_large']);
  const large = await post({ form: { grant_type: 'x'.repeat(65_000) }, authorization });
  expect([large.status, large.json['error']]).toEqual([400, 'unsupported_grant_type']);
});

test('each refusal of a code, a password, and a refresh token says why', async () => {
  const { refusal, own, authorization, oauth, clock, db, post } = await startWithClient();
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
  expect(await tokens.findAccessToken(String(issued.json['access_token']))).toMatchObject({
    applicationId: trusted.id,
    kind: 'password',
    scope: ['post_metag'],
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
  ).toEqual([400, 'invalid_grant', 'The redirect_uri differs from the one in the authorization request.']);
  for (const [codeChallenge, code_verifier] of [
    [null, verifier],
    [challenge, ''],
    [challenge, 'short'],
    [challenge, `${verifier.slice(0, -1)}A`],
    ['short', 'short'],
    // The challenge is that of the verifier, which is too short.
    ['LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g-YpeiGJm564', 'foo'],
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
    'The refresh_token parameter is missing; send it in the form body.',
  ]);
  clock.advance(90 * 86_400 - 0.001);
  expect((await post({ form: refresh, authorization })).json['refresh_token']).toBe(refresh_token);
  clock.advance(0.001);
  expect(await refusal({ form: refresh, authorization })).toEqual(badToken);
});
