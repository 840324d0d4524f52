// Goal 26 of docs/performance.md: moving the cursor over the chart with 30 kept fetches, and opening a comparison of four, in a
// real Chromium over the headless host. What counts is CPU time of the page's main thread, so that other work on the machine does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { z } from 'zod';
import { connectToApp } from '#test/setup/app-client.ts';
import { launchBrowser } from '#test/setup/browser.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { buildScreens, forecastOf, startScreenHost } from './screen-host.ts';

const fetches = 30;
const moves = 120;
const goals = { move: 8, slowest: 16, open: 100 };
const turin = { lat: 45.0703, lng: 7.6869 };

type Round = { move: number; slowest: number; open: number };

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-forecast-bench-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })];
  try {
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const host = await startScreenHost(browser, folder);
    stops.push(() => host.stop());
    const context = await host.newContext();
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const { client, disconnect } = await connectToApp(host.origin, cookie);
    for (let count = 0; count < fetches; count += 1) await client.forecast.get(turin);
    const page = await context.newPage();
    await page.goto(`${host.origin}/#/forecast?lat=${turin.lat}&lng=${turin.lng}`);
    await forecastOf(page).waitFor();
    // The page's own fetch is one of them, and took the place of the oldest.
    const { fetches: kept } = await client.forecast.history(turin);
    disconnect();
    const rounds: Round[] = [];
    // The first round loads and compiles what the others use.
    for (let round = -1; round < (isQuick ? 1 : 5); round += 1) {
      const scrubbed = await scrub(browser, page);
      const opened = await openAll(browser, page, kept);
      if (round >= 0) rounds.push({ ...scrubbed, ...opened });
    }
    return rowsOf(rounds, say);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** One move in each frame, as a pointer does it. */
async function scrub(browser: Browser, page: Page): Promise<Pick<Round, 'move' | 'slowest'>> {
  const tasks = await tasksDuring(browser, page, () =>
    page.evaluate(async (count) => {
      const slider = document.querySelector('[role=slider]');
      const box = slider?.getBoundingClientRect();
      if (!slider || !box) throw new Error('The chart is not shown.');
      for (let index = 0; index < count; index += 1) {
        await new Promise((done) => requestAnimationFrame(done));
        const clientX = box.left + 10 + ((box.width - 20) * index) / count;
        const move = { bubbles: true, pointerType: 'mouse', clientX, clientY: box.top + 50 };
        slider.dispatchEvent(new PointerEvent('pointermove', move));
      }
    }, moves),
  );
  const ordered = tasks.toSorted((one, other) => one - other);
  // Less than one task in twenty moves is longer.
  const slowest = ordered.at(-Math.ceil(moves / 20)) ?? 0;
  return { move: tasks.reduce((sum, task) => sum + task, 0) / moves, slowest };
}

async function openAll(browser: Browser, page: Page, kept: readonly { id: number }[]): Promise<Pick<Round, 'open'>> {
  const compared = kept.slice(0, 4);
  const [a, b, ...more] = compared.map(({ id }) => `fetch:${id}`);
  const hash = `#/forecast?a=${a}&b=${b}&more=${more.join(';')}`;
  const shown = page.getByRole('button', { name: 'Close the comparison' });
  const tasks = await tasksDuring(browser, page, async () => {
    await page.evaluate((wanted) => void (location.hash = wanted), hash);
    // Not by a locator, whose search runs on the thread that is measured.
    await page.waitForFunction((last) => document.querySelector(`[data-side="${last}"]`), compared.length - 1);
  });
  await shown.click();
  await forecastOf(page).waitFor();
  return { open: tasks.reduce((sum, task) => sum + task, 0) };
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

/** CPU milliseconds of each task of the page's main thread. */
async function tasksDuring(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  // Not the category `toplevel`: it has each task once more, by another name.
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace holds no tasks of the page.');
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}

function rowsOf(rounds: readonly Round[], say: BenchOptions['say']): BenchRow[] {
  const row = (field: keyof Round, what: string): BenchRow => {
    const values = rounds.map((round) => round[field]);
    const note = `${median(values).toFixed(1)} ms`;
    say(`${what}: ${note}`);
    const goalMs = goals[field];
    const judged = assess(
      { goal: '26', what, baseline: `${goalMs} ms`, limit: atMost(1), note },
      values.map((value) => value / goalMs),
    );
    return { ...judged, goalText: `≤ ${goalMs} ms` };
  };
  return [
    row('move', 'forecast, cursor moved once per frame, CPU per move'),
    row('slowest', 'forecast, cursor moved once per frame, 95th percentile of tasks, CPU'),
    row('open', `forecast, ${fetches} fetches of 72 hours opened in the comparison, CPU`),
  ];
}
