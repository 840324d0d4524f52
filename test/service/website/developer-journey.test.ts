// A developer's way through the website in a real Chromium: account, application, first token, documentation.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect, test } from 'vitest';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startWebsite } from './website-service.ts';

async function openSite(options: BrowserContextOptions = {}) {
  const service = await startWebsite();
  const page = await (await newBrowserContext(options)).newPage();
  return { service, page };
}

async function fillSignUp(page: Page, baseUrl: string, application: string): Promise<void> {
  await page.goto(`${baseUrl}/register/`);
  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Email address').fill('ann@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel(/Application name/).fill(application);
}

test('one form leads to an account, an application, and commands that work as copied', async () => {
  const { service, page } = await openSite({ permissions: ['clipboard-read', 'clipboard-write'] });
  await fillSignUp(page, service.baseUrl, '<img src=x onerror=alert(1)>');
  await expect.poll(() => page.getByLabel(/Drizzle/).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Read and accept the terms to continue.').waitFor();
  expect(await service.db.selectFrom('accounts').select('id').where('username', '=', 'ann').execute()).toEqual([]);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel(/I accept/).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Copy commands with your credentials' }).click();
  await page.getByText('Copied').waitFor();
  const commands = await page.evaluate(() => navigator.clipboard.readText());
  // This service has no weather; the commands' first half gets a token.
  const [signIn = ''] = commands.split('\ncurl -sS');
  const { stdout } = await promisify(execFile)('sh', ['-c', `${signIn}\necho "$TOKEN"`]);
  expect(stdout).toMatch(/^[\w-]{20,}\n$/);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('<img src=x onerror=alert(1)>');
  const clientId = (await page.locator('[data-credential=client_id]').textContent()) ?? '';
  const link = (await page.getByRole('link', { name: 'Open in the Rainbell app' }).getAttribute('href')) ?? '';
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual({ url: service.baseUrl, client: clientId });
  const secret = (await page.locator('[data-credential=client_secret]').textContent()) ?? '';
  await page.getByRole('link', { name: 'Go to the application' }).click();
  expect(await page.content()).not.toContain(secret);
  await page.goto(`${service.baseUrl}/documentation/`);
  await page.getByText(`-u '${clientId}:CLIENT_SECRET'`).waitFor();
});

test('the language of the examples is chosen once for all pages, and can be chosen without scripts', async () => {
  const { service, page } = await openSite();
  await page.goto(`${service.baseUrl}/documentation/weather/`);
  await page.getByText('Python').click();
  await page.getByText('import base64, json, os').waitFor();
  await page.goto(`${service.baseUrl}/documentation/monitors/`);
  await expect.poll(() => page.getByText("'monitor_type': 'precipitation'").isVisible()).toBe(true);
  const still = await (await newBrowserContext({ javaScriptEnabled: false })).newPage();
  await still.goto(`${service.baseUrl}/documentation/weather/`);
  await still.getByText('Python').click();
  await still.getByText('import base64, json, os').waitFor();
});

test('the documentation tries a call with a token of the visitor, which ends right after', async () => {
  const { service, page } = await openSite();
  await fillSignUp(page, service.baseUrl, 'Umbrella');
  await page.getByLabel(/I accept/).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('App created.').waitFor();
  await page.goto(`${service.baseUrl}/documentation/reports/`);
  const section = page.locator('#list-reports');
  await section.getByText('Try it').click();
  await section.getByRole('button', { name: 'Send request' }).click();
  const answer = page.getByRole('status');
  await expect.poll(() => answer.textContent()).toContain('200 OK');
  const tokens = await service.db.selectFrom('grants').select('revoked_at').execute();
  expect(tokens.every((grant) => grant.revoked_at !== null)).toBe(true);
});
