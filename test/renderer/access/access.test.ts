// Access and traffic as people use them: tokens, the five grant types, results with messages, and every request without its secrets.
import { describe, expect, it } from 'vitest';
import { issueTokens, type Route } from '#test/core/fake-service.ts';
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
  it('counts a token down, keeps it masked until requested, refreshes it and deletes it', async () => {
    const { page, service, complaints } = await openAccess();
    const card = page.getByRole('region', { name: 'Application token' });
    await card.getByText('Client credentials').waitFor();
    await expect.poll(() => card.innerText()).toMatch(/59:\d\d/);
    expect(await page.content()).not.toContain('access-1');
    await card.getByRole('button', { name: /Reveal the access token/ }).click();
    await card.getByText(/^access-\d+$/).waitFor();
    await card.getByRole('button', { name: /Hide the access token/ }).click();
    const before = service.requestsTo('POST /token/').length;
    await card.getByRole('button', { name: 'Refresh now' }).click();
    await page.getByText('New token received').waitFor();
    expect(service.requestsTo('POST /token/').length).toBe(before + 1);
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.getByRole('button', { name: 'Get an application token' }).waitFor();
    expect(complaints).toEqual([]);
  });

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
    expect(await page.content()).not.toMatch(/access-\d|refresh-\d|secret1|code-1/);

    await page.getByText('Implicit', { exact: true }).click();
    await signInByBrowser(screens);
    await card.getByText('Time left · then sign in again').waitFor();
    await expect.poll(() => card.getByRole('button', { name: 'Refresh now' }).count()).toBe(0);
  });

  it('empties the password field at once and keeps the password nowhere on the page', async () => {
    const refuse: Route = (request, count) =>
      request.body.includes('grant_type=password')
        ? { status: 400, body: { error: 'invalid_grant', error_description: 'Name or password is wrong' } }
        : issueTokens()(request, count);
    const { page, service, host } = await openAccess({ 'POST /token/': refuse }).then((screens) => ({
      ...screens,
      host: screens.core.host,
    }));
    await page.getByText('Password', { exact: true }).click();
    await page.getByLabel('Username').fill('tester');
    await page.getByRole('textbox', { name: 'Password' }).fill('never-kept-4711');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Refused by the service' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
    await page.getByText('Name or password is wrong').first().waitFor();
    expect(await page.content()).not.toContain('never-kept-4711');
    expect(JSON.stringify([...host.stored, host.written])).not.toContain('never-kept-4711');
    expect(service.requestsTo('POST /token/').filter(({ body }) => body.includes('never-kept-4711')).length).toBe(1);
  });

  it('names each deviation of a token response from the RFC', async () => {
    const { page } = await openAccess({ 'POST /token/': issueTokens({ expires_in: '3600' }) });
    const card = page.getByRole('region', { name: 'Application token' });
    await expect.poll(() => card.textContent()).toContain('RFC 6749');
  });
});

describe('the traffic screen', () => {
  it('lists every exchange, is walked by keys, filters, and shows no secret', async () => {
    const { page, service } = await openScreens({ hash: '#/traffic', weather: { count: 2 } });
    const list = page.getByRole('listbox', { name: 'Requests, newest first' });
    await list.waitFor();
    await page
      .getByRole('option', { name: /\/v2\/weather\// })
      .first()
      .click();
    await page.getByRole('region', { name: 'Response body' }).waitFor();
    await page.getByText('cURL', { exact: true }).click();
    await page.getByRole('region', { name: 'The request as cURL' }).getByText('$ACCESS_TOKEN').waitFor();
    await page.getByText('Headers', { exact: true }).click();
    await page.getByRole('rowheader', { name: 'authorization' }).waitFor();
    await list.focus();
    await page.keyboard.press('End');
    const last = await list.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => list.getAttribute('aria-activedescendant')).not.toBe(last);
    await page.getByText('Token', { exact: true }).click();
    await expect
      .poll(async () => (await list.getByRole('option').allInnerTexts()).every((row) => row.includes('/token/')))
      .toBe(true);
    await list.getByRole('option').first().click();
    await page.getByRole('heading', { name: /POST .*\/token\// }).waitFor();
    await page.getByText('Response', { exact: true }).last().click();
    expect(await page.content()).not.toMatch(/access-\d|refresh-\d|secret1/);
    expect(service.requestsTo('POST /token/').length).toBeGreaterThan(0);
    await page.getByLabel('Filter by URL').fill('nowhere');
    await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
  });

  it('draws what an exchange waited for, and sends it again: a GET at once, another after asking', async () => {
    const { page, service, core } = await openScreens({ hash: '#/traffic', weather: { count: 2 } });
    await page
      .getByRole('option', { name: /\/v2\/weather\// })
      .first()
      .click();
    await page.getByRole('list', { name: 'Timing' }).getByText('Wait for the first byte').waitFor();
    const asked = service.requestsTo('GET /v2/weather/').length;
    const chosen = await page.getByRole('option', { selected: true }).getAttribute('id');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => service.requestsTo('GET /v2/weather/').length).toBe(asked + 1);
    await expect.poll(() => page.getByRole('option', { selected: true }).getAttribute('id')).not.toBe(chosen);
    const callback = { kind: 'address', uri: 'https://hooks.example/in' } as const;
    await core.client.monitors.create({ geo: { lat: 45, lng: 7 }, callback }).catch(() => {});
    await page
      .getByRole('option', { name: /POST \/v2\/monitors\// })
      .first()
      .click();
    await page.getByRole('heading', { name: /POST .*monitors/ }).waitFor();
    const made = service.requestsTo('POST /v2/monitors/').length;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText('This may change data').waitFor();
    expect(service.requestsTo('POST /v2/monitors/')).toHaveLength(made);
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(service.requestsTo('POST /v2/monitors/')).toHaveLength(made + 1);
    await page.getByText('Token', { exact: true }).click();
    await page.getByRole('option', { name: /token/ }).first().click();
    await page.getByRole('heading', { name: /POST .*\/token\// }).waitFor();
    await page.getByRole('list', { name: 'Timing' }).getByText('Connect', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await page.getByText('Token requests can’t be sent again').waitFor();
    await page.getByRole('button', { name: 'Refresh now on the Access screen' }).press('Enter');
    await page.getByRole('region', { name: 'Application token' }).waitFor();
  });

  it('says why there was no answer, and clears only after asking', async () => {
    const { page, core } = await openScreens({
      hash: '#/traffic',
      routes: { 'GET /v2/weather/': () => ({ hangUp: true }) },
      settings: { theme: 'dark' },
    });
    await page.getByRole('switch', { name: 'Failed only' }).click();
    await page
      .getByRole('option', { name: /\/v2\/weather\/.*none/ })
      .first()
      .click();
    await page.getByText('no response', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete all…' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await core.client.traffic.list({})).total).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Delete all…' }).click();
    await page.getByRole('button', { name: 'Delete all', exact: true }).click();
    await page.getByRole('heading', { name: 'No traffic yet' }).waitFor();
  });
});
