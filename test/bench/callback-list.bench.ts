// Goal 11 of docs/performance.md: the list of 100,000 callbacks in a real Chromium over the headless host, against the same with
// 1,000.
import type { Locator, Page } from 'playwright';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { forecastOf, type Screens, withScreens } from './screen-host.ts';

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const { screens } = options;
  const measure = async (many: Screens, few: Screens) => {
    const long = await openApp(many);
    const short = few === many ? long : await openApp(few);
    return [await renderLists({ many: long, few: short }, options)];
  };
  return withScreens(screens, (many) => withScreens(screens, (few) => measure(many, few), 1_000), 100_000);
}

async function openApp({ host }: Screens): Promise<Page> {
  const page = await (await host.newContext()).newPage();
  await page.goto(`${host.origin}/`);
  await forecastOf(page).waitFor();
  return page;
}

const screenLink = (page: Page, name: string) => page.getByRole('navigation').getByText(name, { exact: true });

async function renderLists(
  { many: long, few: short }: Record<'many' | 'few', Page>,
  { extent }: BenchOptions,
): Promise<BenchRow> {
  const seen = { many: [] as number[], few: [] as number[] };
  // The first rounds load the screen itself.
  const [first, rounds] = { trial: [0, 1], quick: [-2, 3], whole: [-2, 15] }[extent] as [number, number];
  for (let round = first; round < rounds; round += 1) {
    for (const [name, page] of [
      ['many', long],
      ['few', short],
    ] as const) {
      const milliseconds = await render(screenLink(page, 'Callbacks'));
      await screenLink(page, 'Forecast').click();
      await forecastOf(page).waitFor();
      if (round >= 0) seen[name].push(milliseconds);
    }
  }
  return assess(
    {
      goal: '11',
      what: 'list of 100,000 callbacks, from click to paint',
      baseline: 'the same with 1,000',
      limit: atMost(1.8),
      note: `${median(seen.many).toFixed(0)} ms and ${median(seen.few).toFixed(0)} ms`,
    },
    seen.many.map((milliseconds, round) => milliseconds / (seen.few[round] ?? Number.NaN)),
  );
}

/** From the click until the list's rows have been painted. */
function render(opener: Locator): Promise<number> {
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
    return performance.now() - began;
  });
}
