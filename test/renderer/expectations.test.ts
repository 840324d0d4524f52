// What the timeline looks like with odd input, in light and dark, against the pictures in expectations/. All times in them
// come from the prepared answers, so that a picture is the same on every day.
import { PNG } from 'pngjs';
import { describe, expect, it, vi } from 'vitest';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { expectPicture, pictureProblem } from './picture-expectation.ts';
import { openScreens } from './screen-harness.ts';
import { type BodyOptions, weatherBody } from './weather-bodies.ts';

vi.setConfig({ testTimeout: 120_000 });

const morning = Date.UTC(2026, 10, 21, 6, 30);
type Case = { name: string; lat: number; lng: number } & Partial<BodyOptions>;

const without = (name: string) => (point: object) => ({ ...point, [name]: undefined });
const oddStatuses = ['sunny', 'raining frogs', 'raining frogs', 'unknown', 'cloudy', 'RAINY', ''];

const cases: readonly Case[] = [
  { name: 'clocks-go-back', lat: 45.01, lng: 7.01, now: Date.UTC(2026, 9, 24, 10, 30) },
  { name: 'clocks-go-forward', lat: 45.02, lng: 7.02, now: Date.UTC(2026, 2, 28, 10, 30) },
  { name: 'polar-night', lat: 78.22, lng: 15.63, sunShift: -30 },
  { name: 'polar-day', lat: 78.23, lng: 15.64, sunShift: 60 },
  { name: 'antimeridian', lat: -16.51, lng: 180, place: { lat: -16.5, lng: -179.98 } },
  { name: 'one-point', lat: 45.03, lng: 7.03, count: 1 },
  { name: '73-points', lat: 45.04, lng: 7.04 },
  { name: '300-points', lat: 45.05, lng: 7.05, count: 300, stepMs: 900_000 },
  {
    name: 'gaps',
    lat: 45.06,
    lng: 7.06,
    change: (point, index) => ((index > 9 && index < 16) || index === 40 ? { ...point, timestamp: null } : point),
  },
  { name: 'unknown-statuses', lat: 45.07, lng: 7.07, statuses: oddStatuses },
  { name: 'no-location', lat: 45.08, lng: 7.08, change: without('location') },
  { name: 'empty-sources', lat: 45.09, lng: 7.09, change: (point) => ({ ...point, sources: [] }) },
  { name: 'absent-sources', lat: 45.11, lng: 7.11, change: without('sources') },
  { name: 'without-measured', lat: 45.12, lng: 7.12, hasMeasured: false },
];

describe.each(['light', 'dark'])('the timeline in the %s looks as expected', (theme) => {
  it('for every odd input', async () => {
    const { page, service } = await openScreens({ settings: { theme } });
    await page.setViewportSize({ width: 1200, height: 1000 });
    const card = page.locator('section[aria-labelledby="rb-timeline-title"]');
    await card.waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const { name, lat, lng, ...options } of cases) {
      const body = weatherBody({ now: morning, iconBase: service.baseUrl, place: { lat, lng }, ...options });
      const isNamed = name !== 'no-location';
      const objects = body.objects.map((point) => ({ ...(point as object), location: { locality: name } }));
      service.routes['GET /v2/weather/'] = () => ({ body: isNamed ? { ...body, objects } : body });
      await page.evaluate((hash) => void (location.hash = hash), `#/forecast?lat=${lat}&lng=${lng}`);
      const now = page.getByRole('region', { name: 'Weather now' });
      await now
        .getByText(isNamed ? name : formatCoordinates({ lat, lng }))
        .first()
        .waitFor();
      await expectPicture(card, `${name}-${theme}`);
    }
  });
});

describe('the comparison of pictures', () => {
  const plain = () => {
    const picture = new PNG({ width: 100, height: 100 });
    picture.data.fill(255);
    return picture;
  };

  it('bears a stray pixel and refuses a lost word', () => {
    const stray = plain();
    stray.data.fill(0, 0, 3);
    expect(pictureProblem(plain(), stray)).toBeUndefined();
    const lost = plain();
    for (let row = 40; row < 50; row++) lost.data.fill(0, row * 400 + 160, row * 400 + 200);
    expect(pictureProblem(plain(), lost)?.words).toMatch(/differs in \d+ of 10000 pixels/);
    expect(pictureProblem(plain(), new PNG({ width: 100, height: 99 }))?.words).toContain('100×99');
  });
});
