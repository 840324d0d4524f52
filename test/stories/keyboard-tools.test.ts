// The stories of the user guide about tools, with the keyboard only, one after the other on one host and one page;
// keyboard-only.test.ts has the others. The test itself only sends what another program would send.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';
import { chooseItem, runFromPalette, tabTo } from './keyboard.ts';

let page: Page;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-keyboard-tools-'));
  ends.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
  const browser = await launchBrowser({ executablePath: shellPath() }, shortLived);
  ends.push(() => browser.close());
  const app = await startAppProcess(dataFolder);
  ends.push(() => app.stop());
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', locale: 'en-IE' });
  page.setDefaultTimeout(45_000);
  await page.goto(app.url);
  await page.getByRole('slider').waitFor();
});
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const newest = () => page.getByRole('option').first();
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const enter = async (name: RegExp) => {
  await tabTo(page, name);
  await press('Enter');
};
const type = async (name: RegExp, text: string) => {
  await tabTo(page, name);
  await press('Control+a');
  await page.keyboard.type(text);
};
const saved = async (start: () => Promise<void>): Promise<{ download: Download; text: string; path: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  const path = await download.path();
  return { download, path, text: await readFile(path, 'utf8') };
};
const receiverUrl = async () => {
  const [host] = /[\d.]+:\d+/.exec(await page.getByRole('button', { name: /^Receiver / }).innerText()) ?? [''];
  return `http://${host}`;
};

it('finds a rain front, acknowledges it with a note, and silences and unsilences an area', async () => {
  for (const count of [1, 2, 3]) {
    await runFromPalette(page, 'new monitor', /^New monitor/);
    await dialog(/new monitor/i).waitFor();
    await press('Enter');
    await page.getByRole('button', { name: new RegExp(`^Monitors, ${count} monitor`) }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await runFromPalette(page, 'rain', /^Make it rain/);
  await tabTo(page, /^Apply scenario$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Callbacks, 3 unread' }).waitFor();
  await runFromPalette(page, 'go to monitors', /Monitors/);
  const fronts = page.getByRole('region', { name: 'Rain fronts' });
  await fronts.getByRole('button', { name: /: 3 monitors, 0 failed$/ }).waitFor();
  await enter(/^Rain front.*: 3 monitors, 0 failed$/);
  await expect.poll(() => page.url()).toMatch(/#\/events.*front=/);
  await runFromPalette(page, 'go to monitors', /Monitors/);
  await enter(/^Acknowledge…$/);
  await page.locator('[role="dialog"] :focus').waitFor();
  await type(/^Note/, 'known');
  await enter(/^Acknowledge$/);
  await fronts.getByText(/^Acknowledged by .*: known$/).waitFor();
  await enter(/^Silence…$/);
  await page.locator('[role="dialog"] :focus').waitFor();
  await enter(/^Silence$/);
  await fronts.getByText(/^No notifications within \d+ km of -?\d+\.\d\d, -?\d+\.\d\d until/).waitFor();
  await enter(/^End silence$/);
  await fronts.getByText(/^No notifications within/).waitFor({ state: 'detached' });
});

it('receives events by the feed', async () => {
  await runFromPalette(page, 'https', /^Set up the receiver’s HTTPS/);
  const feed = dialog('Receiver settings').getByRole('switch', { name: /^Read events from the feed/ });
  await feed.waitFor();
  await tabTo(page, /^Read events from the feed/);
  await press('Space');
  await expect.poll(() => feed.isChecked()).toBe(true);
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await runFromPalette(page, 'sandbox clock 1 hour', /^Move the sandbox clock 1 hour ahead/);
  await runFromPalette(page, 'rain', /^Make it rain/);
  await tabTo(page, /^Apply scenario$/);
  await page.keyboard.press('Enter');
  await runFromPalette(page, 'go to callbacks', /Callbacks/);
  await page.getByRole('option').filter({ hasText: 'From feed' }).first().waitFor();
});

it('responds to a held request by hand', async () => {
  await runFromPalette(page, 'response rules', /^Edit response rules/);
  await page.getByRole('dialog').waitFor();
  await enter(/^Add/);
  await type(/^Path/, '/hooks/held');
  await type(/^Responses/, 'hold for 60 s');
  await enter(/^Save$/);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const answered = fetch(`${await receiverUrl()}/hooks/held`, { method: 'POST', body: '{}' });
  await page.getByRole('region', { name: 'Held requests' }).waitFor();
  await enter(/^Respond…$/);
  await dialog(/^Respond to request/)
    .locator(':focus')
    .waitFor();
  await type(/^Status/, '418');
  await type(/^Body/, 'typed');
  await enter(/^Send response$/);
  const response = await answered;
  expect([response.status, await response.text()]).toEqual([418, 'typed']);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('learns why a signature fails', async () => {
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  await runFromPalette(page, 'https', /^Set up the receiver’s HTTPS/);
  const form = dialog('Receiver settings').getByRole('form', { name: 'Webhook secret' });
  await form.waitFor();
  await type(/^Secret or public key/, `whsec_${secret}`);
  await enter(/^Save keys$/);
  await form.getByText('the keys that you entered').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const time = String(Math.floor(Date.now() / 1000));
  const body = '{ "id": "precipitation_7" }';
  const signed = `evt_1.${time}.${JSON.stringify(JSON.parse(body))}`;
  const digest = createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('hex');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
  await fetch(`${await receiverUrl()}/hooks/signed`, { method: 'POST', headers, body });
  await newest().getByText('/hooks/signed').waitFor();
  await runFromPalette(page, 'newest callback', /^Open the newest callback/);
  // The verdict’s line, not the chip that counts them.
  await enter(/^(Invalid|Unknown secret)\s*[A-Z]/);
  const diagnosis = page.getByRole('region', { name: 'Why the signature fails' });
  const sentence =
    'The signature verifies if the JSON body is written with different whitespace, and the header is read as hexadecimal digits.';
  await expect.poll(() => diagnosis.innerText()).toContain(sentence);
  await diagnosis.getByText('Sign and verify the raw bytes').waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'Verdict' }).locator('summary').textContent())
    .toContain('Invalid');
  await enter(/^Learn more/);
  await page.getByRole('heading', { name: 'Find out why a signature fails' }).waitFor();
  await runFromPalette(page, 'newest callback', /^Open the newest callback/);
});

it('exports a callback as a page', async () => {
  await chooseItem(page, /^More actions$/, /^Export as a page…$/);
  await dialog(/^Export callback \d+ as a page$/)
    .getByRole('button', { name: 'Save page' })
    .waitFor();
  const { download, text } = await saved(() => enter(/^Save page$/));
  expect(download.suggestedFilename()).toMatch(/\.html$/);
  expect(text).toContain('/hooks/signed');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('exports the callbacks and imports them again', async () => {
  const { path, text } = await saved(() => chooseItem(page, /^Export$/, /^JSON/));
  await chooseItem(page, /^More$/, /^Import…$/);
  await dialog('Import callbacks').locator(':focus').waitFor();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), enter(/^(File|Choose a file)/)]);
  await chooser.setFiles({ name: 'callbacks.json', mimeType: 'application/json', buffer: await readFile(path) });
  await enter(/^Import$/);
  const count = text.split('/hooks/').length - 1;
  expect(count).toBeGreaterThan(3);
  await dialog('Import callbacks')
    .getByText(/^\d+ imported, 0 skipped$/)
    .waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('develops a handler, and names its bug', async () => {
  const handler = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(handler.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    handler.closeAllConnections();
    handler.close();
  });
  await runFromPalette(page, 'develop a handler', /^Develop a handler/);
  await page.getByRole('heading', { name: 'Your handler' }).waitFor();
  await type(/^URL/, `http://127.0.0.1:${(handler.address() as AddressInfo).port}/`);
  await press('Enter');
  const bugs = page.getByRole('list', { name: 'Bugs' });
  await bugs.waitFor();
  expect(await bugs.textContent()).toContain('It accepts unsigned events.');
  await enter(/^Stop$/);
  await page.getByRole('heading', { name: 'Your handler' }).waitFor();
});

it('exports connections and imports them', async () => {
  await runFromPalette(page, 'new connection', /^New connection/);
  await dialog('New connection').waitFor();
  await type(/^Name/, 'Staging');
  await type(/^(Base|API) (URL|address)/, 'http://127.0.0.1:9');
  await type(/^Sign-in URL/, 'http://127.0.0.1:9');
  await type(/^Client id/i, 'demo');
  await type(/^Client secret/, 'secret');
  await press('Enter');
  await page.getByText('Created Staging').waitFor();
  await runFromPalette(page, 'go to connections', /Connections/);
  const { path, text } = await saved(() => enter(/^Export$/));
  expect(text).toContain('"Staging"');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), enter(/^Import…$/)]);
  await chooser.setFiles({ name: 'team.json', mimeType: 'application/json', buffer: await readFile(path) });
  await dialog('1 connection imported').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
