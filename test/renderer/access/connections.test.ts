// The connections as people use them: the switch in the header, the test, and production standing out.
import { describe, expect, it } from 'vitest';
import { startFakeService } from '#test/core/fake-service.ts';
import { openScreens, type Screens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

async function fillForm({ page }: Screens, baseUrl: string): Promise<void> {
  await page.getByRole('button', { name: 'New connection', exact: true }).click();
  await page.getByLabel('Name').fill('Rome');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(baseUrl);
  await page.getByRole('textbox', { name: 'Sign-in URL' }).fill(baseUrl);
  await page.getByRole('textbox', { name: 'Client ID' }).fill('client2');
  await page.getByRole('textbox', { name: 'Client secret' }).fill('secret2-never-shown');
}

describe('the connections screen', () => {
  it('makes a connection, says step by step what works, and everything in the window changes over to it', async () => {
    const other = await startFakeService({
      'GET /v2/monitors/': () => ({
        body: {
          objects: [
            {
              id: 'precipitation_77',
              monitor_type: 'precipitation',
              callback_uri: 'https://ops.example.net/rain',
              geo: { type: 'Point', coordinates: [12.5, 41.9] },
            },
          ],
          meta: {},
        },
      }),
      'GET /v2/weather/': ({ headers }) =>
        headers.authorization
          ? { body: weatherBody({ now: Date.now(), iconBase: other.baseUrl }) }
          : { status: 401, body: { error: 'invalid_request', error_description: 'A token is missing' } },
      'GET /v2/icons/sunny': () => ({ status: 404 }),
    });
    const screens = await openScreens({ hash: '#/connections' });
    const { page, core } = screens;
    await fillForm(screens, other.baseUrl);
    await page.getByRole('combobox', { name: 'Color' }).selectOption('red');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Test Rome' }).click();
    const found = page.getByRole('region', { name: 'Rome' }).getByRole('listitem');
    await found.nth(4).waitFor();
    expect((await found.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'URL',
      'Token',
      'Weather',
      'Monitors',
      'Clock',
    ]);
    await page.getByText('The client ID and secret work.').waitFor();
    expect(await page.content()).not.toContain('secret2-never-shown');
    await page.getByRole('button', { name: 'Use Rome' }).click();
    await page.getByRole('button', { name: 'Connection: Rome, ready, production' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Sandbox', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: /^Monitors/ }).click();
    await page.getByText('precipitation_77').first().waitFor();
    expect((await core.client.connections.list()).selectedId).not.toBe('sandbox');

    await page.getByRole('button', { name: /^Connection: Rome/ }).click();
    await page.getByRole('button', { name: /Manage connections/ }).waitFor();
    await page
      .getByRole('listitem')
      .getByRole('button', { name: /^Sandbox/ })
      .click();
    await page.getByRole('heading', { name: 'No monitors yet' }).waitFor();
  });

  it('explains why a public client cannot reach monitors, and leads to what helps', async () => {
    const { page, core, service } = await openScreens({ hash: '#/monitors' });
    await page.getByRole('heading', { name: 'No monitors yet' }).waitFor();
    const { id } = await core.client.connections.create({
      name: 'Phone',
      color: 'violet',
      baseUrl: service.baseUrl,
      authUrl: service.baseUrl,
      clientId: 'phone1',
      isPublic: true,
      redirectUri: 'http://127.0.0.1:8490/callback',
      scope: 'post_metag',
      caPem: null,
      proxyUrl: null,
      clientSecret: null,
    });
    await core.client.connections.select({ id });
    const alert = page.getByRole('alert');
    await alert.getByText(/Monitors require a token from client credentials/).waitFor();
    await alert.getByRole('button', { name: 'Edit the connection…' }).click();
    await page.getByRole('dialog', { name: 'Edit Phone' }).waitFor();
    await expect.poll(() => page.getByRole('switch', { name: /Public client/ }).isChecked()).toBe(true);
  });
});
