// The app for benches of its screens: the headless host on a folder of its own, with simulated weather, and pages of a real
// Chromium that have a session with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { launchBrowser } from '#test/setup/browser.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { fillCallbackStore } from './callback-store.ts';
import { type ChildServer, startChildServer } from './child-server.ts';

const entry = fileURLToPath(new URL('../../headless/main.ts', import.meta.url));

export type ScreenHost = {
  origin: string;
  /** A page that has never been here, with an empty cache, in a session; at no address yet. */
  newContext: () => Promise<BrowserContext>;
  stop: () => Promise<void>;
};

/** What the benches of screens use. */
export type Screens = { browser: Browser; host: ScreenHost; stop: () => Promise<void> };

/** `stored`: callbacks in the app's database. */
export async function openScreens(stored = 0, launch = launchBrowser): Promise<Screens> {
  await buildScreens();
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-screens-'));
  if (stored > 0) fillCallbackStore(join(folder, 'app.sqlite'), stored);
  const browser = await launch();
  const host = await startScreenHost(browser, folder);
  return {
    browser,
    host,
    async stop() {
      await host.stop();
      await browser.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Runs a bench on `shared`, whose pages it then closes, or on screens of its own. */
export async function withScreens<Result>(
  shared: Screens | undefined,
  run: (screens: Screens) => Promise<Result>,
  stored = 0,
): Promise<Result> {
  const screens = shared ?? (await openScreens(stored));
  try {
    return await run(screens);
  } finally {
    if (shared) for (const context of shared.browser.contexts()) await context.close();
    else await screens.stop();
  }
}

/** The screens are built where they are older than their sources. */
export async function buildScreens(): Promise<void> {
  const problem = await freshBuild();
  if (problem !== undefined) throw new Error(problem);
}

export async function startScreenHost(browser: Browser, dataFolder: string): Promise<ScreenHost> {
  const server: ChildServer = await startChildServer({
    command: process.execPath,
    args: [...runEntry, entry, '--json', '--no-open', '--port', '0', '--data', dataFolder],
    env: { RAINBELL_PROVIDER: 'simulation' },
  });
  const { url } = JSON.parse(server.firstLine) as { url: string };
  const { origin } = new URL(url);
  // The ticket in the address works once; the session in localStorage lets every other page in.
  const first = await browser.newContext();
  first.setDefaultTimeout(120_000);
  const page = await first.newPage();
  await page.goto(url);
  await forecastOf(page).waitFor();
  const storageState = await first.storageState();
  await first.close();
  return {
    origin,
    async newContext() {
      const viewport = { width: 1280, height: 900 };
      const context = await browser.newContext({ viewport, timezoneId: 'Europe/Rome', storageState });
      context.setDefaultTimeout(120_000);
      return context;
    },
    stop: () => server.stop(),
  };
}

/** There when the first screen shows its data. */
export function forecastOf(page: Page) {
  return page.getByRole('slider', { name: 'Forecast points' });
}
