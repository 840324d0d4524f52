// What the screens ask of the window around them, in Electron's on the double: copying, saving, opening a file, links to the web, and
// signing in. The other stories ask the same of a browser.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Rainbell, startRainbell } from '#test/electron/rainbell.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

type AppInside = { world: { answerSaveDialog: () => string } };
type Opened = { opened: string[] };

async function answerSaveDialog(rainbell: Rainbell, file: string): Promise<void> {
  await rainbell.evaluate(({ app }, path) => {
    const inside = (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')];
    if (inside) inside.world.answerSaveDialog = () => path;
  }, file);
}

it('a desktop window copies, saves, opens a file, leads to the web, and signs a user in', async () => {
  const rainbell = await startRainbell();
  const page = await rainbell.firstPage();
  const show = (hash: string) => page.evaluate((wanted) => void (location.hash = wanted), hash);
  await page.getByText(/Receiver \S+:\d+/).waitFor({ timeout: 90_000 });

  await show('#/callbacks');
  await page.getByRole('button', { name: 'Copy the receiver’s URL' }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  const receiver = /http:\/\/127\.0\.0\.1:\d+/.exec((await page.textContent('main')) ?? '')?.[0];
  await fetch(`${receiver}/hooks/desktop`, { method: 'POST', body: '{"both":"hosts"}' });
  await page.getByText('/hooks/desktop').first().waitFor();
  const file = join(temporaryFolder(), 'saved');
  await answerSaveDialog(rainbell, file);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'NDJSON' }).click();
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('\n');
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text.trim())).toMatchObject({ body: '{"both":"hosts"}' });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import…' }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('File').click()]);
  const buffer = Buffer.from(`${text}not json\n`);
  await chooser.setFiles({ name: 'again.ndjson', mimeType: 'application/x-ndjson', buffer });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('1 imported, 1 skipped').waitFor();
  await page.getByText(/^Entry 2:/).waitFor();
  await page.keyboard.press('Escape');

  await show('#/settings');
  await rainbell.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const link = page.getByRole('region', { name: 'About' }).getByRole('link').first();
  const address = await link.getAttribute('href');
  await link.click();
  await expect.poll(() => rainbell.evaluate(() => (globalThis as unknown as Opened).opened)).toEqual([address]);
  expect(page.url()).toContain('#/settings');

  await show('#/access');
  await page.getByRole('button', { name: 'Show the sandbox’s account' }).click();
  const account = page.getByRole('group', { name: 'The sandbox’s account' }).locator('code');
  await account.nth(1).waitFor();
  const [username = '', password = ''] = await account.allInnerTexts();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const dialog = () => rainbell.pages().find((candidate) => candidate.url().includes('/oauth/authorize'));
  await expect.poll(dialog).toBeDefined();
  const signIn = dialog()!;
  await signIn.getByLabel('Username or email address').fill(username);
  await signIn.getByLabel('Password').fill(password);
  await signIn.getByRole('button', { name: 'Sign in' }).click();
  await signIn.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
  await page.getByRole('region', { name: 'User token' }).getByText('Valid', { exact: true }).waitFor();
});
