// The frames of a page while something happens to it: as its own animation frames come, or as the browser's tracing says that
// it drew them. The user sees a late frame as a stutter.
import type { Browser, Page } from 'playwright';
import { z } from 'zod';
import { median } from './bench-row.ts';

export type Frames = { perSecond: number; longestMs: number; medianMs: number; over25Ms: number };

export async function recordFrames(page: Page, during: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    const record = (at: number) => {
      times.push(at);
      Object.assign(globalThis, { benchFrame: requestAnimationFrame(record) });
    };
    Object.assign(globalThis, { benchFrames: times, benchFrame: requestAnimationFrame(record) });
  });
  await during();
  const times = await page.evaluate(() => {
    const recorded = globalThis as unknown as { benchFrames: number[]; benchFrame: number };
    cancelAnimationFrame(recorded.benchFrame);
    return recorded.benchFrames;
  });
  return framesOf(times);
}

const traceSchema = z.object({ traceEvents: z.array(z.looseObject({ name: z.string(), ts: z.number().optional() })) });

/** By Chromium's own trace; only frames in which something changed are drawn. */
export async function traceFrames(browser: Browser, page: Page, during: () => Promise<unknown>): Promise<Frames> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline.frame'] });
  await during();
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString('utf8')));
  const drawn = traceEvents.flatMap(({ name, ts }) => (name === 'DrawFrame' && ts !== undefined ? [ts / 1000] : []));
  if (drawn.length < 2) throw new Error('The trace holds no drawn frames.');
  return framesOf(drawn.toSorted((one, other) => one - other));
}

/** From the instants of frames, in milliseconds, in their order. */
function framesOf(times: readonly number[]): Frames {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return {
    perSecond: gaps.length / seconds,
    longestMs: Math.max(...gaps),
    medianMs: median(gaps),
    over25Ms: gaps.filter((gap) => gap > 25).length,
  };
}

export const formatFrames = ({ perSecond, longestMs, over25Ms }: Frames) =>
  `${perSecond.toFixed(0)} frames/s, longest ${longestMs.toFixed(0)} ms, ${over25Ms} over 25 ms`;
