// `npm run walk`: how calm each screen is at 1280 × 800 on a fresh sandbox, as a table: controls in view (all, and without the app's
// frame), the smallest text and how much of the text it is, layout shifts without input, and tasks that block the page. Then the
// screens in turn for MINUTES (the argument, 10 without), each with the pointer going over it.
import type { Page } from 'playwright';
import { forecastOf, openScreens } from './screen-host.ts';

const places = 'a=45.0703,7.6869&b=59.9127,10.7461';
/** By address, and a key press if the address is not enough. */
const screens: readonly [name: string, hash: string, key?: string][] = [
  ['Forecast', '#/forecast'],
  ['Forecast, table', '#/forecast?table=1'],
  ['Forecast, compare', `#/forecast?${places}`],
  ['Forecast, map', '#/forecast', 'm'],
  ...['monitors', 'callbacks', 'access', 'traffic', 'sandbox', 'connections', 'settings', 'help'].map(
    (name): [string, string] => [name.charAt(0).toUpperCase() + name.slice(1), `#/${name}`],
  ),
];

type Seen = { controls: number; ofFrame: number; smallest: number; share: number };
type Restless = { shifts: number; shifted: number; tasks: number; longTasks: number; longestMs: number };

/** Before the page's own scripts. */
function observe() {
  const restless: Restless = { shifts: 0, shifted: 0, tasks: 0, longTasks: 0, longestMs: 0 };
  Object.assign(globalThis, { restless });
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (hadRecentInput) return;
    restless.shifts += 1;
    restless.shifted += value;
  });
  watch('longtask', ({ duration }) => {
    restless.tasks += 1;
    if (duration > 100) restless.longTasks += 1;
    restless.longestMs = Math.max(restless.longestMs, duration);
  });
}

function look(): Seen {
  const isSeen = (box: DOMRect) =>
    box.width > 1 &&
    box.height > 1 &&
    box.right > 0 &&
    box.bottom > 0 &&
    box.left < innerWidth &&
    box.top < innerHeight;
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    isSeen(element.getBoundingClientRect());
  const wanted = 'button, a[href], input, select, textarea, summary, [role="slider"], [role="tab"], [tabindex="0"]';
  const controls = [...document.querySelectorAll(wanted)].filter((one) => isShown(one) && !one.closest('[inert]'));
  const ofFrame = controls.filter((one) => one.closest('main, [role="dialog"]') === null).length;
  const sizes = new Map<number, number>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const words = node.textContent?.trim() ?? '';
    if (words === '' || !node.parentElement || !isShown(node.parentElement)) continue;
    const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
    sizes.set(size, (sizes.get(size) ?? 0) + words.length);
  }
  const smallest = Math.min(...sizes.keys());
  const all = [...sizes.values()].reduce((sum, count) => sum + count, 0);
  return { controls: controls.length, ofFrame, smallest, share: (sizes.get(smallest) ?? 0) / all };
}

/** Waits until nothing was fetched or moved for a second: data and pictures are loaded then. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const length = () => page.evaluate(() => document.body.innerHTML.length);
  for (let [before, now] = [0, await length()]; before !== now; [before, now] = [now, await length()])
    await page.waitForTimeout(1000);
}

const restlessOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { restless: Restless }).restless);

/** Three seconds a screen, while the pointer goes from its left to its right. */
async function walkInTurn(page: Page, minutes: number): Promise<string> {
  let count = 0;
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; count += 1) {
    const [, hash = '', key] = screens[count % screens.length] ?? [];
    await page.keyboard.press('Escape');
    await page.evaluate((to) => void (location.hash = to), hash);
    if (key !== undefined) await page.keyboard.press(key);
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.move(100 + step * 40, 400 + step * 5);
      await page.waitForTimeout(100);
    }
  }
  const { shifts, shifted, tasks, longTasks, longestMs } = await restlessOf(page);
  return `${count} screens in ${minutes} min: ${shifts} shifts without input, sum ${shifted.toFixed(3)}; ${tasks} tasks over 50 ms, ${longTasks} over 100 ms, longest ${Math.round(longestMs)} ms`;
}

const { host, stop } = await openScreens();
try {
  console.log('| screen | controls (without frame) | smallest text | layout shifts, sum | tasks over 50 ms, longest |');
  console.log('|---|---|---|---|---|');
  for (const [name, hash, key] of screens) {
    const context = await host.newContext();
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.addInitScript(observe);
    await page.goto(host.origin + '/' + hash);
    if (key !== undefined) {
      await forecastOf(page).waitFor();
      await page.keyboard.press(key);
    }
    await settle(page);
    const { controls, ofFrame, smallest, share } = await page.evaluate(look);
    const { shifts, shifted, tasks, longestMs } = await restlessOf(page);
    console.log(
      `| ${name} | ${controls} (${controls - ofFrame}) | ${smallest} px, ${Math.round(share * 100)}% | ${shifts}, ${shifted.toFixed(3)} | ${tasks}, ${Math.round(longestMs)} ms |`,
    );
    await context.close();
  }
  const page = await (await host.newContext()).newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(observe);
  await page.goto(host.origin + '/#/forecast');
  await forecastOf(page).waitFor();
  console.log(await walkInTurn(page, Number(process.argv[2] ?? 10)));
} finally {
  await stop();
}
