// Codes and refresh tokens (docs/interface.md §3.1, §4.2): single use, bound, narrowed, rotated; reuse ends what was
// given.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { authorize, createAgent } from './dialog-browser.ts';
import { basic, type OAuthService, postToken, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication, type Registered } from './registered-application.ts';

async function getCode(
  service: OAuthService,
  application: Registered,
  more: Record<string, string> = {},
): Promise<string> {
  const parameters = {
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: application.redirectUri,
    scope: 'post_metag',
    ...more,
  };
  const { location } = await authorize(createAgent(service.baseUrl), parameters, carol);
  return new URL(location ?? '').searchParams.get('code') ?? '';
}

const probe = ({ baseUrl }: OAuthService, token: unknown) =>
  fetch(`${baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${String(token)}` } });

function exchange(service: OAuthService, application: Registered, code: string, changes: Record<string, string> = {}) {
  const isPublic = application.clientSecret === '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: application.redirectUri, ...changes };
  return isPublic
    ? postToken(service, { ...form, client_id: application.clientId })
    : postToken(service, form, { authorization: basic(application.clientId, application.clientSecret) });
}

test('a query in the redirect address is kept, and the answer is added to it', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const { location } = await authorize(
    createAgent(service.baseUrl),
    {
      client_id: application.clientId,
      response_type: 'code',
      redirect_uri: application.redirectUri,
      scope: 'post_metag',
      state: 's',
    },
    carol,
  );
  expect(location).toMatch(
    /^https:\/\/app\.example\.org\/callback\?from=rainbell&state=s&code=[A-Za-z0-9]+&iss=[^&]+$/,
  );
});

test('eight exchanges of one code at once give one token (docs/tokens.md T26)', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const code = await getCode(service, application);
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(service, application, code)));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(new Set(answers.filter((answer) => answer.status !== 200).map((answer) => answer.answer['error']))).toEqual(
    new Set(['invalid_grant']),
  );
});

test('a code that comes a second time ends what it gave (docs/tokens.md T26)', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const code = await getCode(service, application);
  const first = await exchange(service, application, code);
  expect((await probe(service, first.answer['access_token'])).status).toBe(200);
  // Even after its minute.
  service.clock.advance(60);
  expect((await exchange(service, application, code)).answer['error']).toBe('invalid_grant');
  expect((await probe(service, first.answer['access_token'])).status).toBe(401);
});

test('an exchange without the redirect address is refused, because the interface requires it', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const code = await getCode(service, application);
  expect((await exchange(service, application, code, { redirect_uri: '' })).answer['error']).toBe('invalid_request');
});

test('with PKCE only the holder of the verifier gets the token', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service, { isPublic: true });
  const verifier = randomBytes(32).toString('base64url');
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const code = await getCode(service, application, challenge);
  for (const wrong of [{}, { code_verifier: 'x'.repeat(43) }, { code_verifier: 'short' }]) {
    expect((await exchange(service, application, code, wrong)).answer['error']).toBe('invalid_grant');
  }
  expect((await exchange(service, application, code, { code_verifier: verifier })).status).toBe(200);
});

test('a refresh may narrow the scope, never broaden it, and the refresh token keeps its own', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const authorization = basic(application.clientId, application.clientSecret);
  const first = await exchange(service, application, await getCode(service, application));
  const refresh = (scope: Record<string, string>) =>
    postToken(
      service,
      { grant_type: 'refresh_token', refresh_token: String(first.answer['refresh_token']), ...scope },
      { authorization },
    );
  expect((await refresh({ scope: 'post_metag admin' })).answer['error']).toBe('invalid_scope');
  for (const scope of [{}, { scope: 'post_metag' }]) {
    const { answer } = await refresh(scope);
    expect(answer['refresh_token']).toBe(first.answer['refresh_token']);
    expect((await (await probe(service, answer['access_token'])).json()) as object).toMatchObject({
      access: { scope: ['post_metag'], kind: 'authorization_code' },
    });
  }
});

test("a public client's refresh token is replaced, and using the old one again ends the whole family", async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service, { isPublic: true });
  const first = await exchange(service, application, await getCode(service, application));
  const refresh = (token: unknown, more = {}) => {
    const form = { grant_type: 'refresh_token', refresh_token: String(token), client_id: application.clientId };
    return postToken(service, { ...form, ...more });
  };
  const second = await refresh(first.answer['refresh_token']);
  expect(second.status).toBe(200);
  expect(second.answer['refresh_token']).not.toBe(first.answer['refresh_token']);
  // Whatever else is wrong with it.
  const again = await refresh(first.answer['refresh_token'], { scope: 'everything' });
  expect(again.answer['error']).toBe('invalid_grant');
  expect((await refresh(second.answer['refresh_token'])).answer['error']).toBe('invalid_grant');
  expect((await probe(service, second.answer['access_token'])).status).toBe(401);
});

test('a new client secret, a new password and a disabled account each end the tokens at once', async () => {
  const service = await startOAuthService();
  const { oauth } = service;
  const application = await registerApplication(service);
  const ways: (() => Promise<unknown>)[] = [
    () => oauth.tokens.revoke({ accountId: application.accountId }),
    () => oauth.accounts.setDisabled(application.accountId, true),
  ];
  for (const end of ways) {
    const { answer } = await exchange(service, application, await getCode(service, application));
    expect((await probe(service, answer['access_token'])).status).toBe(200);
    await end();
    expect((await probe(service, answer['access_token'])).status).toBe(401);
  }
});
