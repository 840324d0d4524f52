// The real Chromium of the tests that need one. `npm test` finds or fetches it before vitest starts (scripts/browser.mjs).
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { findBrowser, shellBeside } from '#scripts/browser.mjs';

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One renderer process for all pages that may share one, and none held ready: a page of a test needs no protection from another, and
  // the processes started for each navigation were a sixth of the browser's CPU time.
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
];

/** Path of a Chromium; throws a sentence if there is none. */
export function browserPath(): string {
  const path = findBrowser();
  if (path === undefined) {
    throw new Error('Chromium not found: run "npm test", which downloads it, or set RAINBELL_BROWSER to its path.');
  }
  return path;
}

/** Pages that live for seconds earn back no optimized code; without it a file of tests takes 5 to 20% less CPU. */
export const shortLived: readonly string[] = ['--js-flags=--no-opt,--no-maglev', '--num-raster-threads=1'];

/**
 * Path of the browser for pages that need neither notifications, nor the permission to read the clipboard, nor the text of the expected
 * pictures: Chromium's headless shell, if installed, has none of them.
 */
export function shellPath(): string {
  return shellBeside(browserPath());
}

/** Command-line flags for a Chromium that keeps to itself; as root it runs without its sandbox, which refuses root. */
export function browserFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;
}

/** Starts a headless Chromium, which the caller closes (`onTestFinished(() => browser.close())`); see `shellPath`. */
export function launchBrowser(
  options: Omit<LaunchOptions, 'args'> = {},
  flags: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), ...options, args: [...browserFlags(), ...flags] });
}
