// The layout of every screen from the smallest to a wide window: nothing overlaps, nothing is cut off, nothing leaves the window.
import { describe, expect, it, onTestFinished } from 'vitest';
import { minWindow } from '#electron/screens/window-place.ts';
import { features } from '#renderer/app/app-store.ts';
import type { Screen } from '#renderer/store/app-state.ts';
import { openScreens } from '../screen-harness.ts';
import { layoutProblems } from '../layout-problems.ts';
import type { Page } from 'playwright';
import { colorRules, inOtherTheme } from '#test/setup/accessibility.ts';
import { accessibilityOpenQuestions } from './explained-findings.ts';

/** The last one is Electron's smallest window. */
const sizes = [
  [2560, 1440],
  [1920, 1080],
  [1600, 900],
  [1440, 900],
  [1280, 800],
  [1024, 700],
  [800, 600],
  [640, 800],
  [minWindow.width, minWindow.height],
] as const;

const monitors = ['1048', '1049', '1050'].map((id, index) => ({
  id: `precipitation_${id}`,
  monitor_type: 'precipitation',
  geo: { type: 'Point', coordinates: [7.6869 + index, 45.0703 - index] },
  callback_uri: `https://callbacks.operations.example.net/hooks/precipitation/${id}`,
}));

async function openFilledScreens(settings: Record<string, unknown> = {}) {
  const opened = await openScreens({
    settings,
    routes: { 'GET /v2/monitors/': () => ({ body: { objects: monitors, meta: {} } }) },
  });
  const { page, receiverUrl } = opened;
  const base = await receiverUrl();
  for (const path of ['first', `long/${'path/'.repeat(30)}`, 'third'])
    await fetch(`${base}/hooks/${path}`, {
      method: 'POST',
      body: path === 'first' ? JSON.stringify(monitors[0]) : '{}',
    });
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
  await page.getByRole('slider').waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return opened;
}

/** The rules of axe by the window's size, all of them at one: the width changes only what overlaps, scrolls, and is covered. */
const rulesAt: Readonly<Record<string, readonly string[]>> = {
  '640x800': ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  '1024x700': ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  '1440x900': [],
};

async function goTo(page: Page, screen: Screen) {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate((hash) => void (location.hash = hash), `#/${screen}`);
  const title = page.locator('h1').filter({ hasText: new RegExp(`^\\s*${screen}`, 'i') });
  await title.waitFor({ state: 'attached' });
  if (screen === 'callbacks' || screen === 'traffic') await page.getByRole('option').first().click();
  if (screen === 'monitors')
    await page.getByRole('button', { name: 'precipitation_1048', exact: true }).first().click();
}

/** Two frames: one for what measures itself, one for what it changes. */
async function resize(page: Page, [width, height]: readonly [number, number]) {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A window of 1280 × 800 whose page is zoomed to 200%: half as many CSS pixels, each of two by two. Returns what ends it. */
async function zoomTo200(page: Page): Promise<() => Promise<void>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setDeviceMetricsOverride', {
    width: 640,
    height: 400,
    deviceScaleFactor: 2,
    mobile: false,
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return async () => {
    await devTools.send('Emulation.clearDeviceMetricsOverride');
    await devTools.detach();
  };
}

/** What axe finds in the light, and of colors in the dark, which changes nothing else. */
async function findingsInBothThemes(page: Page, rules: readonly string[]): Promise<string[]> {
  const light = await accessibilityOpenQuestions(page, rules);
  const dark = await inOtherTheme(page, () => accessibilityOpenQuestions(page, colorRules));
  return Object.entries({ light, dark }).flatMap(([theme, open]) => open.map((finding) => `${theme}: ${finding}`));
}

describe('every screen', () => {
  it('is laid out soundly in every window, and passes axe at three sizes in both themes, with nothing undecided', async () => {
    const { page } = await openFilledScreens({ theme: 'light' });
    const found: Record<string, readonly string[]> = {};
    for (const screen of features.flatMap((feature) => feature.screen?.name ?? [])) {
      await goTo(page, screen);
      for (const size of sizes) {
        await resize(page, size);
        const name = size.join('x');
        const rules = rulesAt[name];
        const findings = rules ? await findingsInBothThemes(page, rules) : [];
        const problems = [...(await layoutProblems(page)), ...findings];
        if (problems.length > 0) found[`${screen} at ${name}`] = problems;
      }
      const endZoom = await zoomTo200(page);
      expect(await page.evaluate(() => [devicePixelRatio, innerWidth, innerHeight])).toEqual([2, 640, 400]);
      const problems = await layoutProblems(page);
      if (problems.length > 0) found[`${screen} at 1280x800, zoomed to 200%`] = problems;
      await endZoom();
    }
    expect(found).toEqual({});

    // The split pane is resized by keys and by mouse, remembers its size, and goes back with a double click.
    await goTo(page, 'callbacks');
    const handle = page.getByRole('separator', { name: 'Callback pane size' });
    const share = async () => Number(await handle.getAttribute('aria-valuenow'));
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    expect(await share()).toBe(43);
    const box = await handle.boundingBox();
    if (!box) throw new Error('The handle is not shown.');
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 200);
    await page.mouse.up();
    const dragged = await share();
    expect(dragged).toBeLessThan(43);
    await goTo(page, 'traffic');
    await goTo(page, 'callbacks');
    expect(await share()).toBe(dragged);
    await handle.dblclick();
    expect(await share()).toBe(45);
  });
});
