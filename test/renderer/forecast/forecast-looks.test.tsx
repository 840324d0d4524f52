// Odd data, odd names, and failures of the forecast, laid out soundly from the smallest window to a wide one, and at 150% zoom. Days of
// other lengths, gaps, and failures without data are in expectations.test.ts and forecast-states.test.tsx.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { findLayoutProblems } from '../layout-problems.ts';
import { expectShown, forecastOf, openApp } from '../open-app.ts';
import { AppError } from '../stub-client.ts';
import type { BodyOptions } from '../weather-bodies.ts';

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

/** A Saturday noon in Turin. */
const noon = Date.UTC(2026, 10, 28, 11, 35);
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: noon }));
afterEach(() => void vi.useRealTimers());

const unitsOfUs = {
  temperatureUnit: '°F',
  precipitationUnit: 'in',
  windUnit: 'mph',
  pressureUnit: 'inHg',
  clockFormat: '12',
} as const;

type Look = {
  now?: number;
  weather?: Partial<BodyOptions>;
  /** Instead of the first fetch, or of one after it. */
  first?: () => Forecast;
  later?: () => Forecast;
  settings?: Partial<Settings>;
  name?: string;
  /** The text to wait for. */
  shown?: RegExp;
};

const failed = /Couldn’t fetch the forecast/;
const fail = (error: AppError) => (): Forecast => {
  throw error;
};

const looks: Readonly<Record<string, Look>> = {
  'as usual': {},
  'with sparse points': { weather: { count: 13, stepMs: 6 * 3_600_000 } },
  'with deviations': {
    weather: {
      statuses: ['raining cats and dogs', 'rainy', 'snowy'],
      change: (point, index) => (index % 9 === 4 ? { ...point, sun_altitude: '20.5', icon: 7 } : point),
    },
  },
  'with a failure over data': {
    later: fail(
      new AppError('SERVER', 'The weather provider returned nothing for this place; try again in a few minutes.', {
        httpStatus: 503,
        error: 'temporarily_unavailable',
      }),
    ),
    shown: failed,
  },
  'with a clock that is ahead': {
    later: () => {
      const forecast = forecastOf();
      const date = new Date(Date.now() + 5 * 3_600_000).toUTCString();
      return { ...forecast, response: { ...forecast.response, headers: [['date', date]] } };
    },
    shown: /The service’s clock is 5 h ahead/,
  },
  'in US units and with 12 hours': { settings: unitsOfUs },
  // The last hour is the warmest of its day, so its label is at the edge.
  'with the highest of a day at the edge': { now: Date.UTC(2026, 10, 29, 0, 25), settings: unitsOfUs },
};

async function show(look: Look): Promise<void> {
  const { now = noon, weather = {}, first, later, settings = {}, name, shown } = look;
  vi.setSystemTime(now);
  const place = name === undefined ? turin : { ...turin, name, region: name };
  const savedPlaces = name === undefined ? [turin] : [place, turin, ...namedPlaces];
  const { stub } = openApp({
    settings: { theme: 'light', place, savedPlaces, getStarted: 'closed', ...settings },
    stubs: { forecast: { get: first ?? (() => forecastOf(weather)) } },
  });
  if (!first) await expectShown(page.getByRole('slider', { name: 'Forecast points' }));
  if (later) {
    stub({ forecast: { get: later } });
    await userEvent.keyboard('{F5}');
  }
  if (shown) await expectShown(page.getByText(shown).first());
  await document.fonts.ready;
}

async function expectSoundLayout(): Promise<void> {
  for (const [width, height] of sizes) {
    await page.viewport(width, height);
    // What measures itself takes some frames.
    await expect.poll(findLayoutProblems, { message: `${width}x${height}` }).toEqual([]);
  }
}

it.each(Object.entries(looks))('the forecast is laid out soundly %s', async (_name, look) => {
  await show(look);
  await expectSoundLayout();
});

it.each([
  ['באר שבע', 'rtl'],
  ['مكة المكرمة (Mecca) 2', 'rtl'],
  ['渋谷区（東京都）', 'ltr'],
])('a place’s name has its own direction, and is laid out soundly: %s', async (name, direction) => {
  await show({ name });
  const directionOf = (element: Element) => getComputedStyle(element).direction;
  const tabs = [...document.querySelectorAll('[aria-current] [dir="auto"]')];
  const tab = tabs.find(({ textContent }) => textContent.includes(name));
  expect(tab && directionOf(tab)).toBe(direction);
  const field = page.getByRole('combobox', { name: 'Forecast location' });
  await expect.poll(() => (field.element() as HTMLInputElement).value).toContain(name);
  expect(directionOf(field.element())).toBe(direction);
  // What is beside the name keeps the screen's direction.
  expect(directionOf(page.getByRole('slider', { name: 'Forecast points' }).element())).toBe('ltr');
  await expectSoundLayout();
});
