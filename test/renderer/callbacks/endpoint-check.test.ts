// The dialog of the endpoint check over a real core and a real handler.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';
import { listen } from '#test/setup/listen.ts';

it('asks before it sends, runs the 12 cases, names what failed, and saves the report', async () => {
  let requests = 0;
  // Accepts everything, so it misses each case that must be refused.
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const port = await listen(server);
  const { page } = await openScreens({ hash: '#/callbacks?dialog=check' });
  const dialog = page.getByRole('dialog', { name: 'Check an endpoint' });
  await dialog.getByLabel('Your handler’s URL').fill('http://169.254.169.254/');
  await dialog.getByRole('button', { name: 'Continue…' }).click();
  await dialog.getByText('so requests can’t be sent there').waitFor();
  await dialog.getByLabel('Your handler’s URL').fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByLabel('Webhook secret').fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await dialog.getByRole('button', { name: 'Continue…' }).click();
  await dialog.getByText('Check only your own handler.').waitFor();
  expect(requests).toBe(0);
  await dialog.getByRole('button', { name: 'Send 21 requests' }).click();
  await dialog.getByText(/: 9 passed, 3 failed$/).waitFor({ timeout: 60_000 });
  const failed = dialog.getByRole('listitem').filter({ hasText: 'It was accepted.' });
  await expect
    .poll(async () => (await failed.allTextContents()).map((text) => text.replace(/Failed.*/, '')))
    .toEqual(['Wrong signature', 'Missing signature', 'Old signature']);
  await dialog.getByRole('button', { name: 'Save report' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'JUnit XML' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('endpoint-check.xml');
});
