// Choices around tokens as people use them: a narrower scope, and diagnostics that are seen before
// they leave.
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { issueTokens } from '#test/core/fake-service.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

it('“Refresh now” shows what was sent and received (docs/tokens.md T17)', async () => {
  const { page } = await openScreens({ hash: '#/access' });
  const token = page.getByRole('region', { name: 'Application token' });
  await token.getByRole('button', { name: 'Refresh now' }).click();
  await page.locator('summary').getByText('Refresh', { exact: true }).first().click();
  const steps = page.getByRole('list', { name: 'Steps: Refresh' }).first();
  await steps.getByText('refresh_token').first().waitFor();
  await steps.getByText('expires_in').waitFor();
  await expect.poll(() => steps.innerText()).not.toMatch(/access-\d|refresh-\d/);
});

it('a token can be refreshed for less than was granted, and the service’s refusal of more is shown', async () => {
  const { page, core, service } = await openScreens({ hash: '#/access' });
  await core.client.session.signIn({ way: 'password', username: 'a', password: 'b', scope: 'post_metag read' });
  const token = page.getByRole('region', { name: 'User token' });
  await token.getByRole('button', { name: 'Scope…' }).click();
  await page.getByRole('combobox', { name: 'Scope of new tokens' }).fill('post_metag ');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Refresh with these scopes' }).click();
  await page.getByText('New token received').waitFor();
  expect(service.requestsTo('POST /token/').at(-1)?.body).toContain('scope=post_metag');
  service.routes['POST /token/'] = () => ({ status: 400, body: { error: 'invalid_scope' } });
  await token.getByRole('button', { name: 'Scope…' }).click();
  await page.getByRole('button', { name: 'All granted scopes' }).click();
  await page.getByText('does not allow the requested scope').first().waitFor();
});

it('the card of a token that is not in use shows each second whether it is valid, and promises no refresh ahead', async () => {
  const { page, core, service } = await openScreens({ hash: '#/access' });
  service.routes['POST /token/'] = issueTokens({ expires_in: 600 });
  await core.client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  const token = page.getByRole('region', { name: 'User token' });
  await token.getByText('Time left · refreshes on next use').waitFor();
  await token.getByText('Valid', { exact: true }).waitFor();
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 601_000;
  });
  await token.getByText('Expired', { exact: true }).waitFor();
  await token.getByText('Refreshes on next use').waitFor();
  await expect.poll(() => token.getByText('Valid', { exact: true }).count()).toBe(0);
});

it('the scope picker draws 100 of 5,000 granted scopes, and a refresh for fewer keeps those that are hidden', async () => {
  const { page, core, service } = await openScreens({ hash: '#/access' });
  const scopes = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
  const token = service.routes['POST /token/'];
  if (!token) throw new Error('no token route');
  service.routes['POST /token/'] = async (request, count) => {
    const response = await token(request, count);
    return { ...response, body: { ...(response.body as object), scope: scopes.join(' ') } };
  };
  await core.client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  await page.getByRole('region', { name: 'User token' }).getByRole('button', { name: 'Scope…' }).click();
  const panel = page.getByRole('dialog', { name: 'Refresh with another scope' });
  await panel.getByText('s99', { exact: true }).waitFor();
  const drawn = () => panel.getByText(/^s\d+$/).count();
  expect(await drawn()).toBe(100);
  await panel.getByRole('combobox').fill('mine');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await panel.getByText('mine', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Show more (4,900 scopes)' }).click();
  await panel.getByRole('button', { name: 'Show more (4,800 scopes)' }).waitFor();
  expect(await drawn()).toBe(200);
});

it('diagnostics are seen file by file before they leave as one zip', async () => {
  const { page } = await openScreens({ hash: '#/settings' });
  await page.getByRole('button', { name: 'Export diagnostics…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review diagnostics' });
  await dialog.getByText('status.json').click();
  await dialog.getByText('"secretsProtection"').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as ZIP' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^rainbell-diagnostics-.*\.zip$/);
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.keys(files)).toContain('log.txt');
});
