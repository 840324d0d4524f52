// The app for benches of its screens: the headless host on a folder of its own, with simulated weather, and pages of a real
// Chromium that have a session with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { launchBrowser } from '#test/setup/browser.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { startChildServer } from './child-server.ts';

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

async function startScreenHost(browser: Browser, dataFolder: string): Promise<ScreenHost> {
  const entry = join(projectFolder, 'headless', 'main.ts');
  const server = await startChildServer({
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
    stop: server.stop,
  };
}

function fillCallbackStore(file: string, count: number): void {
  const store = openAppDatabase({ file, clock: systemClock });
  store.db.exec('PRAGMA synchronous = OFF');
  const writer = createCallbackWriter(store.db);
  const body = Buffer.from(
    JSON.stringify({ id: 'precipitation_1', monitor_type: 'precipitation', text: 'x'.repeat(230) }),
  );
  const batch = Array.from({ length: Math.min(count, 5_000) }, () => ({
    receivedAt: systemClock.now(),
    method: 'POST',
    target: '/hooks/bench',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['host', '127.0.0.1:4545', 'content-type', 'application/json', 'content-length', String(body.length)],
    body,
    truncated: false,
    answeredStatus: 200,
  }));
  for (let written = 0; written < count; written += batch.length) writer.append(batch);
  store.close();
}

/** There when the first screen shows its data. */
export function forecastOf(page: Page) {
  return page.getByRole('slider', { name: 'Forecast points' });
}

/** A page that shows the first screen with its data. */
export async function openForecast({ newContext, origin }: ScreenHost): Promise<Page> {
  const page = await (await newContext()).newPage();
  await page.goto(`${origin}/`);
  await forecastOf(page).waitFor();
  return page;
}

/** Milliseconds from a click until an element that matches the selector has the text, has been painted, and the page's next task has run. */
export function clickUntilPainted(clicked: Locator, selector: string, text: RegExp): Promise<number> {
  return clicked.evaluate(
    async (element: HTMLElement, [place, pattern]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const began = performance.now();
      element.click();
      while (!pattern.test(document.querySelector(place)?.textContent ?? '')) {
        if (performance.now() - began > 60_000) throw new Error(`${pattern} is not shown after a minute.`);
        await frame();
      }
      await frame();
      // After a paint, tasks run again.
      await new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.addEventListener('message', resolve);
        channel.port1.start();
        channel.port2.postMessage(null);
      });
      return performance.now() - began;
    },
    [selector, text] as const,
  );
}
