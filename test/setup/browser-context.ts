// One Chromium for the tests of a file, and a profile of its own (cookies, storage, settings) for each test: a launch costs
// more than most tests do.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright';
import { afterAll, onTestFinished } from 'vitest';
import { launchBrowser } from './browser.ts';

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** A profile that ends with the running test. */
export async function newBrowserContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= launchBrowser();
  const context = await (await browser).newContext(options);
  onTestFinished(() => context.close());
  return context;
}
