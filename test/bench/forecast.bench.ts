// Goal 26 of docs/performance.md: moving the cursor over the chart, in a real Chromium over the headless host. What counts is CPU time of
// the page's main thread, so that other work on the machine does not.
import type { Browser, Page } from 'playwright';
import { z } from 'zod';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { forecastOf, withScreens } from './screen-host.ts';

const goalMs = 8;

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ browser, host }) => {
    const page = await (await host.newContext()).newPage();
    await page.goto(`${host.origin}/#/forecast`);
    await forecastOf(page).waitFor();
    const costs: number[] = [];
    const rounds = extent === 'whole' ? 5 : 1;
    // The first round loads and compiles what the others use.
    for (let round = extent === 'trial' ? 0 : -1; round < rounds; round += 1) {
      const cost = await scrub(browser, page, extent === 'trial' ? 10 : 120);
      if (round >= 0) costs.push(cost);
    }
    const what = 'forecast, cursor moved once per frame, CPU per move';
    const note = `${median(costs).toFixed(1)} ms`;
    say(`${what}: ${note}`);
    const row = assess(
      { goal: '26', what, baseline: `${goalMs} ms`, limit: atMost(1), note },
      costs.map((cost) => cost / goalMs),
    );
    return [{ ...row, goalText: `≤ ${goalMs} ms` }];
  });
}

/** CPU milliseconds of a move; one in each frame, as a pointer does it. */
async function scrub(browser: Browser, page: Page, moves: number): Promise<number> {
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
  return tasks.reduce((sum, task) => sum + task, 0) / moves;
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
