// Whole sign-ins through the app's own window in real Chromium: core starts one, the window shows the sign-in page, a user
// answers, core gets the token. Against our own service and one that is not ours; test/stories has the other flows.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DialogOutcome } from '#core/ports/host.ts';
import { fieldsFor, startAccess, startRealService, useOwn as connectOwn } from '#test/core/session/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { startOidcService, type IndependentService } from '#test/stories/oidc-service.ts';
import type { DialogQuestion } from './dialog-main.ts';
import { atFileEnd, isReal, startRainbell, type Rainbell, windowCount } from './rainbell.ts';

type Globals = { openDialog: (question: DialogQuestion) => Promise<DialogOutcome> };
type Service = Pick<
  IndependentService,
  'baseUrl' | 'clientId' | 'clientSecret' | 'redirectUri' | 'username' | 'password'
>;
type Answer = (page: Page, service: Service) => Promise<void>;

const answerOurs =
  (decision: 'Allow' | 'Deny'): Answer =>
  async (page, { username, password }) => {
    await page.getByLabel('Username or email address').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: decision, exact: true }).click({ noWaitAfter: true });
  };

const answerOidc: Answer = async (page, { username, password }) => {
  await page.getByPlaceholder('Enter any login').fill(username);
  await page.getByPlaceholder('and password').fill(password);
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click({ noWaitAfter: true });
};

describe.skipIf(isReal)('a sign-in through the app’s window', () => {
  let rainbell: Rainbell;
  beforeAll(async () => {
    rainbell = await startRainbell({ main: 'test/electron/dialog-main.ts' }, atFileEnd);
  });

  /** A core whose dialog is the window of the process on the double. */
  async function startApp(service: Service, answer: Answer) {
    const sandbox = await startFakeService();
    const harness = await startAccess({
      sandbox: sandbox.introduction,
      person: {
        async openDialog({ authorizationUrl, redirectUri, limitMs }) {
          const question = { authorizationUrl: authorizationUrl(redirectUri), redirectUri, limitMs };
          const outcome = rainbell.evaluate(
            (_electron, asked) => (globalThis as unknown as Globals).openDialog(asked),
            question,
          );
          const found = () => rainbell.pages().find((page) => page.url().startsWith(service.baseUrl));
          await expect.poll(found).toBeDefined();
          const page = found();
          if (page) await answer(page, service);
          return outcome;
        },
      },
    });
    const { baseUrl, clientId, redirectUri, clientSecret } = service;
    const changes = { baseUrl, authUrl: baseUrl, clientId, redirectUri };
    await connectOwn(harness, fieldsFor(sandbox.introduction, changes), clientSecret);
    return harness.client;
  }

  it.each(['authorization_code', 'implicit'] as const)('by %s works with our own service', async (way) => {
    const client = await startApp(await startRealService(), answerOurs('Allow'));
    expect(await client.session.signIn({ way, window: 'app' })).toMatchObject({
      outcome: 'approved',
      token: { grant: way },
    });
    expect(await windowCount(rainbell)).toBe(0);
  });

  it('by authorization code ends at oidc-provider with a private scheme, which nothing can load (docs/tokens.md T3)', async () => {
    const service = await startOidcService({ redirectUri: 'com.example.app:/done' });
    const client = await startApp(service, answerOidc);
    expect(await client.session.signIn({ way: 'authorization_code', window: 'app' })).toMatchObject({
      outcome: 'approved',
    });
  });

  it('that the user denies is one result, and no window is left (docs/tokens.md T5)', async () => {
    const client = await startApp(await startRealService(), answerOurs('Deny'));
    expect(await client.session.signIn({ way: 'authorization_code', window: 'app' })).toMatchObject({
      outcome: 'denied',
    });
    expect(await windowCount(rainbell)).toBe(0);
  });
});
