// Goal 11 of docs/performance.md: the list of 100,000 callbacks in a real Chromium over the headless host, against the same with
// 1,000.
import type { Page } from 'playwright';
import { atMost, type BenchOptions, type BenchRow, assess, median, repeat } from './bench-row.ts';
import { clickUntilPainted, forecastOf, openForecast, type Screens, withScreens } from './screen-host.ts';

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const { screens } = options;
  const measure = async (many: Screens, few: Screens) => {
    const long = await openForecast(many.host);
    const short = few === many ? long : await openForecast(few.host);
    return [await renderLists(long, short, options)];
  };
  return withScreens(screens, (many) => withScreens(screens, (few) => measure(many, few), 1_000), 100_000);
}

async function renderLists(long: Page, short: Page, { extent }: BenchOptions): Promise<BenchRow> {
  // The first rounds load the screen itself.
  const seen = await repeat(extent, { warmUps: 2, quick: 3, whole: 15 }, async () => ({
    many: await render(long),
    few: await render(short),
  }));
  const middle = (name: 'many' | 'few') => median(seen.map((round) => round[name])).toFixed(0);
  return assess(
    {
      goal: '11',
      what: 'list of 100,000 callbacks, from click to paint',
      baseline: 'the same with 1,000',
      limit: atMost(1.8),
      note: `${middle('many')} ms and ${middle('few')} ms`,
    },
    seen.map(({ many, few }) => many / few),
  );
}

/** From the click until the list's rows have been painted. */
async function render(page: Page): Promise<number> {
  const link = (name: string) => page.getByRole('navigation').getByText(name, { exact: true });
  const milliseconds = await clickUntilPainted(link('Callbacks'), '[role=option]', /./);
  await link('Forecast').click();
  await forecastOf(page).waitFor();
  return milliseconds;
}
