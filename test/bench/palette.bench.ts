// Goal 25 of docs/performance.md: a keystroke in the palette with 5,000 monitors, in a real Chromium over the headless host. What
// counts is the CPU of the longest task of the page's main thread between the key and the next frame at rest.
import type { Browser, Page } from 'playwright';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';
import { chooseService, serveMonitors } from './monitor-service.ts';
import { tasksDuring } from './page-tasks.ts';
import { withScreens } from './screen-host.ts';

const typed = ['precipitation 4711', 'make it rain', 'berlni'];

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ browser, host }) => {
    const isTrial = extent === 'trial';
    const monitorCount = isTrial ? 50 : 5_000;
    const service = await serveMonitors(monitorCount);
    const context = await host.newContext();
    const undo = await chooseService(
      host.origin,
      (await context.storageState()).origins[0]?.localStorage.find(({ name }) => name === 'rainbell-session')?.value ??
        '',
      service.url,
    );
    const page = await context.newPage();
    await page.goto(`${host.origin}/`);
    await page.getByRole('button', { name: `Monitors, ${monitorCount.toLocaleString('en')} monitors` }).waitFor();
    const rounds = await repeat(extent, { whole: 5 }, () => typeAll(browser, page, isTrial ? ['p'] : typed));
    await undo();
    service.stop();
    const all = rounds.flat();
    const what = 'palette, a keystroke with 5,000 monitors, longest task, CPU';
    const note = `median keystroke ${median(all).toFixed(1)} ms, worst ${Math.max(...all).toFixed(1)} ms`;
    say(`${what}: ${note}`);
    return [assessFigures({ goal: '25', what, most: 16, unit: 'ms', note }, rounds.map(median))];
  });
}

/** CPU milliseconds of each key. */
async function typeAll(browser: Browser, page: Page, texts: readonly string[]): Promise<number[]> {
  const keys: number[] = [];
  for (const text of texts) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).waitFor();
    for (const key of text) {
      const tasks = await tasksDuring(browser, page, async () => {
        await page.keyboard.type(key);
        // The answer of the search for places is drawn, too.
        await page.waitForTimeout(150);
      });
      keys.push(Math.max(...tasks));
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return keys;
}
