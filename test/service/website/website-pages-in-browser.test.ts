// Every page of the website and the sign-in pages in a real Chromium: readable in both color schemes, on a phone and on a
// desktop, without horizontal scrolling.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFindings } from '#test/setup/accessibility.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { fillAccount } from './filled-account.ts';
import { linkIn, mailTo, startMailServer } from './mail-server.ts';
import { startWebsite } from './website-service.ts';

const sizes = ['target-size', 'scrollable-region-focusable'];
/** All rules once. Colors do not depend on the width, nor the layout on the scheme; the widest window has the parts of the second. */
const looks = [
  { width: 360, height: 740, colorScheme: 'light', rules: [] },
  { width: 1024, height: 768, colorScheme: 'dark', rules: ['color-contrast', ...sizes] },
  { width: 1920, height: 1080, colorScheme: 'dark', rules: null },
] as const;
/** What they consist of is also on the other pages, where its contrast in the dark is measured. */
const plainPages =
  /^(contact|thanks|launch|terms|privacy|forgot-password|not-found|oauth-refused|sign-in-refused|confirm.*|reset-password|application-new|plans-own)$/;

/** What axe can't decide, and why that is right; anything else that it leaves open fails the test. */
const explained: readonly RegExp[] = [
  // Axe does not measure over a gradient; both of its ends are tokens whose contrasts design-tokens.test.ts measures.
  /^color-contrast at [\s\S]*background gradient/,
];

/** What would be wrong for a visitor of the open page at three widths, in both schemes. */
async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, height, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > width) found.push(`${name} needs ${needed} px at ${width} px`);
    // Tables become lists instead.
    const hidden = await page
      .locator('.table')
      .evaluateAll((tables) =>
        tables.filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.ariaLabel),
      );
    found.push(...hidden.map((label) => `${name} hides columns of "${label}" at ${width} px`));
    const isMeasured = rules !== null && !(colorScheme === 'dark' && plainPages.test(name));
    const { violations, undecided } = isMeasured
      ? await accessibilityFindings(page, rules)
      : { violations: [], undecided: [] };
    const unexplained = undecided.filter((finding) => !explained.some((known) => known.test(finding)));
    found.push(...[...violations, ...unexplained].map((problem) => `${name} ${width} ${colorScheme}: ${problem}`));
  }
  return found;
}

async function start() {
  const mailServer = await startMailServer();
  const service = await startWebsite({ smtpUrl: mailServer.url });
  const page = await (await newBrowserContext()).newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  return { ...service, service, mailServer, page, violations };
}

const authorizationOf = ({ clientId, redirectUri }: { clientId: string; redirectUri: string }) =>
  new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'post_metag' });

test('every page without an account can be read in both schemes, on a phone and on a desktop', async () => {
  const { baseUrl, page, violations, sandbox, mailServer } = await start();
  const found: string[] = [];
  for (const [name, path] of Object.entries({
    home: '/',
    plans: '/plans/',
    documentation: '/documentation/',
    'documentation-callbacks': '/documentation/callbacks/',
    contact: '/contact/',
    thanks: '/thanks/',
    launch: '/launch/',
    terms: '/terms/',
    privacy: '/privacy/',
    register: '/register/',
    'sign-in': '/sign-in/',
    'forgot-password': '/forgot-password/',
    'not-found': '/nothing-here/',
    'oauth-sign-in': `/oauth/authorize/?${authorizationOf(sandbox)}`,
    'oauth-refused': '/oauth/authorize/?client_id=nobody',
  })) {
    await page.goto(baseUrl + path);
    found.push(...(await look(page, name)));
  }
  for (const subject of ['access', 'weather', 'monitors', 'reports', 'service', 'errors']) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${baseUrl}/documentation/${subject}/`);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > 360) found.push(`${subject} needs ${needed} px at 360 px`);
  }
  await page.goto(`${baseUrl}/sign-in/`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-feedback="credentials_missing"]').waitFor();
  found.push(...(await look(page, 'sign-in-refused')));
  await page.goto(`${baseUrl}/register/`);
  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Email address').fill('ann@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email address first' }).waitFor();
  found.push(...(await look(page, 'confirm-first')));
  await page.goto(baseUrl + linkIn(await mailTo(mailServer, 'ann@example.org'), baseUrl));
  found.push(...(await look(page, 'confirm')));
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByText('Your email address was confirmed.').waitFor();
  expect([...found, ...violations]).toEqual([]);
});

/** What pages say of events that were compared with observations. */
const sentences: Readonly<Record<string, string>> = {
  application: '1 of 1 event confirmed; median lead time 12 min; precipitation missed once',
  monitors: '500 Internal Server Error',
  event: 'Not recorded',
  events: 'Confirmed by LIMF at 06:50Z: -RA, 15 km away',
  'operator-accuracy': '0% (0 to 79)',
};

test('every page of an account can be read in both schemes, on a phone and on a desktop', async () => {
  const { baseUrl, page, violations, sandbox, service, mailServer, db, oauth } = await start();
  const found: string[] = [];
  const account = await oauth.accounts.create(
    { username: 'ann', email: 'ann@example.org', password: 'correct horse battery', emailState: 'confirmed' },
    { address: '127.0.0.1' },
  );
  await db.updateTable('accounts').set({ is_operator: 1 }).where('id', '=', account.id).execute();
  const { applicationId } = await fillAccount(service, account);
  // A banner on every page, and something on the operators' page.
  await db.updateTable('monitors').set({ failed_events: 3 }).execute();
  const incident = {
    application_id: applicationId,
    began_at: service.clock.now(),
    told: 'failing',
    told_at: 0,
  } as const;
  await db.insertInto('endpoint_incidents').values(incident).execute();
  await page.goto(`${baseUrl}/sign-in/`);
  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  for (const [name, path] of Object.entries({
    'home-signed-in': '/',
    applications: '/applications/',
    'application-new': '/applications/new/',
    application: `/applications/${applicationId}/`,
    monitors: `/applications/${applicationId}/monitors/`,
    events: `/applications/${applicationId}/events/`,
    event: `/applications/${applicationId}/events/?event=evt_1`,
    usage: '/usage/',
    account: '/account/',
    'plans-own': '/plans/',
    operator: '/operator/',
    consent: `/oauth/authorize/?${authorizationOf(sandbox)}`,
  })) {
    await page.goto(baseUrl + path);
    const sentence = sentences[name];
    if (sentence !== undefined) await page.getByText(sentence).waitFor();
    found.push(...(await look(page, name)));
  }
  await page.goto(`${baseUrl}/applications/${applicationId}/`);
  await page.getByRole('button', { name: 'New webhook secret' }).click();
  await page.locator('[data-credential="webhook_secret"]').waitFor();
  found.push(...(await look(page, 'webhook-secret')));
  await page.goto(`${baseUrl}/applications/${applicationId}/`);
  await page.getByRole('button', { name: 'New client secret' }).click();
  await page.locator('[data-credential="client_secret"]').waitFor();
  found.push(...(await look(page, 'credentials')));
  await page.goto(`${baseUrl}/documentation/reports/`);
  await page.locator('.operation details summary').first().click();
  await page.locator('.operation details[open]').getByRole('button', { name: 'Send request' }).click();
  await page.getByRole('heading', { name: /^Response/ }).waitFor();
  found.push(...(await look(page, 'try-it')));
  await page.goto(`${baseUrl}/forgot-password/`);
  await page.getByLabel('Username').fill('ann');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.goto(service.baseUrl + linkIn(await mailTo(mailServer, 'ann@example.org', 1), baseUrl));
  found.push(...(await look(page, 'reset-password')));
  expect([...found, ...violations]).toEqual([]);
});
