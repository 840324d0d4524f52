// The app for benches of its screens: the headless host on a folder of its own, with simulated weather, and pages of a real
// Chromium that have a session with it.
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { runEntry } from '#test/setup/run-entry.ts';
import { type ChildServer, startChildServer } from './child-server.ts';

const entry = fileURLToPath(new URL('../../headless/main.ts', import.meta.url));

export type ScreenHost = {
  origin: string;
  /** A page that has never been here, with an empty cache, in a session; at no address yet. */
  newContext: () => Promise<BrowserContext>;
  stop: () => Promise<void>;
};

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
  const page = await first.newPage();
  await page.goto(url);
  await forecastOf(page).waitFor({ timeout: 30_000 });
  const storageState = await first.storageState();
  await first.close();
  return {
    origin,
    async newContext() {
      return browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: 'Europe/Rome', storageState });
    },
    stop: () => server.stop(),
  };
}

/** There when the first screen shows its data. */
export function forecastOf(page: Page) {
  return page.getByRole('slider', { name: 'Forecast points' });
}
