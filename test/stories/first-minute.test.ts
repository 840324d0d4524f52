// The first minute with the real host and the real sandbox: the card says what this is, leads to a first callback in two clicks, and can
// be put away and found again; and the sandbox as a mock API.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startAppProcess } from './app-process.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('two clicks lead to the first callback, which opens without a press', async () => {
  const dataFolder = temporaryFolder();
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const page = await (await newBrowserContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(app.url);
  const card = page.getByRole('region', { name: 'Get started' });
  await card.getByText('Rainbell shows what a weather API returns').waitFor();
  for (const door of ['Look at a forecast', 'Inspect a webhook', 'Test rain'])
    await card.getByText(door, { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Hide “Get started”' }).click();
  const away = page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: 'Get started' });
  await away.waitFor();
  await expect.poll(() => card.count()).toBe(0);
  // Kept over a reload, and found again.
  await page.reload();
  await away.click();

  await card.getByRole('button', { name: 'Create monitor' }).click();
  await card.getByRole('button', { name: 'Make it rain' }).click();
  await page.waitForURL(/#\/callbacks\/\d+/);
  await page.getByText(/^All set\. Callback arrived after (\d+ ms|[1-9]\d*\.\d s)$/).waitFor();
  await page.reload();
  await page.evaluate(() => (location.hash = '#/forecast'));
  await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
  await expect.poll(() => card.count()).toBe(0);
});

test('the sandbox is a mock API: its command gets a forecast in a shell', async () => {
  const dataFolder = temporaryFolder();
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const page = await (await newBrowserContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(app.url);
  await page.getByRole('navigation').getByText('Sandbox', { exact: true }).click();
  const card = page.getByRole('region', { name: 'Use as a mock API' });
  await card.getByRole('button', { name: 'Show credentials' }).click();
  const { stdout } = await promisify(execFile)('sh', ['-c', await card.locator('pre').innerText()]);
  expect(JSON.parse(stdout)).toMatchObject({ objects: expect.any(Array) });
});
