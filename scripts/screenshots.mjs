// `npm run screenshots`: retakes the README's screenshots. It starts the app on an empty data folder, uses it as a newcomer
// would (monitors, rain, an hour later rain again), and captures each main screen, light and dark, into docs/screens/. Names as
// arguments (`npm run screenshots -- Forecast`) limit it to those screens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { obtainBrowser } from './browser.mjs';
import { failWithUsage, readToolOptions } from './tool-options.mjs';

const screens = ['Forecast', 'Monitors', 'Callbacks'];
const usage = `Usage: npm run screenshots [-- SCREEN…]

Retake the screenshots for README.md, light and dark, and save them in docs/screens/

Arguments:
  SCREEN      screens to capture (default: all): ${screens.join(', ')}

Options:
  -h, --help  print this help

Examples:
  npm run screenshots -- Forecast`;

/** @type {readonly string[]} */
const wanted = readToolOptions(usage, {}, { allowPositionals: true }).positionals;
const unknown = wanted.filter((screen) => !screens.includes(screen));
if (unknown.length > 0) failWithUsage(usage, `unknown screen: ${unknown.join(', ')}`);

const root = fileURLToPath(new URL('..', import.meta.url));
const places = ['Bergen', 'Reykjavik', 'Nairobi', 'Sapporo'];

/** @param {string} dataFolder */
async function startApp(dataFolder) {
  const entry = join(root, 'headless', 'main.ts');
  const child = spawn(process.execPath, [entry, '--json', '--no-open', '--port', '0', '--data', dataFolder], {
    env: { ...process.env, RAINBELL_PROVIDER: 'simulation' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: String(JSON.parse(line).url) };
}

/**
 * @param {import('playwright').Page} page
 * @param {string} screen
 */
async function goTo(page, screen) {
  await page.getByRole('navigation').getByText(screen, { exact: true }).click();
}

/** @param {import('playwright').Page} page */
async function fillTheApp(page) {
  await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
  await goTo(page, 'Monitors');
  await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
  const rows = page.getByRole('grid', { name: 'Monitors' }).getByRole('row');
  // The list takes the place of the empty screen, and a dialog opened before that goes with it.
  await rows.nth(1).waitFor();
  for (const [index, place] of places.entries()) {
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Place' }).fill(place);
    // Options of the place before may still be there.
    await page
      .getByRole('option', { name: new RegExp(place.slice(0, 4)) })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await rows.nth(index + 2).waitFor();
  }
  await rain(page, 3);
  // The first monitor waits for its next hour, so its dialog moves the sandbox's clock.
  await rows.filter({ hasText: 'precipitation_1' }).getByText('In cool-down').waitFor();
  await page.getByRole('button', { name: 'Make it rain near precipitation_1' }).click();
  await page.getByRole('button', { name: /^Move the clock to/ }).click();
}

/**
 * @param {import('playwright').Page} page
 * @param {number} count
 */
async function rain(page, count) {
  for (let number = 1; number <= count; number += 1) {
    const row = page.getByRole('row').filter({ hasText: `precipitation_${number}` });
    // The simulation may have rained there already.
    if (await row.getByText('In cool-down').isVisible()) continue;
    await row.getByRole('button', { name: /^Make it rain near/ }).click();
    await row.getByText('In cool-down').waitFor();
  }
}

/** @param {import('playwright').Page} page */
async function photograph(page) {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const screen of screens.filter(isWanted)) {
      await goTo(page, screen);
      if (screen === 'Callbacks') await page.getByRole('option').first().click();
      if (screen === 'Forecast') await page.keyboard.press('F5');
      await take(page, screen.toLowerCase(), scheme);
      if (screen === 'Forecast') await photographMap(page, scheme);
    }
  }
  if (isWanted('Forecast')) await photographComparison(page);
}

/**
 * Fetches the place twice, with eight hours of rain applied to it in between.
 * @param {import('playwright').Page} page
 */
async function photographComparison(page) {
  await goTo(page, 'Sandbox');
  await page.getByRole('textbox', { name: 'Minutes' }).fill('480');
  await page.getByRole('button', { name: 'Apply scenario' }).click();
  await page
    .getByText(/^Ends in/)
    .first()
    .waitFor();
  await goTo(page, 'Forecast');
  const fetchButton = page.getByRole('button', { name: 'Fetch', exact: true });
  await fetchButton.click();
  // It can be clicked again once the forecast has arrived.
  await fetchButton.click({ trial: true });
  await page.keyboard.press('c');
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await take(page, 'compare', scheme);
  }
}

/**
 * @param {import('playwright').Page} page
 * @param {'light' | 'dark'} scheme
 */
async function photographMap(page, scheme) {
  await page.keyboard.press('m');
  await page.getByRole('application').waitFor();
  await page.getByText('Loading the map…').waitFor({ state: 'detached' });
  await take(page, 'map', scheme);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/**
 * @param {import('playwright').Page} page
 * @param {string} name
 * @param {'light' | 'dark'} scheme
 */
async function take(page, name, scheme) {
  await page.waitForLoadState('networkidle');
  await closeMessages(page);
  // The focus outline is for keyboard users, not for a picture.
  await page.evaluate('document.activeElement.blur()');
  const file = `${name}${scheme === 'dark' ? '-dark' : ''}.png`;
  await page.screenshot({ path: join(root, 'docs', 'screens', file) });
  console.log(`docs/screens/${file}`);
}

/** @param {string} screen */
function isWanted(screen) {
  return wanted.length === 0 || wanted.includes(screen);
}

/** @param {import('playwright').Page} page */
async function closeMessages(page) {
  const close = page.getByRole('button', { name: 'Close the message' });
  while ((await close.count()) > 0) await close.first().click();
}

const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-screenshots-'));
const { child, url } = await startApp(dataFolder);
try {
  const executablePath = await obtainBrowser((words) => console.log(words));
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  // Metric units, a clock of 24 hours, and the zone of the place that is shown first.
  const look = { locale: 'en-IE', timezoneId: 'Europe/Rome' };
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, deviceScaleFactor: 1, ...look });
  await page.goto(url);
  await fillTheApp(page);
  await photograph(page);
  await browser.close();
} finally {
  child.kill('SIGINT');
  await once(child, 'exit');
  await rm(dataFolder, { recursive: true, force: true });
}
