// A backup and its restore as a user makes them: in Settings of the running app, with its service, over a restart.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startAppProcess } from './app-process.ts';

async function open(page: Page, url: string): Promise<string> {
  await page.goto(url);
  const receiver = await page
    .getByText(/Receiver .*:\d+/)
    .first()
    .textContent();
  // The service has answered, so its database exists.
  await page.getByRole('slider', { name: 'Forecast points' }).waitFor({ timeout: 150_000 });
  return `http://127.0.0.1:${/:(\d+)/.exec(receiver ?? '')?.[1]}`;
}

const callbackRows = (page: Page) => page.getByText(/\/story\//);

it('restores the data of a backup at the next start, and keeps the later data beside', async () => {
  const dataFolder = temporaryFolder();
  const first = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await first.stop()));
  const page = await (await newBrowserContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const receiver = await open(page, first.url);
  await fetch(`${receiver}/story/before`, { method: 'POST', body: 'before' });
  await page.evaluate(() => void (location.hash = '#/settings/data'));
  const section = page.getByRole('region', { name: 'Data', exact: true });
  await section.getByRole('button', { name: 'Back up now' }).click();
  const restore = section.getByRole('button', { name: /^Restore the backup from/ });
  await restore.waitFor();
  await fetch(`${receiver}/story/after`, { method: 'POST', body: 'after' });
  await restore.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore backup' }).click();
  await section.getByText(/stop Rainbell in its terminal and start it again/).waitFor();
  expect(await first.stop()).toBe(0);

  const second = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await second.stop()));
  await open(page, second.url);
  await page
    .getByText(/was restored\. The previous data is in .*before-restore-/)
    .first()
    .waitFor();
  await page.evaluate(() => void (location.hash = '#/callbacks'));
  await callbackRows(page).first().waitFor();
  await expect.poll(() => page.getByText('/story/after').count()).toBe(0);
  const kept = readdirSync(dataFolder).find((name) => name.includes('before-restore-')) ?? '';
  expect(readdirSync(join(dataFolder, kept))).toContain('app.sqlite');
});
