// The real Chromium of the tests that need one. `npm test` finds or fetches it before vitest starts (scripts/browser.mjs).
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { findBrowser } from '#scripts/browser.mjs';

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

/** Path of a Chromium; throws a sentence where there is none. */
export function browserPath(): string {
  const path = findBrowser();
  if (path === undefined) {
    throw new Error('No Chromium was found: run "npm test", which fetches one, or set RAINBELL_BROWSER to its path.');
  }
  return path;
}

/** Command-line flags for a Chromium that keeps to itself; as root it runs without its sandbox, which refuses root. */
export function browserFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;
}

/** Starts a headless Chromium; whoever starts it closes it (`onTestFinished(() => browser.close())`). */
export function launchBrowser(options: Omit<LaunchOptions, 'executablePath' | 'args'> = {}): Promise<Browser> {
  return chromium.launch({ ...options, executablePath: browserPath(), args: browserFlags() });
}
