// What a user does who has no mouse, on a host and a page that the stories of a file share.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import { startAppProcess } from './app-process.ts';

/** Starts the app before the file's first story. `copies`: in a Chromium that can write to the clipboard (`shellPath`). */
export function openGuide({ copies = false } = {}) {
  let page: Page;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-guide-'));
    ends.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
    const browser = await launchBrowser(copies ? {} : { executablePath: shellPath() }, shortLived);
    ends.push(() => browser.close());
    const app = await startAppProcess(dataFolder);
    ends.push(() => app.stop());
    const viewport = { width: 1280, height: 800 };
    const permissions = copies ? ['clipboard-read', 'clipboard-write'] : [];
    page = await browser.newPage({ viewport, permissions, reducedMotion: 'reduce', locale: 'en-IE' });
    page.setDefaultTimeout(45_000);
    await page.goto(app.url);
    await page.getByRole('slider').waitFor();
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const anyDialog = () => page.getByRole('dialog');
  return {
    page: () => page,
    press,
    write: (text: string) => page.keyboard.type(text),
    tabTo: (name: RegExp) => tabTo(page, name),
    run: (text: string, title: RegExp) => runFromPalette(page, text, title),
    choose: (menu: RegExp, item: RegExp) => chooseItem(page, menu, item),
    dialog: (name: string | RegExp) => page.getByRole('dialog', { name }),
    async closed() {
      await anyDialog().waitFor({ state: 'detached' });
    },
    async escape() {
      await press('Escape');
      await anyDialog().waitFor({ state: 'detached' });
    },
    async enter(name: RegExp) {
      await tabTo(page, name);
      await press('Enter');
    },
    async type(name: RegExp, text: string) {
      await tabTo(page, name);
      await press('Control+a');
      await page.keyboard.type(text);
    },
    /** The file that it saves. */
    async saved(start: () => Promise<void>): Promise<{ download: Download; path: string; text: string }> {
      const [download] = await Promise.all([page.waitForEvent('download'), start()]);
      const path = await download.path();
      return { download, path, text: await readFile(path, 'utf8') };
    },
    /** Chooses the file at `path` where it asks for one. */
    async choosesFile(path: string, name: string, start: () => Promise<void>) {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), start()]);
      await chooser.setFiles({ name, mimeType: 'application/json', buffer: await readFile(path) });
    },
    async receiverUrl() {
      const [host] = /[\d.]+:\d+/.exec(await page.getByRole('button', { name: /^Receiver / }).innerText()) ?? [''];
      return `http://${host}`;
    },
    async createMonitor(count: number) {
      await runFromPalette(page, 'new monitor', /^New monitor/);
      await page.getByRole('dialog', { name: /new monitor/i }).waitFor();
      await press('Enter');
      await page.getByRole('button', { name: new RegExp(`^Monitors, ${count} monitor`) }).waitFor();
      await anyDialog().waitFor({ state: 'detached' });
    },
    async makeItRain() {
      await runFromPalette(page, 'rain', /^Make it rain/);
      await tabTo(page, /^Apply scenario$/);
      await press('Enter');
    },
  };
}

/** Moves the focus by Tab, as often as it takes, to the control of that name. One that is still loading is waited for. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  let passed: string[] = [];
  const goesRound = async () => {
    passed = [];
    for (let step = 0; step < 150; step += 1) {
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return '';
        const label = 'labels' in element ? (element as HTMLInputElement).labels?.[0]?.innerText : undefined;
        return element.ariaLabel ?? label ?? element.innerText;
      });
      if (name.test(focused.trim())) return true;
      passed.push(focused.trim().slice(0, 40));
      await page.keyboard.press('Tab');
    }
    return false;
  };
  try {
    await expect.poll(goesRound).toBe(true);
  } catch {
    throw new Error(`Tab does not reach ${name}. It passes: ${[...new Set(passed)].join(' | ')}`);
  }
}

/** Runs the command that the palette puts first for a text. */
async function runFromPalette(page: Page, text: string, title: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  const palette = page.getByRole('dialog', { name: 'Commands and places' });
  const chosen = palette.getByRole('option', { selected: true });
  await expect.poll(() => chosen.textContent()).toMatch(title);
  await page.keyboard.press('Enter');
  // Ctrl+K would close one that is still open.
  await palette.waitFor({ state: 'detached' });
}

/** Opens the menu of that name and chooses an item by the arrow keys. */
async function chooseItem(page: Page, menu: RegExp, item: RegExp): Promise<void> {
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  const focused = page.getByRole('menuitem').and(page.locator(':focus'));
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return focused.innerText();
    })
    .toMatch(item);
  await page.keyboard.press('Enter');
}
