// Odd days, odd data, odd names, and failures of the forecast, laid out soundly from the smallest window to a wide one, and at 150% zoom.
// With RAINBELL_PICTURES=FOLDER it also takes their pictures.
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { layoutProblems } from '../layout-problems.ts';
import { openScreens } from '../screen-harness.ts';
import { type BodyOptions, weatherBody } from '../weather-bodies.ts';

/** The last two are 1280 × 800 and 1440 × 900 at 150% zoom. */
/** All with pictures; otherwise the narrowest, the usual, and the lowest, because each costs time in every run. */
const allSizes = [
  [1920, 1080],
  [1440, 900],
  [1280, 800],
  [1024, 768],
  [640, 800],
  [853, 533],
  [960, 600],
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

const refusal = (status: number, error: string): Answer => ({
  status,
  body: {
    error,
    error_description: 'The weather provider returned nothing for this place; try again in a few minutes.',
  },
});
const half = ({ body }: Answer): Answer => ({
  body: JSON.stringify(body).slice(0, 20_000),
  headers: { 'content-type': 'application/json; charset=utf-8' },
});
const failed = /Couldn’t fetch the forecast/;

const looks: Readonly<Record<string, Look>> = {
  ordinary: {},
  'autumn clock change': { weather: { now: Date.parse('2026-10-24T12:20:00Z') } },
  'spring clock change': { weather: { now: Date.parse('2027-03-27T12:20:00Z') } },
  'polar day': { weather: { sunShift: 60 } },
  'polar night': { weather: { sunShift: -40 } },
  'sparse points': { weather: { count: 13, stepMs: 6 * 3_600_000 } },
  gaps: {
    weather: {
      change: (point, index) =>
        index > 20 && index < 40 ? undefined : index === 50 ? { ...point, weather: { status: 'windy' } } : point,
    },
  },
  deviations: {
    weather: {
      statuses: ['raining cats and dogs', 'rainy', 'snowy'],
      change: (point, index) => (index % 9 === 4 ? { ...point, sun_altitude: '20.5', icon: 7 } : point),
    },
  },
  'only status': { weather: { hasMeasured: false } },
  'one point': { weather: { count: 1 } },
  'no points': { first: () => ({ body: { objects: [], meta: {} } }), shown: /no point/ },
  '500 without data': { first: () => refusal(500, 'server_error'), shown: failed },
  '500 over data': { later: () => refusal(503, 'temporarily_unavailable'), shown: failed },
  '401 without data': { first: () => refusal(401, 'invalid_token'), shown: failed },
  '401 over data': { later: () => refusal(401, 'invalid_token'), shown: failed },
  'half a body without data': { first: half, shown: failed },
  'half a body over data': { later: half, shown: failed },
  'clock ahead': {
    later: (good) => ({ ...good, headers: { date: new Date(Date.now() + 5 * 3_600_000).toUTCString() } }),
    shown: /The service’s clock is 5 h ahead/,
  },
  'long name': { name: longName.slice(0, 40) },
  'CJK name': { name: '渋谷区（東京都）' },
  'Hebrew name': { name: 'בְּאֵר שֶׁבַע' },
  'Arabic and Latin name': { name: 'مكة المكرمة (Mecca) 2' },
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

const folder = process.env['RAINBELL_PICTURES'];
const sizes = folder === undefined ? allSizes.filter(([width]) => [1280, 853, 640].includes(width)) : allSizes;

async function settle(page: Page): Promise<void> {
  // What measures itself, what that changes, and the same once more for what a banner moves.
  for (let frame = 0; frame < 4; frame += 1)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
}

async function show(look: Look, theme: string): Promise<Page> {
  const { weather = {}, first, later, settings = {}, name, shown } = look;
  const place = name === undefined ? turin : { ...turin, name, region: name };
  const savedPlaces = name === undefined ? [turin] : [place, turin, ...namedPlaces];
  const bodyAt = (host: string | undefined): Answer => {
    const { objects, meta } = weatherBody({ now: Date.now(), iconBase: `http://${host}`, ...weather });
    return { body: { objects: objects.filter((point) => point !== undefined), meta } };
  };
  // The app may request the forecast before `openScreens` returns.
  const { page, service } = await openScreens({
    settings: { theme, place, savedPlaces, getStarted: 'closed', ...settings },
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

/** The errors and the days of other lengths are also in forecast-states and expectations, so they wait for a run with pictures. */
const onlyWithPictures = /clock change|polar|gaps|only status|one point|no points|401|500 without|half a body over/;
const themes = folder === undefined ? ['light'] : ['light', 'dark'];
const cases = Object.entries(looks)
  .filter(([name]) => folder !== undefined || !onlyWithPictures.test(name))
  .flatMap(([name, look]) => themes.map((theme) => ({ name, theme, look })));

it.each(cases)('the forecast is laid out soundly: $name, in the $theme', async ({ name, theme, look }) => {
  const found: Record<string, readonly string[]> = {};
  const page = await show(look, theme);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await settle(page);
    if (folder !== undefined) {
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${width}x${height}-${theme}.png` });
    }
    let problems = await layoutProblems(page);
    // A chart that measures itself again after a banner takes some frames more on a busy machine.
    for (let more = 0; more < 20 && problems.length > 0; more += 1) {
      await settle(page);
      problems = await layoutProblems(page);
    }
    if (problems.length > 0) found[`${width}x${height}`] = problems;
  }
  expect(found).toEqual({});
});

it.each([
  ['באר שבע', 'rtl'],
  ['مكة المكرمة (Mecca) 2', 'rtl'],
  ['渋谷区', 'ltr'],
  ['Turin', 'ltr'],
])('a place’s name has its own direction: %s', async (name, direction) => {
  const page = await show({ name }, 'light');
  const directionOf = (element: Element) => getComputedStyle(element).direction;
  const tab = page.locator('[aria-current] [dir="auto"]').filter({ hasText: name }).first();
  expect(await tab.evaluate(directionOf)).toBe(direction);
  const field = page.getByRole('combobox', { name: 'Forecast location' });
  await expect.poll(() => field.inputValue()).toContain(name);
  expect(await field.evaluate(directionOf)).toBe(direction);
  // What is beside the name keeps the screen's direction.
  expect(await page.getByRole('slider', { name: 'Forecast points' }).evaluate(directionOf)).toBe('ltr');
});
