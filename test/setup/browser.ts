// The real Chromium of the tests that need one. `npm test` finds or fetches it before vitest starts (scripts/browser.mjs).
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { browserFlags, findBrowser, shellBeside } from '#scripts/browser.mjs';

export { browserFlags, shortLived } from '#scripts/browser.mjs';

/** Path of a Chromium; throws a sentence if there is none. */
export function browserPath(): string {
  const path = findBrowser();
  if (path === undefined) {
    throw new Error('Chromium not found: run "npm test", which downloads it, or set RAINBELL_BROWSER to its path.');
  }
  return path;
}

/**
 * Path of the browser for pages that need neither notifications, nor the permission to read the clipboard, nor the text of the expected
 * pictures: Chromium's headless shell, if installed, has none of them.
 */
export function shellPath(): string {
  return shellBeside(browserPath());
}

/** Starts a headless Chromium, which the caller closes (`onTestFinished(() => browser.close())`); see `shellPath`. */
export function launchBrowser(
  options: Omit<LaunchOptions, 'args'> = {},
  flags: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), ...options, args: [...browserFlags(), ...flags] });
}
