// The window and its host: the line between them breaks, the host restarts, and files of the screens are slow or missing.
import { expect, it } from 'vitest';
import { openScreens } from './screen-harness.ts';

it('a window misses nothing while its line is cut, and follows the URL of a restarted host', async () => {
  const { page, complaints, dropLine, receiverUrl, restartServer, newAddress } = await openScreens({
    hash: '#/callbacks',
  });
  await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  const url = await receiverUrl();
  for (let round = 1; round <= 3; round += 1) {
    await page.evaluate(() => void (location.hash = '#/connections'));
    await dropLine();
    await fetch(`${url}/hooks`, { method: 'POST', body: '{}' });
    await expect.poll(() => page.title()).toBe(`(${round}) Rainbell`);
    await page.evaluate(() => void (location.hash = '#/callbacks'));
    await page.getByText(`${round} stored`).waitFor();
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0);
  }
  // What was read, and all before it, stays read.
  await page.getByRole('option').last().click();
  await expect.poll(() => page.title()).toBe('(2) Rainbell');
  const icon = await page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href);
  expect(icon).toMatch(/rainbell-unread\.svg$/);
  expect((await page.request.get(icon ?? '')).headers()['content-type']).toContain('image/svg+xml');
  await page.reload();
  await expect.poll(() => page.title()).toBe('(2) Rainbell');
  // Calls and streams that were running ended without an uncaught error.
  expect(complaints.filter((words) => words.includes('not open'))).toEqual([]);

  await restartServer();
  const over = page.getByText('This page isn’t signed in');
  await over.waitFor();
  // Only the hash differs, so nothing is loaded.
  await page.evaluate((address) => void (location.href = address), newAddress('#/settings'));
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await over.count()).toBe(0);
  expect(await page.getByText('doesn’t lead to a Rainbell screen').count()).toBe(0);
  expect(page.url()).not.toContain('ticket');
});

it('the palette takes what is typed while its file loads, and a missing file stops only its own part', async () => {
  const { page } = await openScreens();
  await page.getByRole('slider').waitFor();
  const isWanted = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(/Palette-.*\.js/, async (route) => {
    requests += 1;
    await isWanted.promise;
    await route.continue();
  });
  await page.route(/Inspector/, (route) => route.abort());
  await page.reload();
  await page.locator('#rb-main').waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(() => requests).toBeGreaterThan(0);
  await page.keyboard.type('callbacks');
  await page.keyboard.press('Enter');
  isWanted.resolve();
  await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  await page.evaluate(() => void (location.hash = '#/forecast'));
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('alert').getByRole('heading', { name: 'The point details pane stopped working' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Next 72 hours' }).isVisible()).toBe(true);
});
