// What the screens ask of the host around them, in both: a browser page of the headless host, and a window of Electron's on the
// double. Copying, saving, opening a file, keys, the theme, links to the web, and signing in depend on what the host allows.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { atFileEnd, startRainbell, type Rainbell } from '#test/electron/rainbell.ts';
import { launchBrowser, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from '#test/stories/app-process.ts';

type Window = {
  page: Page;
  /** The text of the file that `act` saves. */
  saved: (act: () => Promise<void>) => Promise<string>;
  /** The address that `act` opens outside of the screens. */
  openedBy: (act: () => Promise<void>) => Promise<string>;
  /** The sign-in page that `act` opens. */
  signInPage: (act: () => Promise<void>) => Promise<Page>;
  signInButton: string;
};

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-both-'));
  atFileEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function openHeadless(): Promise<Window> {
  const app = await startAppProcess(await temporary());
  atFileEnd(async () => void (await app.stop()));
  const browser = await launchBrowser({}, shortLived);
  atFileEnd(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(app.url);
  return {
    page,
    async saved(act) {
      const [download] = await Promise.all([page.waitForEvent('download'), act()]);
      return readFile(await download.path(), 'utf8');
    },
    openedBy: (act) => addressOpenedIn(context, act),
    async signInPage(act) {
      await act();
      const dialog = await context.newPage();
      await dialog.goto((await page.getByRole('link', { name: 'Open sign-in page' }).getAttribute('href')) ?? '');
      return dialog;
    },
    signInButton: 'Sign in with my browser',
  };
}

/** Nothing is loaded from the web. */
async function addressOpenedIn(context: BrowserContext, act: () => Promise<void>): Promise<string> {
  await context.route(/^https:/, (route) => route.abort());
  const [opened] = await Promise.all([
    context.waitForEvent('request', (request) => request.url().startsWith('https:')),
    act(),
  ]);
  return opened.url();
}

async function openElectron(): Promise<Window> {
  const rainbell = await startRainbell({}, atFileEnd);
  const page = await rainbell.firstPage();
  return {
    page,
    async saved(act) {
      const file = join(await temporary(), 'saved');
      await answerSaveDialog(rainbell, file);
      await act();
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('');
      return readFile(file, 'utf8');
    },
    async openedBy(act) {
      await rainbell.evaluate(({ shell }) => {
        const opened: string[] = [];
        Object.assign(globalThis, { opened });
        shell.openExternal = async (url) => void opened.push(url);
      });
      await act();
      const opened = () => rainbell.evaluate(() => (globalThis as unknown as { opened: string[] }).opened[0] ?? '');
      await expect.poll(opened).not.toBe('');
      return opened();
    },
    async signInPage(act) {
      await act();
      const found = () => rainbell.pages().find((candidate) => candidate.url().includes('/oauth/authorize'));
      await expect.poll(found).toBeDefined();
      const dialog = found();
      if (!dialog) throw new Error('The sign-in window closed.');
      return dialog;
    },
    signInButton: 'Sign in',
  };
}

type AppInside = { world: { answerSaveDialog: () => string } };

async function answerSaveDialog(rainbell: Rainbell, file: string): Promise<void> {
  await rainbell.evaluate(({ app }, path) => {
    const inside = (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')];
    if (inside) inside.world.answerSaveDialog = () => path;
  }, file);
}

describe.each([
  ['the headless host', openHeadless],
  ['Electron', openElectron],
])('the screens in %s', (_name, open) => {
  let window: Window;
  let page: Page;
  const show = (hash: string) => page.evaluate((wanted) => void (location.hash = wanted), hash);

  beforeAll(async () => {
    window = await open();
    page = window.page;
    await page.getByText(/Receiver \S+:\d+/).waitFor({ timeout: 90_000 });
  });

  it('copy a text', async () => {
    await show('#/callbacks');
    await page.getByRole('button', { name: 'Copy the receiver’s URL' }).click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Couldn’t copy to the clipboard' }).count()).toBe(0);
  });

  it('save what arrived to a file, and open the file again', async () => {
    await show('#/callbacks');
    const receiver = /http:\/\/127\.0\.0\.1:\d+/.exec((await page.textContent('main')) ?? '')?.[0];
    await fetch(`${receiver}/hooks/both`, { method: 'POST', body: '{"both":"hosts"}' });
    await page.getByText('/hooks/both').first().waitFor();
    const text = await window.saved(async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'NDJSON' }).click();
    });
    expect(JSON.parse(text.trim())).toMatchObject({ body: '{"both":"hosts"}' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('File').click()]);
    await chooser.setFiles({
      name: 'again.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(`${text}not json\n`),
    });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('1 imported, 1 skipped').waitFor();
    await page.getByText(/^Entry 2:/).waitFor();
    await page.keyboard.press('Escape');
  });

  it('follow the keyboard', async () => {
    await show('#/forecast');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog').getByRole('combobox').or(page.getByRole('dialog').getByRole('textbox'));
    await palette.first().fill('Traffic');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('#/traffic');
  });

  it('have the theme that was chosen', async () => {
    await show('#/settings');
    const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);
    for (const [label, wanted] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Theme' }).getByText(label, { exact: true }).click();
      await expect.poll(scheme).toBe(wanted);
    }
  });

  it('open a link to the web outside of themselves, and stay', async () => {
    await show('#/settings');
    const link = page.getByRole('region', { name: 'About' }).getByRole('link').first();
    const address = await link.getAttribute('href');
    expect(await window.openedBy(() => link.click())).toBe(address);
    expect(page.url()).toContain('#/settings');
  });

  it('sign a user in', async () => {
    await show('#/access');
    await page.getByRole('button', { name: 'Show the sandbox’s account' }).click();
    const account = page.getByRole('group', { name: 'The sandbox’s account' });
    await account.locator('code').nth(1).waitFor();
    const [username = '', password = ''] = await account.locator('code').allInnerTexts();
    const button = page.getByRole('button', { name: window.signInButton, exact: true });
    const dialog = await window.signInPage(() => button.click());
    await dialog.getByLabel('Username or email address').fill(username);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    const card = page.getByRole('region', { name: 'User token' });
    await card.getByText('Valid', { exact: true }).waitFor();
    await expect.poll(() => card.count()).toBe(1);
  });
});
