// The stories of the user guide about tools, with the keyboard only, one after the other on one host and one page;
// keyboard-only.test.ts has the others. The test itself only sends what another program would send.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { listen } from '#test/setup/listen.ts';
import { openGuide } from './keyboard.ts';

const guide = openGuide();
const { page, press, tabTo, enter, type, run, dialog, escape, saved } = guide;

it('finds a rain front, acknowledges it with a note, and silences and unsilences an area', async () => {
  for (const count of [1, 2, 3]) await guide.createMonitor(count);
  await guide.makeItRain();
  await page().getByRole('button', { name: 'Callbacks, 3 unread' }).waitFor();
  await run('go to monitors', /Monitors/);
  const fronts = page().getByRole('region', { name: 'Rain fronts' });
  await fronts.getByRole('button', { name: /: 3 monitors, 0 failed$/ }).waitFor();
  await enter(/^Rain front.*: 3 monitors, 0 failed$/);
  await expect.poll(() => page().url()).toMatch(/#\/events.*front=/);
  await run('go to monitors', /Monitors/);
  await enter(/^Acknowledge…$/);
  await page().locator('[role="dialog"] :focus').waitFor();
  await type(/^Note/, 'known');
  await enter(/^Acknowledge$/);
  await fronts.getByText(/^Acknowledged by .*: known$/).waitFor();
  await enter(/^Silence…$/);
  await page().locator('[role="dialog"] :focus').waitFor();
  await enter(/^Silence$/);
  await fronts.getByText(/^No notifications within \d+ km of -?\d+\.\d\d, -?\d+\.\d\d until/).waitFor();
  await enter(/^End silence$/);
  await fronts.getByText(/^No notifications within/).waitFor({ state: 'detached' });
});

it('receives events by the feed', async () => {
  await run('https', /^Set up the receiver’s HTTPS/);
  const feed = dialog('Receiver settings').getByRole('switch', { name: /^Read events from the feed/ });
  await feed.waitFor();
  await tabTo(/^Read events from the feed/);
  await press('Space');
  await expect.poll(() => feed.isChecked()).toBe(true);
  await escape();
  await run('sandbox clock 1 hour', /^Move the sandbox clock 1 hour ahead/);
  await guide.makeItRain();
  await run('go to callbacks', /Callbacks/);
  await page().getByRole('option').filter({ hasText: 'From feed' }).first().waitFor();
});

it('learns why a signature fails', async () => {
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  await run('https', /^Set up the receiver’s HTTPS/);
  const form = dialog('Receiver settings').getByRole('form', { name: 'Webhook secret' });
  await form.waitFor();
  await type(/^Secret or public key/, `whsec_${secret}`);
  await enter(/^Save keys$/);
  await form.getByText('the keys that you entered').waitFor();
  await escape();
  const time = String(Math.floor(Date.now() / 1000));
  const body = '{ "id": "precipitation_7" }';
  const signed = `evt_1.${time}.${JSON.stringify(JSON.parse(body))}`;
  const digest = createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('hex');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
  await fetch(`${await guide.receiverUrl()}/hooks/signed`, { method: 'POST', headers, body });
  await page().getByRole('option').first().getByText('/hooks/signed').waitFor();
  await run('newest callback', /^Open the newest callback/);
  // The verdict’s line, not the chip that counts them.
  await enter(/^(Invalid|Unknown secret)\s*[A-Z]/);
  const diagnosis = page().getByRole('region', { name: 'Why the signature fails' });
  const sentence =
    'The signature verifies if the JSON body is written with different whitespace, and the header is read as hexadecimal digits.';
  await expect.poll(() => diagnosis.innerText()).toContain(sentence);
  await diagnosis.getByText('Sign and verify the raw bytes').waitFor();
  const verdict = page().getByRole('region', { name: 'Verdict' }).locator('summary');
  await expect.poll(() => verdict.textContent()).toContain('Invalid');
  await enter(/^Learn more/);
  await page().getByRole('heading', { name: 'Find out why a signature fails' }).waitFor();
});

it('exports the callbacks and imports them again', async () => {
  await run('go to callbacks', /Callbacks/);
  const { path, text } = await saved(() => guide.choose(/^Export$/, /^JSON/));
  expect(text.split('/hooks/').length - 1).toBeGreaterThan(3);
  await guide.choose(/^More$/, /^Import…$/);
  await dialog('Import callbacks').locator(':focus').waitFor();
  await guide.choosesFile(path, 'callbacks.json', () => enter(/^(File|Choose a file)/));
  await enter(/^Import$/);
  await dialog('Import callbacks')
    .getByText(/^\d+ imported, 0 skipped$/)
    .waitFor();
  await escape();
});

it('develops a handler, and names its bug', async () => {
  const handler = createServer((request, response) => request.resume().on('end', () => response.end()));
  const port = await listen(handler);
  await run('develop a handler', /^Develop a handler/);
  await page().getByRole('heading', { name: 'Your handler' }).waitFor();
  await type(/^URL/, `http://127.0.0.1:${port}/`);
  await press('Enter');
  const bugs = page().getByRole('list', { name: 'Bugs' });
  await bugs.waitFor();
  expect(await bugs.textContent()).toContain('It accepts unsigned events.');
  await enter(/^Stop$/);
  await page().getByRole('heading', { name: 'Your handler' }).waitFor();
});
