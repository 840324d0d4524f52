// The first minute with the real host and the real sandbox: the checklist goes on by what happened, opens the callback, and can be
// put away and found again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startAppProcess } from './app-process.ts';

test('three steps lead to the first callback, which opens without a press', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-first-minute-'));
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const page = await (await newBrowserContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(app.url);
  const card = page.getByRole('region', { name: 'Get started' });
  await card.getByText('1 of 3').waitFor();
  await card.getByRole('button', { name: 'Hide “Get started”' }).click();
  const away = page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: 'Get started 1/3' });
  await away.waitFor();
  await expect.poll(() => card.count()).toBe(0);
  // Kept over a reload, and found again.
  await page.reload();
  await away.click();
  await card.getByText('1 of 3').waitFor();

  await card.getByRole('button', { name: 'Create monitor' }).click();
  await card.getByText('2 of 3').waitFor();
  await card.getByRole('button', { name: 'Make it rain' }).click();
  await page.waitForURL(/#\/callbacks\/\d+/);
  await page.getByText(/^All set\. Callback arrived after \d+\.\d s$/).waitFor();
  await page.reload();
  await page.evaluate(() => (location.hash = '#/forecast'));
  await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
  await expect.poll(() => card.count()).toBe(0);
});
