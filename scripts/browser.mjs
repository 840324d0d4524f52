// Finds a Chromium for the tests: named by RAINBELL_BROWSER, otherwise Playwright's own, otherwise the system's. If there is none,
// it is downloaded (Playwright's build, then Debian's package); if that fails, a message says what to install.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';
import { toolFile } from './tool.mjs';

const programs = ['chromium', 'chromium-browser', 'google-chrome'];
const advice =
  'The tests need Chromium or Chrome, but none was found. Install one, or set RAINBELL_BROWSER to its path. ' +
  '(On Debian: apt-get install chromium chromium-headless-shell; with access to the internet: npx playwright install chromium.)';
/** Without a network, a download may hang. */
const downloadLimitMs = 600_000;
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

/** Pages that live for seconds earn back no optimized code; without it a file of tests takes 5 to 20% less CPU. */
export const shortLived = ['--js-flags=--no-opt,--no-maglev', '--num-raster-threads=1'];

/** Command-line flags for a Chromium of tests that keeps to itself; as root it runs without its sandbox, which refuses root. */
export function browserFlags() {
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;
}

/**
 * Returns the path of a Chromium on this machine, or undefined.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const named = process.env['RAINBELL_BROWSER'];
  if (named) {
    if (canRun(named)) return named;
    throw new Error(`RAINBELL_BROWSER is "${named}", which is not a program that can be run. Correct it or unset it.`);
  }
  return [chromium.executablePath(), ...systemBrowsers(process.platform, process.env)].find(canRun);
}

/**
 * Paths that a browser may have on this system. On macOS and Windows, Chrome is not in the PATH.
 * @param {string} platform
 * @param {Record<string, string | undefined>} environment
 */
export function systemBrowsers(platform, environment) {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  if (platform === 'darwin') found.push('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  if (platform === 'win32') found.push(`${environment['PROGRAMFILES']}\\Google\\Chrome\\Application\\chrome.exe`);
  return found;
}

/**
 * Returns the path of the headless shell that Debian installs beside its Chromium (`chromium-headless-shell`), or `browser` if there is
 * none. It takes a fifth less CPU time for a page, and 0.9 s less to start.
 * @param {string} browser
 * @returns {string}
 */
export function shellBeside(browser) {
  const shell = join(dirname(browser), 'chromium-headless-shell');
  return canRun(shell) ? shell : browser;
}

/**
 * Finds a Chromium or fetches one; throws a sentence that says what to install.
 * @param {(words: string) => void} tell
 * @returns {string}
 */
export function obtainBrowser(tell) {
  const found = findBrowser();
  if (found !== undefined) return found;
  tell('Chromium not found; downloading it with Playwright.');
  download(process.execPath, [toolFile('playwright'), 'install', 'chromium']);
  if (findBrowser() === undefined && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    tell("The download failed; installing Debian's packages chromium and chromium-headless-shell.");
    download('apt-get', ['update', '-qq']);
    download('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell']);
  }
  const fetched = findBrowser();
  if (fetched === undefined) throw new Error(advice);
  return fetched;
}

/** @param {string} file */
function canRun(file) {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} program @param {readonly string[]} args */
function download(program, args) {
  spawnSync(program, args, { stdio: 'ignore', timeout: downloadLimitMs });
}
