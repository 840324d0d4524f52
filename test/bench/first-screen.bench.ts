// Goal 10 of docs/performance.md: the JavaScript of the first screen, in a real Chromium with an empty cache.
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Response } from 'playwright';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';
import { forecastOf, withScreens } from './screen-host.ts';

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ host }) => {
    const kilobytes = async () => (await scriptBytes(await host.newContext(), host.origin)) / 1024;
    const seen = await repeat(extent, { warmUps: 0, whole: 3 }, kilobytes);
    const note = `${median(seen).toFixed(0)} KB`;
    say(note);
    return [
      assessFigures({ goal: '10', what: 'first screen, JavaScript, gzipped', most: 220, unit: 'KB', note }, seen),
    ];
  });
}

/** Set by the page when its data is shown, because a query from outside is some hundred milliseconds late. */
const standsMark = 'the forecast stands';
const markWhenItStands = (name: string) => {
  const looking = new MutationObserver(() => {
    if (!document.querySelector('[role="slider"][aria-label="Forecast points"]')) return;
    looking.disconnect();
    performance.mark(name);
  });
  looking.observe(document, { childList: true, subtree: true });
};

/** Of what is fetched until the first screen shows its data; what loads later is not of it. */
async function scriptBytes(context: BrowserContext, origin: string): Promise<number> {
  await context.addInitScript(markWhenItStands, standsMark);
  const page = await context.newPage();
  const scripts = new Map<string, Promise<Buffer>>();
  const count = (response: Response) => {
    if (response.request().resourceType() === 'script' && response.ok()) scripts.set(response.url(), response.body());
  };
  page.on('response', count);
  await page.goto(`${origin}/`);
  await forecastOf(page).waitFor();
  page.off('response', count);
  const fetched = await page.evaluate((name) => {
    const until = performance.getEntriesByName(name)[0]?.startTime ?? Infinity;
    const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < until);
    return files.map((file) => file.name);
  }, standsMark);
  const bodies = await Promise.all(fetched.flatMap((url) => scripts.get(url) ?? []));
  await context.close();
  return bodies.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
}
