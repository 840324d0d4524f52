// The real Chromium behind the windows, started by Playwright: it ends with this process. A test connects to the same one and sees
// the pages of the windows there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium } from 'playwright';
import { browserFlags, shellPath, shortLived } from '#test/setup/browser.ts';

export type Chromium = {
  browser: Browser;
  /** Reports the browser's targets. */
  targets: CDPSession;
  /** Where a test's Playwright connects. */
  endpoint: string;
};

export async function startChromium(): Promise<Chromium> {
  // Otherwise Playwright itself would send requests to this machine through a proxy.
  process.env['PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK'] = '1';
  const browser = await chromium.launch({
    executablePath: shellPath(),
    // A page never opens another one by itself: the app answers what happens, and the double opens no popups.
    args: [...browserFlags(), ...shortLived, '--block-new-web-contents'],
    // The app handles signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const targets = await browser.newBrowserCDPSession();
  await targets.send('Target.setDiscoverTargets', { discover: true });
  // Where Playwright lists the browsers that one can connect to; otherwise in the user's cache.
  const list = mkdtempSync(join(tmpdir(), 'rainbell-browsers-'));
  process.env['PWTEST_SERVER_REGISTRY'] = list;
  process.once('exit', () => rmSync(list, { recursive: true, force: true }));
  const { endpoint } = await browser.bind('Electron', { host: '127.0.0.1', port: 0 });
  return { browser, targets, endpoint };
}
