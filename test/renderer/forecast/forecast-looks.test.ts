// Odd data, odd names, and failures of the forecast, laid out soundly from the smallest window to a wide one, and at 150% zoom. Days of
// other lengths, gaps, and failures without data are in expectations.test.ts and forecast-states.test.ts.
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { layoutProblems } from '../layout-problems.ts';
import { openScreens } from '../screen-harness.ts';
import { type BodyOptions, weatherBody } from '../weather-bodies.ts';

/** The usual, the narrowest, and 1280 × 800 at 150% zoom. */
const sizes = [
  [1280, 800],
  [640, 800],
  [853, 533],
] as const;

const turin = { name: 'Turin', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: 870_456 };
const longName = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
const names = ['渋谷区（東京都）', 'בְּאֵר שֶׁבַע', 'مكة المكرمة (Mecca) 2', 'Каменск-Уральский', longName.slice(0, 40)];
const namedPlaces = names.map((name, index) => ({
  ...turin,
  name,
  region: index === 2 ? 'منطقة مكة' : name,
  lat: 45 + index,
}));

type Look = {
  weather?: Partial<BodyOptions>;
  /** The response to the first fetch, or to one after it. */
  first?: (good: Answer) => Answer;
  later?: (good: Answer) => Answer;
  settings?: Record<string, unknown>;
  name?: string;
  /** The text to wait for. */
  shown?: RegExp;
};

const failed = /Couldn’t fetch the forecast/;

const looks: Readonly<Record<string, Look>> = {
  ordinary: {},
  'sparse points': { weather: { count: 13, stepMs: 6 * 3_600_000 } },
  deviations: {
    weather: {
      statuses: ['raining cats and dogs', 'rainy', 'snowy'],
      change: (point, index) => (index % 9 === 4 ? { ...point, sun_altitude: '20.5', icon: 7 } : point),
    },
  },
  '503 over data': {
    later: () => ({
      status: 503,
      body: {
        error: 'temporarily_unavailable',
        error_description: 'The weather provider returned nothing for this place; try again in a few minutes.',
      },
    }),
    shown: failed,
  },
  'half a body without data': {
    first: ({ body }) => ({
      body: JSON.stringify(body).slice(0, 20_000),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
    shown: failed,
  },
  'clock ahead': {
    later: (good) => ({ ...good, headers: { date: new Date(Date.now() + 5 * 3_600_000).toUTCString() } }),
    shown: /The service’s clock is 5 h ahead/,
  },
  'long name': { name: longName.slice(0, 40) },
  'US units, 12 hours': {
    settings: {
      temperatureUnit: '°F',
      precipitationUnit: 'in',
      windUnit: 'mph',
      pressureUnit: 'inHg',
      clockFormat: '12',
    },
  },
};

async function settle(page: Page): Promise<void> {
  // What measures itself, what that changes, and the same once more for what a banner moves.
  for (let frame = 0; frame < 4; frame += 1)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
}

async function show(look: Look): Promise<Page> {
  const { weather = {}, first, later, settings = {}, name, shown } = look;
  const place = name === undefined ? turin : { ...turin, name, region: name };
  const savedPlaces = name === undefined ? [turin] : [place, turin, ...namedPlaces];
  const bodyAt = (host: string | undefined): Answer => {
    const { objects, meta } = weatherBody({ now: Date.now(), iconBase: `http://${host}`, ...weather });
    return { body: { objects: objects.filter((point) => point !== undefined), meta } };
  };
  // The app may request the forecast before `openScreens` returns.
  const { page, service } = await openScreens({
    settings: { theme: 'light', place, savedPlaces, getStarted: 'closed', ...settings },
    routes: {
      'GET /v2/weather/': ({ headers }) => (first ?? ((good) => good))(bodyAt(headers.host)),
    },
  });
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
  if (!first) await page.getByRole('slider', { name: 'Forecast points' }).waitFor();
  if (later) {
    service.routes['GET /v2/weather/'] = ({ headers }) => later(bodyAt(headers.host));
    await page.keyboard.press('F5');
  }
  if (shown) await page.getByText(shown).first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page;
}

async function problemsOf(page: Page): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await settle(page);
    let problems = await layoutProblems(page);
    // A chart that measures itself again after a banner takes some frames more on a busy machine.
    for (let more = 0; more < 20 && problems.length > 0; more += 1) {
      await settle(page);
      problems = await layoutProblems(page);
    }
    if (problems.length > 0) found[`${width}x${height}`] = problems;
  }
  return found;
}

it.each(Object.entries(looks))('the forecast is laid out soundly: %s', async (_name, look) => {
  expect(await problemsOf(await show(look))).toEqual({});
});

it.each([
  ['באר שבע', 'rtl'],
  ['مكة المكرمة (Mecca) 2', 'rtl'],
  ['渋谷区（東京都）', 'ltr'],
])('a place’s name has its own direction, and is laid out soundly: %s', async (name, direction) => {
  const page = await show({ name });
  const directionOf = (element: Element) => getComputedStyle(element).direction;
  const tab = page.locator('[aria-current] [dir="auto"]').filter({ hasText: name }).first();
  expect(await tab.evaluate(directionOf)).toBe(direction);
  const field = page.getByRole('combobox', { name: 'Forecast location' });
  await expect.poll(() => field.inputValue()).toContain(name);
  expect(await field.evaluate(directionOf)).toBe(direction);
  // What is beside the name keeps the screen's direction.
  expect(await page.getByRole('slider', { name: 'Forecast points' }).evaluate(directionOf)).toBe('ltr');
  expect(await problemsOf(page)).toEqual({});
});
