// What a browser reports of the computer can be unknown to the browser itself.
import { expect, it, onTestFinished } from 'vitest';
import { launchBrowser, shellPath } from '#test/setup/browser.ts';
import { openScreens } from '../screen-harness.ts';

it('an unknown time zone and a POSIX locale are read as UTC and US English', async () => {
  const { newAddress, receiverUrl } = await openScreens();
  await fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{}' });
  const browser = await launchBrowser({ executablePath: shellPath(), env: { ...process.env, TZ: 'Foo/Bar' } });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  // Chromium before 91 on a machine without a locale.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true }),
  );
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('console', (message) => void (message.text().includes('RangeError') && errors.push(message.text())));
  await page.goto(newAddress('#/callbacks'));
  expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe('Etc/Unknown');
  await page.getByRole('option').filter({ hasText: '/hooks/a' }).click();
  await page.getByText(/ UTC · #1$/).waitFor();
  for (const [hash, heading] of [
    ['#/access', 'Access'],
    ['#/traffic', 'Traffic'],
    ['#/settings', 'Settings'],
    ['#/forecast', 'Forecast'],
  ] as const) {
    await page.evaluate((next) => void (location.hash = next), hash);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ state: 'attached' });
  }
  await page.getByRole('button', { name: 'View', exact: true }).click();
  expect(await page.getByRole('combobox', { name: 'Units' }).inputValue()).toBe('US');
  expect(errors).toEqual([]);
});
