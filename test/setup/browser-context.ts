// One Chromium for all tests of a process, which ends with it. Most tests use its one page, which loads a second time from its
// caches; a test that needs a profile without a past, or changes what cannot be changed back, opens its own context.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { browserPath, launchBrowser, shellPath, shortLived } from './browser.ts';

/** `whole`: also for what Chromium's headless shell lacks (`shellPath`). */
export type BrowserKind = 'shell' | 'whole';

const browsers: Partial<Record<BrowserKind, Promise<Browser>>> = {};
const shared: Partial<Record<BrowserKind, Page>> = {};

/** A profile that ends with the running test. */
export async function newBrowserContext(
  options: BrowserContextOptions = {},
  kind: BrowserKind = 'shell',
): Promise<BrowserContext> {
  const context = await openContext(options, kind);
  onTestFinished(() => context.close());
  return context;
}

/**
 * The page of this process, as a new profile would show it: without cookies, storage, permissions, routes, or listeners. A test that
 * fails takes it along, so that the next test begins with a new one. `options` are the same for all tests.
 */
export async function sharedPage(
  options: BrowserContextOptions & { viewport: { width: number; height: number } },
  kind: BrowserKind = 'shell',
): Promise<Page> {
  const page = (shared[kind] ??= await (await openContext(options, kind)).newPage());
  onTestFinished(async ({ task }) => {
    const isUsable = task.result?.state !== 'fail' && !page.isClosed();
    delete shared[kind];
    if (!isUsable) {
      // Not waited for: closing a page that hangs can take longer than a hook may. It ends with the browser at the latest.
      page
        .context()
        .close()
        .catch(() => {});
      return;
    }
    await reset(page, options);
    shared[kind] = page;
  });
  return page;
}

async function openContext(options: BrowserContextOptions, kind: BrowserKind): Promise<BrowserContext> {
  const executablePath = kind === 'shell' ? shellPath() : browserPath();
  let running = await browsers[kind];
  if (!running?.isConnected()) running = await (browsers[kind] = launchBrowser({ executablePath }, shortLived));
  // Units and clock follow the locale; this one has °C, mm, m/s, and 24 hours.
  return running.newContext({ locale: 'en-IE', ...options });
}

async function reset(
  page: Page,
  { viewport, reducedMotion = null, colorScheme = null }: Parameters<typeof sharedPage>[0],
): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  context.removeAllListeners();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await context.setOffline(false);
  await page.unrouteAll();
  await context.unrouteAll();
  await clearStorage(page);
  await page.goto('about:blank');
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia({ reducedMotion, colorScheme, media: null, forcedColors: null });
  await page.setViewportSize(viewport);
}

async function clearStorage(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  if (origin === 'null') return;
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  });
  await session.detach();
}
