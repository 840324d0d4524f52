// Goal 25 of docs/performance.md: a keystroke in the palette with 5,000 monitors, in a real Chromium over the headless host. What
// counts is the CPU of the longest task of the page's main thread between the key and the next frame at rest.
import type { Browser, Page } from 'playwright';
import { z } from 'zod';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { chooseService, serveMonitors } from './monitor-service.ts';
import { withScreens } from './screen-host.ts';

const goalMs = 16;
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
    const rounds: number[][] = [];
    // The first round loads the palette.
    for (let round = isTrial ? 0 : -1; round < (extent === 'whole' ? 5 : 1); round += 1) {
      const keys = await typeAll(browser, page, isTrial ? ['p'] : typed);
      if (round >= 0) rounds.push(keys);
    }
    await undo();
    service.stop();
    return rowsOf(rounds, say);
  });
}

async function typeAll(browser: Browser, page: Page, texts: readonly string[]): Promise<number[]> {
  const keys: number[] = [];
  for (const text of texts) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).waitFor();
    for (const key of text) keys.push(await measureKey(browser, page, key));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return keys;
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.string().optional() }).optional(),
    }),
  ),
});

/** CPU milliseconds. */
async function measureKey(browser: Browser, page: Page, key: string): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await page.keyboard.type(key);
  // The answer of the search for places is drawn, too.
  await page.waitForTimeout(150);
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace holds no tasks of the page.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

function rowsOf(rounds: readonly number[][], say: BenchOptions['say']): BenchRow[] {
  const all = rounds.flat();
  const what = 'palette, a keystroke with 5,000 monitors, longest task, CPU';
  const note = `median keystroke ${median(all).toFixed(1)} ms, worst ${Math.max(...all).toFixed(1)} ms`;
  say(`${what}: ${note}`);
  const baseline = `${goalMs} ms`;
  const ratios = rounds.map((keys) => median(keys) / goalMs);
  return [{ ...assess({ goal: '25', what, baseline, limit: atMost(1), note }, ratios), goalText: `≤ ${baseline}` }];
}
