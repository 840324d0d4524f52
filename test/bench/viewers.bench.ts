// Goal 15 of docs/performance.md: opening the worst body of a corpus that is built to freeze a viewer, and comparing
// two large ones, in a real Chromium over the headless host: how long until the body is shown and the page answers again.
import type { Page } from 'playwright';
import { hostileBodies } from '#test/renderer/callbacks/hostile-bodies.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { forecastOf, withScreens } from './screen-host.ts';

type Opened = { name: string; interactiveMs: number };
type Bodies = Readonly<Record<string, (typeof bodies)['ordinary']>>;

const goalMs = 300;

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ host }) => {
    const page = await (await host.newContext()).newPage();
    await page.goto(`${host.origin}/`);
    await forecastOf(page).waitFor();
    await page.getByRole('navigation').getByText('Callbacks', { exact: true }).click();
    const all: Bodies = bodies;
    const opened = extent === 'trial' ? { 'deep-5000': all['deep-5000']!, ordinary: bodies.ordinary } : all;
    await receiveAll(page, opened, extent === 'trial' ? 100 : 13_000);
    const rounds: Opened[][] = [];
    // The first round loads the viewers themselves.
    for (let round = extent === 'trial' ? 0 : -1; round < (extent === 'whole' ? 7 : 1); round += 1) {
      const seen = await openAll(page, opened);
      if (round >= 0) rounds.push(seen);
    }
    return rowsOf(rounds, say);
  });
}

const bodies = { ...hostileBodies(), ordinary: ordinaryBody() };
const comparison = 'comparison of 1 MB and 1 MB';

function ordinaryBody() {
  const headers = { 'content-type': 'application/json' };
  return { headers, bytes: Buffer.from('{"id":"precipitation_1"}'), shows: '"precipitation_1"' };
}

/** `items`: of each of the two to compare. */
async function receiveAll(page: Page, sent: Bodies, items: number): Promise<void> {
  const words = (await page.getByText('Listening on').textContent()) ?? '';
  const receiver = /http:\/\/[\d.:]+/.exec(words)?.[0];
  if (receiver === undefined) throw new Error(`The screen does not say where it receives: ${words}`);
  const before = Array.from({ length: items }, (_, index) => ({
    id: `precipitation_${index}`,
    at: 1_763_000_000 + index,
    text: 'rain',
  }));
  const after = before.map((item, index) => (index % 3 === 0 ? { ...item, at: 0 } : item));
  const compared = [before, after].map((value) => ({
    headers: bodies.ordinary.headers,
    bytes: Buffer.from(JSON.stringify(value)),
  }));
  // In order, so that the two to compare are the newest.
  for (const [name, { headers, bytes }] of [
    ...Object.entries(sent),
    ...compared.map((one) => ['compared', one] as const),
  ]) {
    const answer = await fetch(`${receiver}/hooks/${name}`, { method: 'POST', headers, body: new Uint8Array(bytes) });
    if (!answer.ok) throw new Error(`The receiver answered ${answer.status} to ${name}.`);
  }
  await page.getByRole('option').filter({ hasText: '/hooks/compared' }).nth(1).waitFor();
}

async function openAll(page: Page, sent: Bodies): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const [name, { shows }] of Object.entries(sent)) {
    await page.getByRole('option').filter({ hasText: '/hooks/ordinary' }).click();
    await page.getByRole('region', { name: 'Body', exact: true }).getByText('"precipitation_1"').waitFor();
    const row = page.getByRole('option').filter({ hasText: `/hooks/${name}` });
    if (name === 'ordinary') await page.getByRole('option').filter({ hasText: '/hooks/deep-5000' }).click();
    const id = (await row.getAttribute('id')) ?? '';
    opened.push({
      name,
      interactiveMs: await measure(page, { clicked: `#${id}`, shows, within: 'section[aria-label=Callback]' }),
    });
  }
  await page.getByRole('listbox').focus();
  for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
  // The page is at rest before the click, as before the others.
  await page.getByRole('region', { name: 'Body', exact: true }).getByText('"precipitation_0"').waitFor();
  const button = {
    clicked: 'role=toolbar[name="Selected callbacks"] >> role=button[name="Compare"]',
    shows: /lines differ/,
    within: '[role=dialog][aria-modal=true]',
  };
  opened.push({ name: comparison, interactiveMs: await measure(page, button) });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('listbox').focus();
  for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
  return opened;
}

type Wanted = { clicked: string; shows: string | RegExp; within: string };

async function measure(page: Page, wanted: Wanted): Promise<number> {
  const interactiveMs = await clickUntilShown(page, wanted);
  // What the page still does is not of the next body.
  await page.waitForTimeout(300);
  return interactiveMs;
}

/** From a click until the text is shown, has been painted, and the page's next task has run. */
async function clickUntilShown(page: Page, { clicked, shows, within }: Wanted): Promise<number> {
  const text = typeof shows === 'string' ? shows : shows.source.replaceAll('^', '');
  return page.locator(clicked).evaluate(
    async (element: HTMLElement, [pattern, place, isPlain]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const expression = new RegExp(isPlain ? pattern.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : pattern);
      const began = performance.now();
      element.click();
      while (!expression.test(document.querySelector(place)?.textContent ?? '')) {
        if (performance.now() - began > 60_000) throw new Error(`${pattern} is not shown after a minute.`);
        await frame();
      }
      await frame();
      await new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.addEventListener('message', resolve);
        channel.port1.start();
        channel.port2.postMessage(null);
      });
      return performance.now() - began;
    },
    [text, within, typeof shows === 'string'] as const,
  );
}

function rowsOf(rounds: readonly Opened[][], say: BenchOptions['say']): BenchRow[] {
  const names = rounds[0]?.map(({ name }) => name) ?? [];
  const middle = (name: string) =>
    median(rounds.flatMap((opened) => opened.filter((one) => one.name === name).map((one) => one.interactiveMs)));
  for (const name of names) say(`${name}: interactive after ${middle(name).toFixed(0)} ms`);
  const [worst = ''] = names.toSorted((one, other) => middle(other) - middle(one));
  const row = {
    goal: '15',
    what: 'opening the worst body of a corpus, interactive',
    baseline: `${goalMs} ms`,
    limit: atMost(1),
    note: `${middle(worst).toFixed(0)} ms, ${worst}; an ordinary body ${middle('ordinary').toFixed(0)} ms`,
  };
  const ratios = rounds.map((opened) => Math.max(...opened.map(({ interactiveMs }) => interactiveMs)) / goalMs);
  return [{ ...assess(row, ratios), goalText: `≤ ${goalMs} ms` }];
}
