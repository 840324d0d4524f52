// Signing in as people do it, over core and a service: what denied and approved it, and nothing of a secret on the page. What the screens
// show of tokens and requests: access.test.tsx.
import { describe, expect, it } from 'vitest';
import type { Route } from '#test/core/fake-service.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

/** A sign-in page that allows access at once, as if the user had allowed it before. */
const approve: Route = ({ url }) => {
  const asked = new URL(url, 'http://service').searchParams;
  const target = new URL(asked.get('redirect_uri') ?? '');
  const state = asked.get('state') ?? '';
  if (asked.get('response_type') === 'code') target.search = new URLSearchParams({ state, code: 'code-1' }).toString();
  else target.hash = new URLSearchParams({ state, access_token: 'implicit-secret', expires_in: '600' }).toString();
  return { status: 303, headers: { location: target.href } };
};

const deny: Route = ({ url }) => {
  const asked = new URL(url, 'http://service').searchParams;
  const answer = new URLSearchParams({ state: asked.get('state') ?? '', error: 'access_denied' });
  return { status: 303, headers: { location: `${asked.get('redirect_uri')}?${answer}` } };
};

async function openAccess(routes: Record<string, Route> = {}, settings: Record<string, unknown> = {}) {
  const screens = await openScreens({ hash: '#/access', routes, settings });
  await screens.page.getByRole('region', { name: 'Application token' }).getByText('Valid', { exact: true }).waitFor();
  return screens;
}

/** Follows the dialog's address as the user's browser would. */
async function signInByBrowser({ page }: Screens): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with my browser' }).click();
  const address = await page.getByRole('link', { name: 'Open sign-in page' }).getAttribute('href');
  const dialog = await page.context().newPage();
  await dialog.goto(address ?? '');
  await dialog.waitForLoadState('networkidle');
  await dialog.close();
}

describe('the access screen', () => {
  it('signs in by the browser: says that the user denied access, shows a token by code, and one of the implicit flow, which ends for good', async () => {
    const screens = await openAccess({ 'GET /oauth/authorize/': deny });
    const { page, service } = screens;
    await signInByBrowser(screens);
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    await page
      .getByRole('alert')
      .getByRole('list', { name: /Steps:/ })
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('heading', { name: 'Access denied' }).waitFor({ state: 'detached' });

    service.routes['GET /oauth/authorize/'] = approve;
    await signInByBrowser(screens);
    const card = page.getByRole('region', { name: 'User token' });
    await card.getByText('Valid', { exact: true }).waitFor();
    await card.getByText('Authorization code').waitFor();
    await card.getByRole('button', { name: /Reveal the refresh token/ }).waitFor();
    await page.getByText('Authorization code').last().click();
    await page.getByRole('list', { name: 'Steps: Authorization code' }).first().waitFor();
    await card.getByRole('button', { name: 'Refresh now' }).click();
    await page.locator('summary').getByText('Refresh', { exact: true }).first().click();
    const steps = page.getByRole('list', { name: 'Steps: Refresh' }).first();
    await steps.getByText('refresh_token').first().waitFor();
    await steps.getByText('expires_in').waitFor();
    expect(await page.content()).not.toMatch(/access-\d|refresh-\d|secret1|code-1/);

    await page.getByText('Implicit', { exact: true }).click();
    await signInByBrowser(screens);
    await card.getByText('Time left · then sign in again').waitFor();
    await expect.poll(() => card.getByRole('button', { name: 'Refresh now' }).count()).toBe(0);
  });
});
