// A user signs in to the service that comes with the app, in a real browser: the account is shown on the Access screen, the
// sign-in page asks for it and for consent, and the app has a token of that user at the end.
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('a newcomer signs in to the sandbox with the account that comes with it', async () => {
  const dataFolder = temporaryFolder();
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const browser = await launchBrowser({ executablePath: shellPath() }, shortLived);
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(app.url);
  await page.getByRole('navigation').getByText('Access', { exact: true }).click();

  await page.getByRole('button', { name: 'Show the sandbox’s account' }).click();
  const account = page.getByRole('group', { name: 'The sandbox’s account' });
  await account.locator('code').nth(1).waitFor();
  const [username = '', password = ''] = await account.locator('code').allInnerTexts();
  await page.getByRole('button', { name: 'Sign in with my browser' }).click();
  const address = await page.getByRole('link', { name: 'Open sign-in page' }).getAttribute('href');

  const dialog = await context.newPage();
  await dialog.goto(address ?? '');
  await dialog.getByLabel('Username or email address').fill(username);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('post_metag').waitFor();
  await dialog.getByRole('button', { name: 'Allow' }).click();

  const card = page.getByRole('region', { name: 'User token' });
  await card.getByText('Valid', { exact: true }).waitFor();
  expect(await page.content()).not.toMatch(/"(access|refresh)_token":"[^"•*]/);
});
