// The app's sign-in against authorization servers that are not ours, in a real browser over loopback: code with PKCE and
// refresh at oidc-provider, implicit and password with rotating refresh tokens at oauth2orize. Their deviations from the interface are
// tolerated and named.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { fieldsFor, startAccess, useOwn as connectOwn } from '#test/core/session/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startOidcService, type IndependentService } from './oidc-service.ts';
import { startOrizeService } from './orize-service.ts';

type Answer = (page: Page, service: IndependentService) => Promise<void>;

const answerOidc: Answer = async (page, { username, password }) => {
  await page.getByPlaceholder('Enter any login').fill(username);
  await page.getByPlaceholder('and password').fill(password);
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
};

const answerOrize: Answer = async (page, { username, password }) => {
  await page.getByLabel('Name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Allow' }).click();
};

/** An app whose person answers in a browser, connected to that service alone. */
async function startApp(service: IndependentService, answer: Answer) {
  const sandbox = await startFakeService();
  const context = await newBrowserContext();
  const page = await context.newPage();
  const openExternal = async (url: string) => {
    await page.goto(url);
    await answer(page, service);
  };
  const harness = await startAccess({
    sandbox: sandbox.introduction,
    person: { openExternal },
  });
  const { baseUrl, clientId, redirectUri } = service;
  const changes = { baseUrl, authUrl: baseUrl, clientId, redirectUri };
  await connectOwn(harness, fieldsFor(sandbox.introduction, changes), service.clientSecret);
  return { ...harness, page };
}

const tokenOf = async ({ client }: Awaited<ReturnType<typeof startApp>>, what: 'access_token' | 'refresh_token') =>
  (await client.session.reveal({ owner: 'user', what })).token;

describe('at oidc-provider', () => {
  test('a code is exchanged in the standard content type, refreshed, revoked only at a URL, and lost with its refresh token (docs/tokens.md T15, T16, T25)', async () => {
    const service = await startOidcService();
    const app = await startApp(service, answerOidc);
    const { session } = app.client;
    const result = await session.signIn({ way: 'authorization_code' });
    expect(result).toMatchObject({ outcome: 'approved', token: { grant: 'authorization_code', refreshable: true } });
    expect(await service.ownerOf(await tokenOf(app, 'access_token'))).toBe('ada');
    const [refused, taken] = service.tokenRequests;
    expect(refused).toMatchObject({ contentType: expect.stringContaining('application/www-form'), status: 400 });
    expect(taken?.contentType).toContain('application/x-www-form-urlencoded');
    await app.page.getByText('Rainbell received the response').waitFor();

    const [access, refresh] = [await tokenOf(app, 'access_token'), await tokenOf(app, 'refresh_token')];
    service.tokenRequests.length = 0;
    await session.refresh({ owner: 'user' });
    // It asks in the known form at once.
    expect(service.tokenRequests.map(({ status }) => status)).toEqual([200]);
    expect(await tokenOf(app, 'refresh_token')).toBe(refresh);
    const renewed = await tokenOf(app, 'access_token');
    expect(renewed).not.toBe(access);
    expect(await service.ownerOf(renewed)).toBe('ada');

    const unknown = await session.revoke({ owner: 'user' });
    expect(unknown).toMatchObject({ revoked: false, session: { user: { state: 'valid' } } });
    const elsewhere = session.revoke({ owner: 'user', endpoint: 'https://elsewhere.example/revoke' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { field: 'endpoint' } });

    await service.drop(refresh);
    const code = 'INVALID_GRANT';
    const message: unknown = expect.stringContaining('Sign in again');
    await expect(session.refresh({ owner: 'user' })).rejects.toMatchObject({ code, message });
    expect((await session.state()).user.state).toBe('failed');
  });

  test('a wrong client secret is named as such, also without PKCE', async () => {
    const service = await startOidcService();
    const app = await startApp({ ...service, clientSecret: 'wrong' }, answerOidc);
    expect(await app.client.session.signIn({ way: 'authorization_code', pkce: false })).toMatchObject({
      outcome: 'refused',
      error: 'invalid_client',
      problem: { code: 'INVALID_CLIENT' },
    });
  });
});

describe('“no” on the page of a service', () => {
  test.each([
    ['oidc-provider', startOidcService, (page: Page) => page.getByRole('link', { name: 'Cancel' }).click()],
    ['oauth2orize', startOrizeService, (page: Page) => page.getByRole('button', { name: 'Deny' }).click()],
  ] as const)('gives one result with a message at %s (docs/tokens.md T5)', async (name, start, answer) => {
    const app = await startApp(await start(), answer);
    const way = name === 'oauth2orize' ? 'implicit' : 'authorization_code';
    expect(await app.client.session.signIn({ way })).toMatchObject({ outcome: 'denied' });
  });
});

describe('at oauth2orize', () => {
  test('the implicit flow’s token is read from the fragment, and no refresh is offered (docs/tokens.md T2)', async () => {
    const service = await startOrizeService();
    const app = await startApp(service, answerOrize);
    const result = await app.client.session.signIn({ way: 'implicit' });
    expect(result).toMatchObject({ outcome: 'approved', token: { grant: 'implicit', refreshable: false } });
    expect(await service.ownerOf(await tokenOf(app, 'access_token'))).toBe('grace');
    await app.page.getByText('Rainbell received the response').waitFor();
    expect(app.page.url()).not.toContain('access_token');
  });

  test('a password works although the service fails with 500 at the interface’s content type (docs/tokens.md T10)', async () => {
    const service = await startOrizeService();
    const app = await startApp(service, answerOrize);
    const { username, password } = service;
    const result = await app.client.session.signIn({ way: 'password', username, password });
    expect(result).toMatchObject({
      outcome: 'approved',
      token: { grant: 'password', refreshable: true, deviations: [{ section: 'RFC 6749 §2.3.1' }] },
    });
    expect(service.tokenRequests.map(({ status }) => status)).toEqual(expect.arrayContaining([401, 500, 200]));
    service.tokenRequests.length = 0;
    expect(await service.ownerOf(await tokenOf(app, 'access_token'))).toBe('grace');
    // T15: each refresh token works once there, so the new one must be the one that is used next.
    const first = await tokenOf(app, 'refresh_token');
    await app.client.session.refresh({ owner: 'user' });
    await app.client.session.refresh({ owner: 'user' });
    expect(await tokenOf(app, 'refresh_token')).not.toBe(first);
    expect(service.tokenRequests.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a wrong password gives a matching message, and is not stored (docs/tokens.md T23)', async () => {
    const service = await startOrizeService();
    const app = await startApp(service, answerOrize);
    const input = { way: 'password', username: service.username, password: 'a wrong guess' } as const;
    const result = await app.client.session.signIn(input);
    expect(result).toMatchObject({ outcome: 'refused', error: 'invalid_grant' });
    expect(result.message).toMatch(/username or password/);
    expect(JSON.stringify([await app.client.session.flows(), [...app.host.stored]])).not.toContain('a wrong guess');
  });
});
