// The story that the whole project is for, in a real browser: the card leads to a forecast and to a first callback, which arrives once,
// and is found again after a restart. No account, no network.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';

async function openApp(browser: Browser, dataFolder: string) {
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(app.url);
  return { app, page, faults };
}

const goTo = (page: Page, screen: string) => page.getByRole('navigation').getByText(screen, { exact: true }).click();

/** The status line that counts what is kept; waiting for it needs no pause. */
async function expectKept(page: Page, count: number) {
  await goTo(page, 'Callbacks');
  await page.getByText(`${count} stored`).waitFor();
  const rows = page.getByRole('listbox', { name: /callbacks?, newest first/ }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(count);
}

test('a newcomer sees a forecast, gets a first callback in two clicks and no second one within the hour, and uses the mock API', async () => {
  const dataFolder = temporaryFolder();
  const browser = await launchBrowser({ executablePath: shellPath() }, shortLived);
  onTestFinished(() => browser.close());
  const { app, page, faults } = await openApp(browser, dataFolder);
  await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
  await page.getByText('simulation', { exact: true }).first().waitFor();
  const card = page.getByRole('region', { name: 'Get started' });
  for (const door of ['Look at a forecast', 'Inspect a webhook', 'Test rain'])
    await card.getByText(door, { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Hide “Get started”' }).click();
  await expect.poll(() => card.count()).toBe(0);
  // Kept over a reload, and found again.
  await page.reload();
  await page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: 'Get started' }).click();
  await card.getByRole('button', { name: 'Create monitor' }).click();
  await card.getByRole('button', { name: 'Make it rain' }).click();
  await page.waitForURL(/#\/callbacks\/\d+/);
  await page.getByText(/^All set\. Callback arrived after (\d+ ms|[1-9]\d*\.\d s)$/).waitFor();
  const detail = page.getByRole('region', { name: 'Callback', exact: true });
  await detail.getByText(/"id": "precipitation_\d+"/).waitFor();
  await expectKept(page, 1);

  // A second event inside the hour does not come; once the hour is over, it does.
  const coolDown = page.getByRole('grid', { name: 'Monitors' }).getByText('In cool-down');
  const makeItRain = page.getByRole('button', { name: /^Make it rain near precipitation_\d+/ });
  await goTo(page, 'Monitors');
  await coolDown.waitFor();
  await makeItRain.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it rain now, without a callback' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectKept(page, 1);
  await goTo(page, 'Sandbox');
  await page.getByRole('button', { name: '1 h ahead' }).click();
  await page.getByText(/ahead of this computer’s/).waitFor();
  const mock = page.getByRole('region', { name: 'Use as a mock API' });
  await mock.getByRole('button', { name: 'Show credentials' }).click();
  const { stdout } = await promisify(execFile)('sh', ['-c', await mock.locator('pre').innerText()]);
  expect(JSON.parse(stdout)).toMatchObject({ objects: expect.any(Array) });
  await goTo(page, 'Monitors');
  await coolDown.waitFor({ state: 'detached' });
  await makeItRain.click();
  await expectKept(page, 2);
  expect(faults).toEqual([]);
  await page.close();
  expect(await app.stop()).toBe(0);

  const again = await openApp(browser, dataFolder);
  await expectKept(again.page, 2);
  await expect.poll(() => again.page.getByRole('region', { name: 'Get started' }).count()).toBe(0);
  await goTo(again.page, 'Monitors');
  await again.page.getByRole('button', { name: /^Make it rain near/ }).waitFor();
});
