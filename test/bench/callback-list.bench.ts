// Goals 11 and 12 of docs/performance.md, and the timeline's scrubber: the list of 100,000 callbacks in a real Chromium
// over the headless host, against the same with 1,000 and a plain React list; frames while 1,000 callbacks a second
// arrive, and while the scrubber is dragged.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { Browser, Locator, Page } from 'playwright';
import { launchBrowser } from '#test/setup/browser.ts';
import { atLeast, atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { callbackBody, fillCallbackStore } from './callback-store.ts';
import { buildEmptyApp } from './empty-apps.ts';
import { type Frames, formatFrames, recordFrames, traceFrames } from './frames.ts';
import { buildScreens, forecastOf, serveFolder, startScreenHost } from './screen-host.ts';

type Rendered = { milliseconds: number; nodes: number };

const many = 100_000;
const few = 1_000;

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-list-bench-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })];
  try {
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const openApp = async (stored: number) => {
      const data = join(folder, String(stored));
      mkdirSync(data);
      fillCallbackStore(join(data, 'app.sqlite'), stored);
      const host = await startScreenHost(browser, data);
      stops.push(() => host.stop());
      const page = await (await host.newContext()).newPage();
      await page.goto(`${host.origin}/`);
      await forecastOf(page).waitFor();
      return page;
    };
    const pages = { many: await openApp(many), few: await openApp(few) };
    const scrubbed = await scrub(browser, pages.many, options);
    const rendered = await renderLists(pages, options);
    const plain = await renderPlainLists(browser, stops, options);
    return [...listRows(rendered, plain), await arrivals(pages.many, options), scrubbed];
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

const screenLink = (page: Page, name: string) => page.getByRole('navigation').getByText(name, { exact: true });

async function renderLists({ many: long, few: short }: Record<'many' | 'few', Page>, { isQuick }: BenchOptions) {
  const seen = { many: [] as Rendered[], few: [] as Rendered[] };
  // The first rounds load the screen itself.
  for (let round = -2; round < (isQuick ? 3 : 15); round += 1) {
    for (const [name, page] of [
      ['many', long],
      ['few', short],
    ] as const) {
      const rendered = await render(screenLink(page, 'Callbacks'));
      await screenLink(page, 'Forecast').click();
      await forecastOf(page).waitFor();
      if (round >= 0) seen[name].push(rendered);
    }
  }
  return seen;
}

async function renderPlainLists(browser: Browser, stops: (() => unknown)[], { isQuick }: BenchOptions) {
  const { built, folder } = await buildEmptyApp('list');
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const { origin, stop } = await serveFolder(built);
  stops.push(stop);
  const rows = isQuick ? many / 5 : many;
  const seen: Rendered[] = [];
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${origin}/?rows=${rows}`);
    seen.push(await render(page.getByRole('button', { name: 'Callbacks' })));
    await context.close();
  }
  return { rows, seen };
}

/** From the click until the list's rows have been painted. */
function render(opener: Locator): Promise<Rendered> {
  return opener.evaluate(async (element: HTMLElement) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const began = performance.now();
    element.click();
    while (document.querySelector('[role=option]') === null) await frame();
    await frame();
    // After a paint, tasks run again.
    await new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.addEventListener('message', resolve);
      channel.port1.start();
      channel.port2.postMessage(null);
    });
    const milliseconds = performance.now() - began;
    return { milliseconds, nodes: document.querySelectorAll('[role=listbox] *').length };
  });
}

const middle = (of: readonly Rendered[], field: keyof Rendered) => median(of.map((one) => one[field]));

function listRows(
  { many: long, few: short }: Record<'many' | 'few', Rendered[]>,
  plain: { rows: number; seen: Rendered[] },
): BenchRow[] {
  const ms = (of: readonly Rendered[]) => `${middle(of, 'milliseconds').toFixed(0)} ms`;
  const nodes = middle(long, 'nodes');
  const what = 'list of 100,000 callbacks';
  return [
    assess(
      {
        goal: '11',
        what: `${what}, from click to paint`,
        baseline: 'the same with 1,000',
        limit: atMost(1.8),
        note: `${ms(long)} and ${ms(short)}`,
      },
      long.map(({ milliseconds }, round) => milliseconds / (short[round]?.milliseconds ?? Number.NaN)),
    ),
    assess(
      {
        goal: '11',
        what: `${what}, from click to paint`,
        baseline: `a plain React list of ${plain.rows.toLocaleString('en')}`,
        limit: atLeast(30),
        note: `${ms(long)} and ${ms(plain.seen)}, ${middle(plain.seen, 'nodes')} elements`,
      },
      plain.seen.map(({ milliseconds }) => milliseconds / middle(long, 'milliseconds')),
    ),
    {
      ...assess({ goal: '11', what: `${what}, DOM elements`, baseline: '300', limit: atMost(1), note: `${nodes}` }, [
        nodes / 300,
      ]),
      goalText: '≤ 300',
    },
  ];
}

/** Goal 12: rows arrive while the list is at its top. */
async function arrivals(page: Page, { isQuick, say }: BenchOptions): Promise<BenchRow> {
  await screenLink(page, 'Callbacks').click();
  const words = (await page.getByText('Listening on').textContent()) ?? '';
  const receiver = /http:\/\/[\d.:]+/.exec(words)?.[0];
  if (receiver === undefined) throw new Error(`The screen does not say where it receives: ${words}`);
  const load = { url: `${receiver}/hooks/bench`, method: 'POST', body: callbackBody, connections: 10 } as const;
  const rest = () => page.waitForTimeout(isQuick ? 1_000 : 2_000);
  const receive = (seconds = 4) => autocannon({ ...load, overallRate: 1_000, duration: seconds });
  const shown = async () =>
    Number(/^[\d,]+/.exec((await page.getByRole('listbox').getAttribute('aria-label')) ?? '')?.[0].replaceAll(',', ''));
  const before = await shown();
  const warmUpSeconds = isQuick ? 2 : 4;
  await receive(warmUpSeconds);
  if ((await shown()) - before < warmUpSeconds * 750) throw new Error('The list does not show what arrives.');
  const seen: { busy: Frames; idle: Frames }[] = [];
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    seen.push({ idle: await recordFrames(page, rest), busy: await recordFrames(page, receive) });
  }
  const [first] = seen;
  const note = first ? `${formatFrames(first.busy)}; at rest ${formatFrames(first.idle)}` : '';
  say(`1,000 rows/s: ${note}`);
  const row = {
    goal: '12',
    what: '1,000 rows/s added to the list for 4 s, longest frame',
    baseline: '25 ms',
    limit: atMost(1),
    note,
  };
  return {
    ...assess(
      row,
      seen.map(({ busy }) => busy.longestMs / 25),
    ),
    goalText: 'none over 25 ms',
  };
}

/** The scrubber follows the pointer over the timeline at 60 frames/s, by the browser's tracing. */
async function scrub(browser: Browser, page: Page, { isQuick, say }: BenchOptions): Promise<BenchRow> {
  const box = await forecastOf(page).boundingBox();
  if (!box) throw new Error('The timeline is not on the page.');
  const [left, y] = [box.x + 20, box.y + box.height / 2];
  const drag = async () => {
    await page.mouse.move(left, y);
    await page.mouse.down();
    for (let step = 0; step <= (isQuick ? 1 : sweeps) * points; step += 1) {
      const place = step % points;
      const isBack = Math.floor(step / points) % 2 === 1;
      await page.mouse.move(left + ((box.width - 40) * (isBack ? points - place : place)) / points, y);
    }
    await page.mouse.up();
  };
  await drag();
  const place = await forecastOf(page).getAttribute('aria-valuenow');
  if (Number(place) < 60) throw new Error(`The scrubber stands at point ${place} at the end of the timeline.`);
  const seen: Frames[] = [];
  for (let round = 0; round < (isQuick ? 1 : 5); round += 1) seen.push(await traceFrames(browser, page, drag));
  const note = seen.map(formatFrames)[0] ?? '';
  say(`scrubbing: ${note}`);
  const row = {
    goal: '11',
    what: 'scrubbing the timeline, frames drawn per second',
    baseline: '60 frames/s',
    limit: atLeast(0.95),
    note,
  };
  return assess(
    row,
    seen.map(({ perSecond }) => perSecond / 60),
  );
}

/** The browser takes one move a frame and draws a frame only where something changed: so each leads to another point. */
const points = 72;
/** Odd, so that the scrubber ends at the end. */
const sweeps = 3;
