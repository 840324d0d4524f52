// Goal 15 of docs/performance.md: opening the worst body of a corpus that is built to freeze a viewer, and comparing
// two large ones, in a real Chromium over the headless host: how long until the body is shown and the page answers again.
import type { Page } from 'playwright';
import { hostileBodies } from '#test/renderer/callbacks/hostile-bodies.ts';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';
import { clickUntilPainted, openForecast, withScreens } from './screen-host.ts';

type Opened = { name: string; interactiveMs: number };
type Bodies = Readonly<Record<string, (typeof bodies)['ordinary']>>;

export async function bench({ extent, say, screens }: BenchOptions): Promise<BenchRow[]> {
  return withScreens(screens, async ({ host }) => {
    const page = await openForecast(host);
    await page.getByRole('navigation').getByText('Callbacks', { exact: true }).click();
    const all: Bodies = bodies;
    const opened = extent === 'trial' ? { 'deep-5000': all['deep-5000']!, ordinary: bodies.ordinary } : all;
    await receiveAll(page, opened, extent === 'trial' ? 100 : 13_000);
    return rowsOf(await repeat(extent, { whole: 7 }, () => openAll(page, opened)), say);
  });
}

const headers = { 'content-type': 'application/json' };
const bodies = {
  ...hostileBodies(),
  ordinary: { headers, bytes: Buffer.from('{"id":"precipitation_1"}'), shows: '"precipitation_1"' },
};

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
  const compared = [before, after].map((value) => ({ headers, bytes: Buffer.from(JSON.stringify(value)) }));
  // In order, so that the two to compare are the newest.
  for (const [name, body] of [...Object.entries(sent), ...compared.map((one) => ['compared', one] as const)]) {
    const init = { method: 'POST', headers: body.headers, body: new Uint8Array(body.bytes) };
    const answer = await fetch(`${receiver}/hooks/${name}`, init);
    if (!answer.ok) throw new Error(`The receiver answered ${answer.status} to ${name}.`);
  }
  await page.getByRole('option').filter({ hasText: '/hooks/compared' }).nth(1).waitFor();
}

async function openAll(page: Page, sent: Bodies): Promise<Opened[]> {
  const opened: Opened[] = [];
  const rowOf = (name: string) => page.getByRole('option').filter({ hasText: `/hooks/${name}` });
  const showsBody = (text: string) => page.getByRole('region', { name: 'Body', exact: true }).getByText(text).waitFor();
  const measure = async (name: string, ...wanted: Parameters<typeof clickUntilPainted>) => {
    opened.push({ name, interactiveMs: await clickUntilPainted(...wanted) });
    // What the page still does is not of the next body.
    await page.waitForTimeout(300);
  };
  const selectCompared = async () => {
    await page.getByRole('listbox').focus();
    for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
  };
  for (const [name, { shows }] of Object.entries(sent)) {
    await rowOf('ordinary').click();
    await showsBody('"precipitation_1"');
    if (name === 'ordinary') await rowOf('deep-5000').click();
    await measure(name, rowOf(name), 'section[aria-label=Callback]', patternOf(shows));
  }
  await selectCompared();
  // The page is at rest before the click, as before the others.
  await showsBody('"precipitation_0"');
  const compare = page.getByRole('toolbar', { name: 'Selected callbacks' }).getByRole('button', { name: 'Compare' });
  await measure('comparison of 1 MB and 1 MB', compare, '[role=dialog][aria-modal=true]', /lines differ/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await selectCompared();
  return opened;
}

/** The text is a part of what the section shows. */
function patternOf(shows: string | RegExp): RegExp {
  return typeof shows === 'string'
    ? new RegExp(shows.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    : new RegExp(shows.source.replaceAll('^', ''));
}

function rowsOf(rounds: readonly Opened[][], say: BenchOptions['say']): BenchRow[] {
  const names = rounds[0]?.map(({ name }) => name) ?? [];
  const middle = (name: string) =>
    median(rounds.flatMap((opened) => opened.filter((one) => one.name === name).map((one) => one.interactiveMs)));
  for (const name of names) say(`${name}: interactive after ${middle(name).toFixed(0)} ms`);
  const [worst = ''] = names.toSorted((one, other) => middle(other) - middle(one));
  const note = `${middle(worst).toFixed(0)} ms, ${worst}; an ordinary body ${middle('ordinary').toFixed(0)} ms`;
  const figures = rounds.map((opened) => Math.max(...opened.map(({ interactiveMs }) => interactiveMs)));
  const what = 'opening the worst body of a corpus, interactive';
  return [assessFigures({ goal: '15', what, most: 300, unit: 'ms', note }, figures)];
}
