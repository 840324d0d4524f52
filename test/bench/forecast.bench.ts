// Goal 26 of docs/performance.md: moving the cursor over the chart, in a real Chromium over the headless host.
import type { Browser, Page } from 'playwright';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';
import { tasksDuring } from './page-tasks.ts';
import { openForecast, withScreens } from './screen-host.ts';

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ browser, host }) => {
    const page = await openForecast(host);
    const costs = await repeat(extent, { whole: 5 }, () => scrub(browser, page, extent === 'trial' ? 10 : 120));
    const what = 'forecast, cursor moved once per frame, CPU per move';
    const note = `${median(costs).toFixed(1)} ms`;
    say(`${what}: ${note}`);
    return [assessFigures({ goal: '26', what, most: 8, unit: 'ms', note }, costs)];
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
