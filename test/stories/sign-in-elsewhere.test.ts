// The app's sign-in against an authorization server that is not ours, in a real browser over loopback: code with PKCE and refresh at
// oidc-provider. What else such servers answer: test/core/tokens/token-responses.test.ts.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { fieldsFor, startAccess, useOwn as connectOwn } from '#test/core/session/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startOidcService, type OidcService } from './oidc-service.ts';

async function answerDialog(page: Page, { username, password }: OidcService): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(username);
  await page.getByPlaceholder('and password').fill(password);
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** An app whose person answers in a browser, connected to that service alone. */
async function startApp(service: OidcService) {
  const sandbox = await startFakeService();
  const context = await newBrowserContext();
  const page = await context.newPage();
  const openExternal = async (url: string) => {
    await page.goto(url);
    await answerDialog(page, service);
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

test('a code is exchanged in the standard content type, refreshed, not revoked without a URL for it, and lost with its refresh token (docs/tokens.md T15, T16, T25)', async () => {
  const service = await startOidcService();
  const app = await startApp(service);
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

  await expect(session.revoke({ owner: 'user' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect((await session.state()).user.state).toBe('valid');

  await service.drop(refresh);
  const code = 'INVALID_GRANT';
  const message: unknown = expect.stringContaining('Sign in again');
  await expect(session.refresh({ owner: 'user' })).rejects.toMatchObject({ code, message });
  expect((await session.state()).user.state).toBe('failed');
});

test('a wrong client secret is named as such, also without PKCE', async () => {
  const service = await startOidcService();
  const app = await startApp({ ...service, clientSecret: 'wrong' });
  expect(await app.client.session.signIn({ way: 'authorization_code', pkce: false })).toMatchObject({
    outcome: 'refused',
    error: 'invalid_client',
    problem: { code: 'INVALID_CLIENT' },
  });
});
