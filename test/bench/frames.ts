// The frames of a page while something happens to it, as its animation frames come. The user sees a late frame as a stutter.
import type { Page } from 'playwright';
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
