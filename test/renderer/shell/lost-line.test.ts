// When the host goes away under an open window, the window says so and complains about nothing else.
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

it('a host that dies while streams and calls run leaves no uncaught error', async () => {
  const { page, complaints, dropLine } = await openScreens({ hash: '#/traffic' });
  await page.getByText(/Receiver \S+:\d+/).waitFor();
  const errors: string[] = [];
  page.on('pageerror', (error) => void errors.push(error.message));
  for (let round = 0; round < 3; round += 1) {
    await page.evaluate(() => void (location.hash = '#/connections'));
    await dropLine();
    await page.getByText(/Receiver \S+:\d+/).waitFor();
    await page.evaluate(() => void (location.hash = '#/traffic'));
  }
  expect([...errors, ...complaints].filter((words) => words.includes('not open'))).toEqual([]);
});

it('the URL of a restarted host works in the tab that it ended', async () => {
  const { page, restartServer, newAddress } = await openScreens({ hash: '#/traffic' });
  const line = page.getByText(/Receiver \S+:\d+/);
  await line.waitFor();
  await restartServer();
  const over = page.getByText('This page isn’t signed in');
  await over.waitFor();
  // Only the hash differs, so nothing is loaded.
  await page.evaluate((url) => void (location.href = url), newAddress('#/settings'));
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await over.count()).toBe(0);
  expect(await page.getByText('doesn’t lead to a Rainbell screen').count()).toBe(0);
  expect(page.url()).not.toContain('ticket');
});
