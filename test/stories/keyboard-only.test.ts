// The stories of the user guide with the keyboard only. The first minute has a host of its own, because it restarts; the other stories
// follow each other on one host and one page.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';
import { chooseItem, runFromPalette, tabTo } from './keyboard.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('a newcomer copies the first callback as cURL without a mouse', async () => {
  const dataFolder = temporaryFolder();
  const browser = await launchBrowser({}, shortLived);
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

  await runFromPalette(page, 'rain', /^Make it rain/);
  await tabTo(page, /^Apply scenario$/);
  await page.keyboard.press('Enter');
  await screens.getByRole('button', { name: 'Callbacks, 1 unread' }).waitFor();

  await runFromPalette(page, 'newest', /^Open the newest callback/);
  const callback = page.getByRole('region', { name: 'Callback', exact: true });
  await callback.getByText(/"id": "precipitation_\d+"/).waitFor();

  await runFromPalette(page, 'copy curl', /^Copy the callback as cURL/);
  await page.getByText('Callback copied as cURL').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^curl [^]*\/hooks\/[^]*"precipitation_\d+"/,
  );

  // What was run last comes first, even after a restart. The app saves it after the command has run.
  const savedCommands = async () => {
    const saved = JSON.parse(await readFile(join(dataFolder, 'settings.json'), 'utf8')) as {
      recentCommands?: string[];
    };
    return saved.recentCommands?.length;
  };
  await expect.poll(savedCommands).toBe(4);
  await app.stop();
  const again = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await again.stop()));
  await page.goto(again.url);
  await page.locator('#rb-main').waitFor();
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
  // The palette offers what the app could do when it was opened, and the callbacks are read after the first screen.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command or place' }).waitFor();
      return recent.allTextContents();
    })
    .toHaveLength(4);
  await expect.poll(() => recent.first().textContent()).toMatch(/^Copy the callback as cURL/);
});

describe('the guide, on one host', () => {
  let page: Page;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-guide-'));
    ends.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
    const browser = await launchBrowser({ executablePath: shellPath() }, shortLived);
    ends.push(() => browser.close());
    const app = await startAppProcess(dataFolder);
    ends.push(() => app.stop());
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', locale: 'en-IE' });
    page.setDefaultTimeout(45_000);
    await page.goto(app.url);
    await page.getByRole('slider').waitFor();
  });
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
    await tabTo(page, /^Forecast points$/);
    await press('Home');
    const before = await slider.getAttribute('aria-valuetext');
    await press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(before);
    await press('T');
    await page.getByRole('table').first().waitFor();
    await press('T');
    await slider.waitFor();
  });

  it('compares two fetches, moves through the differences’ sides, and closes', async () => {
    await press('R');
    await expect.poll(() => page.getByRole('button', { name: /Fetch/ }).first().isEnabled()).toBe(true);
    await press('C');
    const comparison = page.getByRole('region', { name: 'Compare' });
    await comparison.waitFor();
    const sides = comparison.getByRole('list', { name: 'Compared forecasts' }).locator('select');
    // Two sides, and the choice of a third.
    await expect.poll(() => sides.count()).toBe(3);
    await sides.last().focus();
    await press('ArrowDown');
    await expect.poll(() => sides.count()).toBe(4);
    await expect.poll(() => comparison.getByRole('img').count()).toBeGreaterThan(0);
    await tabTo(page, /^Close the comparison$/);
    await press('Enter');
    await page.getByRole('slider').waitFor();
    await comparison.waitFor({ state: 'detached' });
  });

  it('exports the forecast as a table', async () => {
    await tabTo(page, /^More$/);
    await press('Enter');
    await tabTo(page, /^Save \d+ points, CSV$/);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    const table = await readFile(await download.path(), 'utf8');
    expect(table.split('\n')[0]).toMatch(/^timestamp,/);
    expect(table.trim().split('\n').length).toBeGreaterThan(70);
  });

  it('switches units and time zone, and chooses one unit in the settings', async () => {
    const strip = page.getByRole('region', { name: 'Weather now' });
    const chart = page.getByRole('region', { name: /^Next \d+ hours$/ });
    const units = async () => (await chart.innerText()).match(/m\/s|mph|kn/)?.[0];
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    expect(await units()).toBe('m/s');
    await press('U');
    await expect.poll(units).toBe('mph');
    await press('U', 'U');
    await expect.poll(units).toBe('kn');
    await press('U');
    await expect.poll(units).toBe('m/s');
    await press('Z', 'Z');
    await expect.poll(() => page.url()).toContain('zone=utc');
    await press('Z');
    await expect.poll(() => page.url()).not.toContain('zone=utc');
    await runFromPalette(page, 'setting temperature', /^Temperature/);
    const degrees = async () =>
      Number((await strip.innerText()).match(/([−\d.]+)\s*°/)?.[1]?.replace('−', '-') ?? Number.NaN);
    await tabTo(page, /^°C$/);
    await press('ArrowRight');
    await page.getByRole('radio', { name: '°F', checked: true }).waitFor({ state: 'attached' });
    await runFromPalette(page, 'go to forecast', /Forecast/);
    const fahrenheit = await degrees();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press('U');
    await expect.poll(degrees).not.toBe(fahrenheit);
    expect((await degrees()) * 1.8 + 32).toBeCloseTo(fahrenheit, 0);
  });

  it('picks a location on the map', async () => {
    const before = page.url();
    await press('M');
    const map = page.getByRole('dialog', { name: 'Pick a location on the map' });
    await map.waitFor();
    await expect.poll(() => map.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await press('ArrowUp', 'Enter');
    await map.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toBe(before);
  });

  it('works on monitors: creates two, edits a callback, and takes a delete back', async () => {
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
    await page.getByLabel('Callback URL').and(page.locator(':focus')).waitFor();
    await press('Control+a');
    await page.keyboard.type('https://ops.example.net/rain');
    await tabTo(page, /^Save \(PATCH\)$/);
    await press('Enter');
    await page
      .getByText(/^Saved precipitation_\d+/)
      .first()
      .waitFor();
    await grid.focus();
    // Closes the details, which leave less room for columns.
    await press('Escape', 'Delete');
    await tabTo(page, /^(Keep precipitation_|Undo$)/);
    await press('Enter');
    await expect.poll(() => grid.getByText('Deleting in a few seconds').count()).toBe(0);
  });

  it('works on many monitors: tags both, undoes it, and exports the selection', async () => {
    const grid = page.getByRole('grid', { name: 'Monitors' });
    await grid.focus();
    await press('Control+a');
    const bar = page.getByRole('toolbar', { name: 'Selected monitors' });
    await bar.getByText('2 selected').waitFor();
    await chooseItem(page, /^More$/, /^Tags…$/);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByLabel('Add tags').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('port');
    await press('Enter');
    await tabTo(page, /^Change the tags for 2 monitors$/);
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => grid.getByText('port', { exact: true }).count()).toBe(2);
    await tabTo(page, /^Undo$/);
    await press('Enter');
    await expect.poll(() => grid.getByText('port', { exact: true }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chooseItem(page, /^More$/, /^Export as CSV$/),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(3);
    await tabTo(page, /^Clear the selection$/);
    await press('Enter');
    await bar.waitFor({ state: 'detached' });
  });

  it('controls the sandbox: rain, the clock, and a fault', async () => {
    await runFromPalette(page, 'go to sandbox', /Sandbox/);
    await heading('Sandbox').waitFor();
    await tabTo(page, /^1 h ahead$/);
    await press('Enter');
    await page.getByText(/clock moved 1 h ahead/).waitFor();
    await runFromPalette(page, 'rain', /^Make it rain/);
    await tabTo(page, /^Apply scenario$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Callbacks, \d+ unread/ }).waitFor();
    await tabTo(page, /^Slow$/);
    await press('ArrowRight', 'ArrowRight');
    await tabTo(page, /^Start fault$/);
    await press('Enter');
    const fault = page.getByRole('status').filter({ hasText: /^Fault active: / });
    await fault.waitFor();
    await tabTo(page, /^Stop fault$/);
    await press('Enter');
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

  it('sends a callback again, edited, and compares what was received and sent', async () => {
    await runFromPalette(page, 'replay callback', /^Replay the callback/);
    const dialog = page.getByRole('dialog', { name: 'Replay this callback' });
    await dialog.getByLabel('URL').and(page.locator(':focus')).waitFor();
    const chosen = dialog.getByRole('radio', { name: 'Unchanged' });
    await expect
      .poll(async () => {
        await press('Shift+Tab');
        return chosen.evaluate((radio) => radio === document.activeElement);
      })
      .toBe(true);
    await press('ArrowRight');
    await tabTo(page, /^Headers/);
    await press('Control+End');
    await page.keyboard.type('\nx-story: 1');
    await tabTo(page, /^Send$/);
    await press('Enter');
    const differences = dialog.getByRole('region', { name: 'Received and sent' });
    await differences.waitFor();
    await expect.poll(() => differences.innerText()).toMatch(/Only in the sent request:\s*\+\s*x-story: 1/);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // What was sent is stored as a test, and the details list it.
    await page.getByText('Sent 1', { exact: true }).waitFor();
  });

  it('turns HTTPS of the receiver on and off', async () => {
    await runFromPalette(page, 'https', /^Set up the receiver’s HTTPS/);
    const dialog = page.getByRole('dialog', { name: 'Receiver settings' });
    const https = dialog.getByRole('switch', { name: /^HTTPS/ });
    await https.and(page.locator(':focus')).waitFor();
    await press('Space');
    await dialog.getByText('SHA-256 of the CA certificate').waitFor();
    await tabTo(page, /^HTTPS/);
    await press('Space');
    await expect.poll(() => https.isChecked()).toBe(false);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('signs in as a user on the service’s page, and refreshes the token with less scope', async () => {
    await runFromPalette(page, 'go to access', /Access/);
    await tabTo(page, /^Show the sandbox’s account$/);
    await press('Enter');
    const account = page.getByRole('group', { name: 'The sandbox’s account' }).locator('code');
    await account.nth(1).waitFor();
    const [username = '', password = ''] = await account.allInnerTexts();
    await tabTo(page, /^Sign in with my browser$/);
    await press('Enter');
    await page.getByRole('link', { name: 'Open sign-in page' }).waitFor();
    await tabTo(page, /^Open sign-in page$/);
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
    await expect.poll(() => token.getByText('Valid', { exact: true }).count()).toBe(1);
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
    await page.getByText('Created Staging').waitFor();
    await runFromPalette(page, 'go to connections', /Connections/);
    await tabTo(page, /^Test Staging$/);
    await press('Enter');
    await page.getByText(/Tested at/).waitFor();
    await expect.poll(() => page.getByText(/Nothing is responding at 127\.0\.0\.1:9/).count()).toBeGreaterThan(0);
    await runFromPalette(page, 'go to access', /Access/);
    await heading('Access').waitFor();
    await tabTo(page, /^Refresh now$/);
    await press('Enter');
    await page
      .getByText(/new token received|refreshed/i)
      .first()
      .waitFor();
  });

  it('filters the traffic and sends a request again', async () => {
    await runFromPalette(page, 'filter requests', /^Filter requests/);
    await page.locator('main input:focus').waitFor();
    // Those of Bergen; the test of the new connection has sent one elsewhere.
    await page.keyboard.type('location_lat=60.39');
    const list = page.getByRole('listbox', { name: /^Requests, newest first/ });
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
    await page.getByText(/^Backup created: /).waitFor();
    await tabTo(page, /^Restore the backup from/);
    await press('Enter');
    await page.getByRole('dialog', { name: 'Restore this backup?' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, /^Search settings/);
    await press('Control+a');
    await page.keyboard.type('diagnostics');
    await tabTo(page, /^Export diagnostics…$/);
    await press('Enter');
    await page.getByRole('dialog', { name: 'Review diagnostics' }).waitFor();
    await tabTo(page, /^Save as ZIP$/);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^rainbell-diagnostics-.*\.zip$/);
    expect(Object.keys(unzipSync(await readFile(await download.path())))).toContain('log.txt');
  });
});
