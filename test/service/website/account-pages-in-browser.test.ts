// The pages about accounts in a real Chromium on a phone: what is typed, mailed, opened, and pressed.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { linkIn, mailTo, startMailServer } from './mail-server.ts';
import { websiteFindings } from './website-findings.ts';
import { ann, startWebsite } from './website-service.ts';

async function openPhone() {
  const mailServer = await startMailServer();
  const service = await startWebsite({ smtpUrl: mailServer.url });
  const page = await (await newBrowserContext({ viewport: { width: 360, height: 740 } })).newPage();
  const findings: string[] = [];
  /** Notes what is wrong with the page that is open. */
  const look = async (name: string) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 360) findings.push(`${name} is ${width} px wide`);
    findings.push(...(await websiteFindings(page)).map((problem) => `${name}: ${problem}`));
  };
  const linkTo = async (address: string, count = 1) =>
    service.baseUrl + linkIn(await mailTo(mailServer, address, count), service.baseUrl);
  return { ...service, page, look, findings, linkTo };
}

async function press(page: Page, name: string, path: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.waitForURL(path);
}

test('an account is created, confirmed, moved to another address, and gets a new password on a phone', async () => {
  const { baseUrl, page, look, findings, linkTo } = await openPhone();
  await page.goto(`${baseUrl}/register/`);
  await page.getByLabel('Username').fill(ann.username);
  await page.getByLabel('Email address').fill(ann.email);
  await page.getByLabel('Password').fill(ann.password);
  await press(page, 'Create account', /\/applications\/new\/$/);
  await look('confirm first');
  await page.goto(await linkTo(ann.email));
  await look('confirm');
  await press(page, 'Confirm address', /\/account\/$/);
  await expect.poll(() => page.getByRole('status').textContent()).toContain('Your email address was confirmed.');
  await page.getByLabel('Email address').fill('anna@example.org');
  await page.getByLabel('Your password').first().fill(ann.password);
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByText('To confirm anna@example.org, open the link').waitFor();
  await look('account');
  await page.goto(`${baseUrl}/plans/`);
  await press(page, 'Choose Storm', /\/applications\/new\/\?plan=storm$/);
  await page.goto(`${baseUrl}/plans/`);
  await look('plans');
  await page.goto(`${baseUrl}/forgot-password/`);
  await page.getByLabel('Username or email address').fill(ann.username);
  await press(page, 'Send link', /\/forgot-password\/$/);
  await look('forgotten');
  await page.goto(await linkTo(ann.email, 3));
  await look('reset');
  await page.getByLabel('New password').fill('another long password');
  await press(page, 'Change password', /\/sign-in\/$/);
  await expect.poll(() => page.getByRole('status').textContent()).toContain('Sign in with the new one.');
  await look('sign-in');
  expect(findings).toEqual([]);
});
