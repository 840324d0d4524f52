// The stories of the user guide with the keyboard only. The first minute has a host of its own, since it restarts; the other stories
// follow each other on one host and one page.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { launchBrowser } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';
import { runFromPalette, tabTo } from './keyboard.ts';

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

describe('the guide, on one host', () => {
  let page: Page;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-guide-'));
    ends.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
    const browser = await launchBrowser();
    ends.push(() => browser.close());
    const app = await startAppProcess(dataFolder);
    ends.push(() => app.stop());
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(15_000);
    await page.goto(app.url);
    await page.getByRole('slider').waitFor();
  }, 60_000);
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('reads a forecast: place, chart, and table', async () => {
    await press('/');
    await page.keyboard.type('bergen');
    await page.getByRole('option', { name: /Bergen.*Norway/ }).waitFor();
    await press('Enter');
    await expect.poll(() => page.url()).toContain('60.3');
    const slider = page.getByRole('slider');
    await slider.waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Fetch/ }).first().isEnabled()).toBe(true);
    await tabTo(page, /^Points of the forecast$/);
    await press('Home');
    const before = await slider.getAttribute('aria-valuetext');
    await press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(before);
    await press('T');
    await page.getByRole('table').first().waitFor();
    await press('T');
    await slider.waitFor();
  });

  it('picks a place on the map', async () => {
    const before = page.url();
    await press('M');
    const map = page.getByRole('dialog', { name: 'Pick a place on the map' });
    await map.waitFor();
    await expect.poll(() => map.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await press('ArrowUp', 'Enter');
    await map.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toBe(before);
  });

  it('works on monitors: creates two, edits a callback in place, and takes a delete back', async () => {
    for (const count of [1, 2]) {
      await runFromPalette(page, 'new monitor', /^New monitor/);
      await page.getByRole('dialog', { name: /new monitor/i }).waitFor();
      await press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: new RegExp(`^Monitors, ${count} monitor`) }).waitFor();
    }
    await runFromPalette(page, 'filter monitors', /^Filter monitors/);
    await page.getByRole('textbox', { name: 'Filter the monitors' }).and(page.locator(':focus')).waitFor();
    const grid = page.getByRole('grid', { name: 'Monitors' });
    await expect
      .poll(async () => {
        await press('Tab');
        return grid.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
    await press('ArrowDown', 'F2');
    await page.keyboard.type('https://ops.example.net/rain');
    await press('Enter');
    await page.getByText(/precipitation_\d+ is changed/).waitFor();
    await grid.focus();
    await press('Delete');
    await tabTo(page, /^(Keep precipitation_|Undo$)/);
    await press('Enter');
    await expect.poll(() => grid.getByText('Deleting in a few seconds').count()).toBe(0);
  });

  it('controls the sandbox: rain, the clock, and a fault', async () => {
    await runFromPalette(page, 'go to sandbox', /Sandbox/);
    await heading('Sandbox').waitFor();
    await tabTo(page, /^1 h ahead$/);
    await press('Enter');
    await page.getByText(/clock went 1 h ahead/).waitFor();
    await runFromPalette(page, 'rain', /^Make it rain for 20 minutes/);
    await page.getByRole('button', { name: /^Callbacks, \d+ unread/ }).waitFor();
    await runFromPalette(page, 'rate limit', /429|limit/i);
    const fault = page.getByRole('status').filter({ hasText: / is on\./ });
    await fault.waitFor();
    await runFromPalette(page, 'stop fault', /^Stop the fault/);
    await expect.poll(() => fault.count()).toBe(0);
  });

  it('searches callbacks, opens one, and gives the receiver a rule', async () => {
    await runFromPalette(page, 'newest callback', /^Open the newest callback/);
    await page.getByRole('region', { name: 'Callback', exact: true }).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press(']');
    await page.getByRole('button', { name: 'Show the callback' }).waitFor();
    await press(']');
    await page.getByRole('button', { name: 'Show the callback' }).waitFor({ state: 'detached' });
    await runFromPalette(page, 'response rules', /^Edit response rules/);
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Add/);
    await press('Enter');
    await tabTo(page, /^Save$/);
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await runFromPalette(page, 'response rules', /^Edit response rules/);
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).count()).toBe(1);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('turns HTTPS of the receiver on and off', async () => {
    await runFromPalette(page, 'https', /^Set up HTTPS/);
    const dialog = page.getByRole('dialog', { name: 'The receiver' });
    const https = dialog.getByRole('switch', { name: /^HTTPS/ });
    await https.and(page.locator(':focus')).waitFor();
    await press('Space');
    await dialog.getByText('SHA-256 of the authority').waitFor();
    await tabTo(page, /^HTTPS/);
    await press('Space');
    await expect.poll(() => https.isChecked()).toBe(false);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('signs in as a user on the service’s page', async () => {
    await runFromPalette(page, 'go to access', /Access/);
    await tabTo(page, /^Show the sandbox’s account$/);
    await press('Enter');
    const account = page.getByRole('group', { name: 'The sandbox’s account' }).locator('code');
    await account.nth(1).waitFor();
    const [username = '', password = ''] = await account.allInnerTexts();
    await tabTo(page, /^Sign in in my browser$/);
    await press('Enter');
    await page.getByRole('link', { name: 'Open it' }).waitFor();
    await tabTo(page, /^Open it$/);
    const [signIn] = await Promise.all([page.context().waitForEvent('page'), press('Enter')]);
    await tabTo(signIn, /^Username/);
    await signIn.keyboard.type(username);
    await tabTo(signIn, /^Password/);
    await signIn.keyboard.type(password);
    await signIn.keyboard.press('Enter');
    await signIn.getByRole('button', { name: 'Allow' }).waitFor();
    await tabTo(signIn, /^Allow$/);
    await signIn.keyboard.press('Enter');
    const token = page.getByRole('region', { name: 'User token' });
    await expect.poll(() => token.getByText('valid', { exact: true }).count()).toBe(1);
    await signIn.close();
  });

  it('adds a connection, tests it, and refreshes a token', async () => {
    await runFromPalette(page, 'new connection', /^New connection/);
    await page.getByRole('dialog', { name: 'New connection' }).waitFor();
    await tabTo(page, /^Name/);
    await page.keyboard.type('Staging');
    await tabTo(page, /^(Base|API) (URL|address)/);
    await page.keyboard.type('http://127.0.0.1:9');
    await tabTo(page, /^Sign-in URL/);
    await page.keyboard.type('http://127.0.0.1:9');
    await tabTo(page, /^Client id/i);
    await page.keyboard.type('demo');
    await tabTo(page, /^Client secret/);
    await page.keyboard.type('secret');
    await press('Enter');
    await page.getByText(/Staging is saved/).waitFor();
    await runFromPalette(page, 'go to connections', /Connections/);
    await tabTo(page, /^Test Staging$/);
    await press('Enter');
    await page.getByText(/Tested at/).waitFor();
    expect(await page.getByText(/Nothing answers at 127\.0\.0\.1:9/).count()).toBeGreaterThan(0);
    await runFromPalette(page, 'go to access', /Access/);
    await heading('Access').waitFor();
    await tabTo(page, /^Refresh now$/);
    await press('Enter');
    await page.getByText(/new token is here|refreshed/i).waitFor();
  });

  it('filters the traffic and sends a request again', async () => {
    await runFromPalette(page, 'filter requests', /^Filter requests/);
    await page.locator('main input:focus').waitFor();
    // Those of Bergen; the test of the new connection has sent one elsewhere.
    await page.keyboard.type('location_lat=60.39');
    const list = page.getByRole('listbox', { name: /^Exchanges/ });
    const rows = () => list.getByRole('option').allTextContents();
    await expect
      .poll(async () => {
        const shown = await rows();
        return shown.length > 0 && shown.every((row) => row.includes('/weather/'));
      })
      .toBe(true);
    await expect
      .poll(async () => {
        await press('Tab');
        return list.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
    await press('ArrowDown');
    await tabTo(page, /^Send again$/);
    const before = page.url();
    await press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  it('changes a setting, backs up, and prepares diagnostics', async () => {
    await runFromPalette(page, 'density', /^Density/);
    await tabTo(page, /^Search settings/);
    await page.keyboard.type('back up');
    await tabTo(page, /^Back up now$/);
    await press('Enter');
    await page.getByText(/^Backup made: /).waitFor();
    await tabTo(page, /^Restore rainbell-/);
    await press('Enter');
    await page.getByRole('dialog', { name: 'Restore this backup?' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await runFromPalette(page, 'export diagnostics', /diagnostics/i);
    await page.getByRole('dialog', { name: 'Review diagnostics' }).waitFor();
    await tabTo(page, /^Save as ZIP$/);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });
});
