// `npm run screenshots`: retakes the README's screenshots. It starts the app on an empty data folder, uses it as a newcomer would
// (another sender's webhook, a monitor, rain, a forecast), and captures three screens into docs/screens/.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { obtainBrowser } from './browser.mjs';
import { readToolOptions } from './tool-options.mjs';

const usage = `Usage: npm run screenshots [-- --help]

Retake the screenshots for README.md, and save them in docs/screens/

Options:
  -h, --help  print this help

Examples:
  npm run screenshots`;

readToolOptions(usage, {});

const root = fileURLToPath(new URL('..', import.meta.url));
const secret = 'whsec_of-the-screenshot';
/** Unlikely to be in use, unlike the default. */
const receiverPort = 4599;

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

/**
 * Sends an event as Stripe signs it.
 * @param {string} type
 * @param {object} object
 */
async function sendWebhook(type, object) {
  const seconds = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ id: `evt_${seconds}${type.length}`, object: 'event', type, data: { object } });
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` };
  await fetch(`http://127.0.0.1:${receiverPort}/stripe`, { method: 'POST', headers, body });
}

/** @param {import('playwright').Page} page */
async function photographWebhook(page) {
  await goTo(page, 'Callbacks');
  await sendWebhook('customer.created', { id: 'cus_QXg1o8vlGmmMOA', email: 'ada@example.com' });
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Add secret…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Add a secret/).fill(secret);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await sendWebhook('invoice.paid', { id: 'in_1MtHbELkdIwHu7ix', amount_paid: 4200, currency: 'eur' });
  await sendWebhook('checkout.session.completed', {
    id: 'cs_test_a11YYufWQzNY63zp',
    amount_total: 2198,
    currency: 'usd',
    customer_details: { country: 'NO', email: 'ada@example.com' },
    payment_status: 'paid',
  });
  await page.getByRole('option').filter({ hasText: 'checkout' }).click();
  await page.getByRole('button', { name: 'Replay' }).waitFor();
  await page.getByRole('button', { name: /^Verified 3/ }).waitFor();
  await take(page, 'webhook');
}

/** @param {import('playwright').Page} page */
async function photographRain(page) {
  await goTo(page, 'Monitors');
  await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
  await page.getByRole('button', { name: /^Make it rain near/ }).click();
  await page.getByText('In cool-down').first().waitFor();
  await goTo(page, 'Callbacks');
  await page.getByRole('option').filter({ hasText: 'precipitation_1' }).first().click();
  await page.getByText('Verified event').first().click();
  await page.getByRole('list', { name: 'Checks' }).waitFor();
  await take(page, 'rain');
}

/** @param {import('playwright').Page} page */
async function photographForecast(page) {
  await goTo(page, 'Forecast');
  await page.getByText('Data credits').waitFor();
  await take(page, 'forecast');
}

/**
 * @param {import('playwright').Page} page
 * @param {string} name
 */
async function take(page, name) {
  await page.waitForLoadState('networkidle');
  const close = page.getByRole('button', { name: 'Close the message' });
  while ((await close.count()) > 0) await close.first().click();
  // The focus outline is for keyboard users, not for a picture.
  await page.evaluate('document.activeElement.blur()');
  await page.screenshot({ path: join(root, 'docs', 'screens', `${name}.png`) });
  console.log(`docs/screens/${name}.png`);
}

const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-screenshots-'));
await writeFile(join(dataFolder, 'settings.json'), JSON.stringify({ receiverPort }));
const { child, url } = await startApp(dataFolder);
try {
  const executablePath = obtainBrowser((words) => console.log(words));
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  // Metric units, a clock of 24 hours, and the zone of the place that is shown first.
  const look = { locale: 'en-IE', timezoneId: 'Europe/Rome' };
  const page = await browser.newPage({ viewport: { width: 1024, height: 600 }, reducedMotion: 'reduce', ...look });
  await page.goto(url);
  await photographWebhook(page);
  await photographRain(page);
  await photographForecast(page);
  await browser.close();
} finally {
  child.kill('SIGINT');
  await once(child, 'exit');
  await rm(dataFolder, { recursive: true, force: true });
}
