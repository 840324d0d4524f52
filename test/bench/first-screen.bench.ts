// Goal 10 of docs/performance.md: the JavaScript of the first screen, and how soon something is painted, in a real
// Chromium with an empty cache, against an empty React app.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Response } from 'playwright';
import { launchBrowser } from '#test/setup/browser.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { buildEmptyApp } from './empty-apps.ts';
import { buildScreens, forecastOf, serveFolder, startScreenHost } from './screen-host.ts';

type Opening = { scriptBytes: number; paintedMs: number };
type Name = 'ours' | 'react';

const goalKilobytes = 220;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const folders = [mkdtempSync(join(tmpdir(), 'rainbell-screen-bench-'))];
  const stops: (() => unknown)[] = [];
  try {
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const host = await startScreenHost(browser, folders[0] ?? '');
    stops.push(() => host.stop());
    const openers = new Map<Name, () => Promise<Opening>>();
    openers.set('ours', async () => open(await host.newContext(), host.origin, true));
    const { built, folder } = await buildEmptyApp();
    folders.push(folder);
    const { origin, stop } = await serveFolder(built);
    stops.push(stop);
    openers.set('react', async () => open(await emptyContext(browser), origin, false));
    const seen: Record<Name, Opening[]> = { ours: [], react: [] };
    const rounds = { trial: 1, quick: 3, whole: 9 }[extent];
    for (let round = extent === 'trial' ? 0 : -1; round < rounds; round += 1) {
      for (const [name, opener] of openers) {
        const opening = await opener();
        if (round >= 0) seen[name].push(opening);
      }
    }
    for (const name of openers.keys())
      say(`${name}: ${kilobytes(seen[name])}, painted after ${milliseconds(seen[name])}`);
    return rowsOf(seen);
  } finally {
    for (const stop of stops.toReversed()) await stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function emptyContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1280, height: 900 } });
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

/** What is fetched until the first screen shows its data; what loads later is not of it. */
async function open(context: BrowserContext, origin: string, isOurs: boolean): Promise<Opening> {
  await context.addInitScript(markWhenItStands, standsMark);
  const page = await context.newPage();
  const scripts = new Map<string, Promise<Buffer>>();
  const count = (response: Response) => {
    if (response.request().resourceType() === 'script' && response.ok()) scripts.set(response.url(), response.body());
  };
  page.on('response', count);
  await page.goto(`${origin}/`);
  if (isOurs) await forecastOf(page).waitFor({ timeout: 30_000 });
  page.off('response', count);
  const fetched = await page.evaluate((name) => {
    const until = performance.getEntriesByName(name)[0]?.startTime ?? Infinity;
    const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < until);
    return files.map((file) => file.name);
  }, standsMark);
  const paintedMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0];
          if (paint) resolve(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  const bodies = await Promise.all(fetched.flatMap((url) => scripts.get(url) ?? []));
  const sizes = bodies.map((script) => gzipSync(script, { level: 9 }).length);
  await context.close();
  return { scriptBytes: sizes.reduce((sum, size) => sum + size, 0), paintedMs };
}

const of = (openings: readonly Opening[], field: keyof Opening) => median(openings.map((opening) => opening[field]));
const kilobytes = (openings: readonly Opening[]) => `${(of(openings, 'scriptBytes') / 1024).toFixed(0)} KB`;
const milliseconds = (openings: readonly Opening[]) => `${of(openings, 'paintedMs').toFixed(0)} ms`;

function rowsOf({ ours, react }: Record<Name, Opening[]>): BenchRow[] {
  const script = {
    goal: '10',
    what: 'first screen, JavaScript, gzipped',
    baseline: `${goalKilobytes} KB`,
    limit: atMost(1),
  };
  const paint = { goal: '10', what: 'first screen, first paint', baseline: 'an empty React app', limit: atMost(2.5) };
  return [
    {
      ...assess(
        { ...script, note: kilobytes(ours) },
        ours.map(({ scriptBytes }) => scriptBytes / 1024 / goalKilobytes),
      ),
      goalText: `≤ ${goalKilobytes} KB`,
    },
    assess(
      { ...paint, note: `${milliseconds(ours)} and ${milliseconds(react)}` },
      ours.map(({ paintedMs }, round) => paintedMs / (react[round]?.paintedMs ?? Number.NaN)),
    ),
  ];
}
