// "First minute" of the user guide, with the keyboard only: a new monitor, rain, its callback, and the callback as cURL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';

async function runFromPalette(page: Page, text: string, title: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  const chosen = page.getByRole('dialog', { name: 'Commands and places' }).getByRole('option', { selected: true });
  await expect.poll(() => chosen.textContent()).toMatch(title);
  await page.keyboard.press('Enter');
}

test('a newcomer copies the first callback as cURL without a mouse', { timeout: 90_000 }, async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-keyboard-'));
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(app.url);
  await page.getByRole('slider').waitFor();

  await runFromPalette(page, 'new monitor', /^New monitor/);
  await page.getByRole('dialog', { name: /new monitor/i }).waitFor();
  await page.keyboard.press('Enter');
  const screens = page.getByRole('navigation', { name: 'Screens' });
  await screens.getByRole('button', { name: 'Monitors, 1 monitor' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await runFromPalette(page, 'rain', /^Make it rain for 20 minutes at Torino/);
  await screens.getByRole('button', { name: 'Callbacks, 1 unread' }).waitFor();

  await runFromPalette(page, 'newest', /^Open the newest callback/);
  const callback = page.getByRole('region', { name: 'Callback', exact: true });
  await callback.getByText(/"id": "precipitation_\d+"/).waitFor();

  await runFromPalette(page, 'copy curl', /^Copy the callback as cURL/);
  await page.getByText('The callback as cURL is on the clipboard.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^curl [^]*\/hooks\/[^]*"precipitation_\d+"/,
  );

  // What was run last comes first, also after a restart.
  await app.stop();
  const again = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await again.stop()));
  await page.goto(again.url);
  await page.locator('#rb-main').waitFor();
  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect.poll(() => recent.allTextContents()).toHaveLength(4);
  expect(await recent.first().textContent()).toMatch(/^Copy the callback as cURL/);
});
