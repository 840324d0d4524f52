// What the timeline looks like with odd input, in light and dark, against the pictures in expectations/. All times in them
// come from the prepared answers, so that a picture is the same on every day. Pictures are our own output; the values that they show are
// proven in forecast-instrument.test.tsx and forecast-values.test.ts.
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { readIcon } from '#service/icons/icon-routes.ts';
import type { Route } from '#test/core/fake-service.ts';
import { expectPicture, pictureProblem } from './picture-expectation.ts';
import { openScreens } from './screen-harness.ts';
import { type BodyOptions, weatherBody } from '#test/renderer/weather-bodies.ts';

const morning = Date.UTC(2026, 10, 21, 6, 30);
type Case = { name: string; lat: number; lng: number; isDarkToo?: true } & Partial<BodyOptions>;

const oddStatuses = ['sunny', 'raining frogs', 'raining frogs', 'unknown', 'cloudy', 'RAINY', ''];

const cases: readonly Case[] = [
  { name: 'clocks-go-back', lat: 45.01, lng: 7.01, now: Date.UTC(2026, 9, 24, 10, 30) },
  { name: 'polar-night', isDarkToo: true, lat: 78.22, lng: 15.63, sunShift: -30 },
  { name: 'polar-day', lat: 78.23, lng: 15.64, sunShift: 60 },
  { name: 'antimeridian', lat: -16.51, lng: 180, place: { lat: -16.5, lng: -179.98 } },
  { name: '73-points', isDarkToo: true, lat: 45.04, lng: 7.04 },
  { name: '300-points', lat: 45.05, lng: 7.05, count: 300, stepMs: 900_000 },
  {
    name: 'gaps',
    isDarkToo: true,
    lat: 45.06,
    lng: 7.06,
    change: (point, index) => ((index > 9 && index < 16) || index === 40 ? { ...point, timestamp: null } : point),
  },
  { name: 'unknown-statuses', lat: 45.07, lng: 7.07, statuses: oddStatuses },
  { name: 'without-measured', isDarkToo: true, lat: 45.12, lng: 7.12, hasMeasured: false },
];

/** The service's own pictures, so that a wrong icon is seen. */
const iconRoutes: Record<string, Route> = {};
for (const name of iconNames) {
  const body = await readIcon(name);
  iconRoutes[`GET /v2/icons/${name}`] = () => ({ headers: { 'content-type': 'image/svg+xml' }, body });
}

describe.each(['light', 'dark'])('the timeline in the %s looks as expected', (theme) => {
  it('for every odd input', async () => {
    const { page, service, complaints } = await openScreens({
      settings: { theme },
      routes: iconRoutes,
      browser: 'whole',
    });
    await page.setViewportSize({ width: 1200, height: 1000 });
    const card = page.locator('section[aria-labelledby="rb-timeline-title"]');
    await card.waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    // It says how far today is from the service's clock.
    await page.evaluate(() => {
      const style = new CSSStyleSheet();
      style.replaceSync('[data-notice] { display: none }');
      document.adoptedStyleSheets.push(style);
    });
    for (const { name, lat, lng, isDarkToo = false, ...options } of cases) {
      // Only colors differ, and these have all of them.
      if (theme === 'dark' && !isDarkToo) continue;
      const body = weatherBody({ now: morning, iconBase: service.baseUrl, place: { lat, lng }, ...options });
      const objects = body.objects.map((point) => ({ ...(point as object), location: { locality: name } }));
      // The service's clock is that of its weather; by the test's, the points would be days old.
      const headers = { date: new Date(options.now ?? morning).toUTCString() };
      service.routes['GET /v2/weather/'] = () => ({ headers, body: { ...body, objects } });
      await page.evaluate((hash) => void (location.hash = hash), `#/forecast?lat=${lat}&lng=${lng}`);
      const now = page.getByRole('region', { name: 'Weather now' });
      await now.getByText(name).first().waitFor();
      await expectPicture(card, `${name}-${theme}`);
    }
    expect(complaints).toEqual([]);
  });
});

it('a picture is refused if a letter is lost or its shade or size differs, and accepted with a few stray pixels', () => {
  const picture = (shade: number, height = 100) => {
    const one = new PNG({ width: 100, height });
    one.data.forEach((_, at) => void (one.data[at] = at % 4 === 3 ? 255 : shade));
    return one;
  };
  const stray = picture(255);
  stray.data.fill(0, 0, 3);
  expect(pictureProblem(picture(255), stray)).toBeUndefined();
  const lost = picture(255);
  for (let row = 40; row < 43; row++) lost.data.fill(0, row * 400 + 160, row * 400 + 200);
  expect(pictureProblem(picture(255), lost)?.words).toMatch('differs in 30 of 10000 pixels');
  expect(pictureProblem(picture(255), picture(255, 99))?.words).toContain('100×99');
  // What is lost as a picture is written.
  expect(pictureProblem(picture(128), picture(132))).toBeUndefined();
  expect(pictureProblem(picture(128), picture(139))?.words).toContain('10000 of 10000');
});
