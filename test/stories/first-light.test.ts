// The story that the whole project is for, in a real browser: open, see the forecast, make a monitor, make it rain, watch the
// callback arrive, once; and find it again after a restart. No account, no network.
import type { Browser, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function openApp(browser: Browser, dataFolder: string) {
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(app.url);
  return { app, page, faults };
}

function goTo(page: Page, screen: string) {
  return page.getByRole('navigation').getByText(screen, { exact: true }).click();
}

function receivedCallbacks(page: Page) {
  return page.getByRole('listbox', { name: /callbacks?, newest first/ }).getByRole('option');
}

/** The status line that counts what is kept; waiting for it needs no pause. */
async function expectKept(page: Page, count: number) {
  await page.getByText(`${count} stored`).waitFor();
  await expect.poll(() => receivedCallbacks(page).count()).toBe(count);
}

async function moveSandboxClockByAnHour(page: Page) {
  await goTo(page, 'Sandbox');
  const clock = page.getByText(/ahead of this computer’s/);
  const before = (await clock.count()) === 0 ? '' : await clock.innerText();
  await page.getByRole('button', { name: '1 h ahead' }).click();
  await page.waitForFunction((old) => {
    const words = document.body.innerText.match(/The sandbox’s clock is [^.]*ahead of this computer’s/)?.[0] ?? '';
    return words !== '' && !old.startsWith(words);
  }, before);
}

test('a newcomer sees a forecast, a monitor and one callback within a minute', async () => {
  const dataFolder = temporaryFolder();
  const browser = await launchBrowser({ executablePath: shellPath() }, shortLived);
  onTestFinished(() => browser.close());
  const { app, page, faults } = await openApp(browser, dataFolder);

  await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
  await page.getByText('simulation', { exact: true }).first().waitFor();

  await goTo(page, 'Monitors');
  await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
  const makeItRain = page.getByRole('button', { name: /^Make it rain near precipitation_\d+/ });
  await makeItRain.click();
  await goTo(page, 'Callbacks');
  await expectKept(page, 1);

  await receivedCallbacks(page).first().click();
  const detail = page.getByRole('region', { name: 'Callback', exact: true });
  await detail.getByText(/"id": "precipitation_\d+"/).waitFor();

  // A second event inside the hour does not come; once the hour is over, it does.
  const coolDown = page.getByRole('grid', { name: 'Monitors' }).getByText('In cool-down');
  await goTo(page, 'Monitors');
  await coolDown.waitFor();
  await makeItRain.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it rain now, without a callback' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await goTo(page, 'Callbacks');
  await expectKept(page, 1);
  await moveSandboxClockByAnHour(page);
  await goTo(page, 'Monitors');
  await coolDown.waitFor({ state: 'detached' });
  await makeItRain.click();
  await goTo(page, 'Callbacks');
  await expectKept(page, 2);
  expect(faults).toEqual([]);

  await page.close();
  expect(await app.stop()).toBe(0);

  const again = await openApp(browser, dataFolder);
  await goTo(again.page, 'Callbacks');
  await expectKept(again.page, 2);
  await goTo(again.page, 'Monitors');
  await again.page.getByRole('button', { name: /^Make it rain near/ }).waitFor();
});
