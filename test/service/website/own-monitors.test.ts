// Monitors on the website, on a whole service and in a real Chromium without scripts: from nothing to a test event at a receiver.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

async function openSite(): Promise<{ baseUrl: string; page: Page }> {
  const service = await startOwnService();
  const page = await (await newBrowserContext({ javaScriptEnabled: false })).newPage();
  return { baseUrl: introductionOf(service).baseUrl, page };
}

/** Seven actions: four fields, the terms, the account, and a new monitor. */
async function openNewMonitor(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/register/`);
  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Email address').fill('ann@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel(/Application name/).fill('Umbrella');
  await page.getByLabel(/I accept/).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('link', { name: 'Create a monitor' }).click();
}

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}

test('a developer comes from nothing to a test event, with help at wrong fields, and edits and deletes the monitor', async () => {
  const { baseUrl, page } = await openSite();
  const receiver = await startCallbackEndpoint();
  await openNewMonitor(page, baseUrl);
  const submit = () => page.getByRole('button', { name: 'Create monitor' }).click();
  const problem = (id: string) => page.locator(`#${id}-problem`).textContent();
  await fillIn(page, { Latitude: 'north', Longitude: '7.69', 'Callback URL': receiver.url });
  await submit();
  expect(await problem('lat')).toContain('Latitude must be');
  expect(await page.getByLabel('Latitude').inputValue()).toBe('north');
  await fillIn(page, { Latitude: '45.07', 'Callback URL': 'ftp://example.org' });
  await submit();
  expect(await problem('callback_uri')).toContain('Callback URL must');
  await fillIn(page, { 'Callback URL': receiver.url, 'Minutes before it starts': '2' });
  await page.getByRole('radio', { name: /Rain event/ }).check();
  await page.getByRole('checkbox', { name: 'Before it starts' }).check();
  await submit();
  expect(await problem('lead')).toContain('must be a whole number from 5 to 60');
  await page.getByRole('checkbox', { name: 'Before it starts' }).uncheck();
  await fillIn(page, { 'Minutes before it starts': '' });
  await page.getByRole('checkbox', { name: 'When it is over' }).check();
  // The simulated weather never has that much, so nothing but the test is sent.
  await fillIn(page, { 'From (mm/h)': '49.5' });
  await submit();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('The monitor was saved.');
  await page.getByRole('button', { name: /^Test precipitation_/ }).click();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('A test event is on its way.');
  const [callback] = await receiver.waitFor(1);
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({
    type: 'precipitation.started',
    data: { is_test: true, monitor: { geo: { coordinates: [7.69, 45.07] } } },
  });

  await page.getByRole('link', { name: /^precipitation_/ }).click();
  const valueOf = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  expect(await valueOf('From (mm/h)')).toBe('49.5');
  expect(await page.getByRole('checkbox', { name: 'When it is over' }).isChecked()).toBe(true);
  await fillIn(page, { Latitude: '46,5' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('46.5, 7.69').waitFor();
  await page.getByRole('button', { name: /^Pause/ }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Resume/ }).click();
  await page.getByText('Delete…').click();
  await page.getByRole('button', { name: /^Delete precipitation_/ }).click();
  await page.getByText('No monitors yet').waitFor();
});

test('the record shows an event with its request and response, filters, and resends', async () => {
  const { baseUrl, page } = await openSite();
  const receiver = await startCallbackEndpoint((_callback, response) => {
    response.writeHead(401).end('Unknown key <b>7</b>');
  });
  await openNewMonitor(page, baseUrl);
  await fillIn(page, { Latitude: '45.07', Longitude: '7.69', 'Callback URL': receiver.url });
  await page.getByRole('radio', { name: /Rain event/ }).check();
  await fillIn(page, { 'From (mm/h)': '49.5' });
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.getByRole('button', { name: /^Test precipitation_/ }).click();
  const [callback] = await receiver.waitFor(1);

  await page.getByRole('link', { name: 'Events' }).click();
  const row = page.getByRole('row').last();
  // The attempt ends after its response, and the names of places load with the first page.
  const shown = () => page.reload().then(() => row.textContent());
  await expect.poll(shown).toMatch(/Turin, Italy[^]*401 Unauthorized/);
  const csv = await page.getByRole('link', { name: /^CSV/ }).getAttribute('href');
  const file = await page.request.get(baseUrl + csv);
  expect(file.headers()).toMatchObject({ 'content-disposition': 'attachment', 'content-type': /^text\/csv/ });
  expect(await file.text()).toContain(`,401,`);
  await page.getByLabel('State').selectOption('Delivered');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('No events').waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.getByLabel('Until (UTC)').fill('2026-01-01T00:00');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('No events').waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();

  await row.getByRole('link', { name: /UTC$/ }).click();
  const request = await page.getByRole('region', { name: 'request of attempt 1' }).textContent();
  expect(request).toContain(`POST ${receiver.url}`);
  expect(request).toContain(`webhook-id: ${callback?.headers['webhook-id'] as string}`);
  expect(request).toContain(callback?.body);
  expect(request).not.toContain('webhook-signature');
  expect(await page.getByRole('region', { name: 'response to attempt 1' }).textContent()).toBe('Unknown key <b>7</b>');
  await page.getByRole('button', { name: 'Resend event' }).click();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('The event will be sent again');
  const [, again] = await receiver.waitFor(2);
  expect(again?.headers['webhook-id']).toBe(callback?.headers['webhook-id']);
});
