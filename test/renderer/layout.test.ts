// The layout of every screen from the smallest to a wide window: nothing overlaps, nothing is cut off, nothing leaves the window.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Screen, screens } from '#renderer/store/screens.ts';
import { openScreens } from './screen-harness.ts';
import { layoutProblems } from './layout-problems.ts';
import type { Page } from 'playwright';
import { accessibilityFindings } from '#test/setup/accessibility.ts';

// A browser on a busy machine is slow.
vi.setConfig({ testTimeout: 120_000 });

/** The last one is 1280 × 800 at 200 % zoom, and Electron's smallest window. */
const sizes = [
  [2560, 1440],
  [1920, 1080],
  [1600, 900],
  [1440, 900],
  [1280, 800],
  [1024, 700],
  [800, 600],
  [640, 800],
  [640, 400],
] as const;

/** What axe cannot judge lies here; on everything else it has to decide. */
const places = {
  'the chart': 'section[aria-labelledby="rb-timeline-title"]',
  'the now strip': 'section[aria-label="Weather now"]',
  'the JSON': 'section[aria-label="Request and response"]',
};

/** What axe cannot decide, and why it is right. */
const explained: readonly { finding: RegExp; because: string }[] = [
  {
    finding: /^color-contrast (?:in the chart )?at <label class="_choice_.* due to a pseudo element$/,
    because:
      'The raised ground of the chosen one is a pseudo element. Words and grounds are tokens (design-tokens.test.ts).',
  },
  {
    finding: /^color-contrast in the (?:chart|now strip) at [\s\S]*element contains an image node$/,
    because:
      'The chart is one SVG, which axe takes for a picture. Words and grounds are tokens (design-tokens.test.ts).',
  },
  {
    finding: /^color-contrast in the chart at [\s\S]*overlap(?:ped by another element|s other elements)$/,
    because:
      'The slider lies over the chart and is transparent, the bubble has a ground of its own. Words and grounds are tokens.',
  },
  {
    finding: /^color-contrast in the chart at [\s\S]*(?:too short to determine|only non-text characters)/,
    because: 'Ticks of an axis and arrows of sunrise and sunset, in the colors of longer words.',
  },
  {
    finding: /^color-contrast in the JSON at <span class="_key_[\s\S]*partially obscured by another element$/,
    because: 'A row of the JSON at the edge of its scrolling frame.',
  },
  {
    finding: /^color-contrast in the JSON at <button class="[^"]*_fold_[\s\S]*only non-text characters$/,
    because: 'The triangle of a fold, in the color of the line numbers beside it.',
  },
  {
    finding: /^color-contrast at <kbd .* only non-text characters$/,
    because: 'Arrows of the keyboard, in the colors of the other keys.',
  },
  {
    finding:
      /^color-contrast (?:at <span class="_count_|in the JSON at <span class="_number_).* too short to determine/,
    because: 'A number of one digit, in the colors of longer ones.',
  },
  {
    finding: /^color-contrast at <span class="_(?:verdict|number)_.* overlapped by another element$/,
    because: 'The box of a shortened text before it reaches over it; nothing of that box is drawn.',
  },
  {
    finding: /^color-contrast at <span class="_run_.*Axe encountered an error/,
    because: 'The viewer drew its rows again meanwhile. Colors of JSON are tokens (design-tokens.test.ts).',
  },
];

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

const colors = ['color-contrast'];
const layout = ['target-size', 'scrollable-region-focusable'];
type Look = readonly [size: readonly [number, number], rules: readonly string[]];
const looks: Readonly<Record<'light' | 'dark', readonly Look[]>> = {
  light: [
    [[640, 800], layout],
    [[1024, 700], layout],
    [[1440, 900], []],
  ],
  dark: [
    [[640, 800], colors],
    [[1024, 700], layout],
    [[1440, 900], colors],
  ],
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

describe('every screen', () => {
  it('is laid out soundly in every window', async () => {
    const { page } = await openFilledScreens();
    const found: Record<string, readonly string[]> = {};
    for (const screen of screens) {
      await goTo(page, screen);
      for (const size of sizes) {
        await resize(page, size);
        const problems = await layoutProblems(page);
        if (problems.length > 0) found[`${screen} at ${size.join('x')}`] = problems;
      }
    }
    expect(found).toEqual({});
  });

  // All rules once; the dark theme changes only colors, the width also what overlaps and scrolls.
  it.each(['light', 'dark'] as const)('passes axe in the %s at three widths, with nothing undecided', async (theme) => {
    const { page } = await openFilledScreens({ theme });
    const found: Record<string, readonly string[]> = {};
    for (const screen of screens) {
      await goTo(page, screen);
      for (const [size, rules] of looks[theme]) {
        await resize(page, size);
        const { violations, undecided } = await accessibilityFindings(page, rules, places);
        const open = undecided.filter((finding) => !explained.some(({ finding: known }) => known.test(finding)));
        if (violations.length + open.length > 0) found[`${screen} at ${size.join('x')}`] = [...violations, ...open];
      }
    }
    expect(found).toEqual({});
  });
});

describe('the split pane', () => {
  it('is resized by keys and by mouse, remembers its size, and goes back with a double click', async () => {
    const { page } = await openFilledScreens();
    await goTo(page, 'callbacks');
    const handle = page.getByRole('separator', { name: 'Size of the callback' });
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
