// What the timeline looks like with odd input, in light and dark, against the pictures in expectations/. All times in them
// come from the prepared answers, so that a picture is the same on every day. Pictures are our own output, so the values that they show
// are also computed here: by the definition of degrees Celsius and by the system's time zones.
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { drawnIcons } from '#service/icons/drawn-icons.ts';
import { hasYrSymbol, readYrSymbol } from '#service/icons/yr-symbols.ts';
import { expectPicture, pictureProblem } from './picture-expectation.ts';
import { openScreens } from './screen-harness.ts';
import { type BodyOptions, weatherBody } from '#test/renderer/weather-bodies.ts';

const morning = Date.UTC(2026, 10, 21, 6, 30);
/** `zone` is the place's; Europe/Rome without. */
type Case = { name: string; lat: number; lng: number; zone?: string; isDarkToo?: true } & Partial<BodyOptions>;

const oddStatuses = ['sunny', 'raining frogs', 'raining frogs', 'unknown', 'cloudy', 'RAINY', ''];

const cases: readonly Case[] = [
  { name: 'clocks-go-back', lat: 45.01, lng: 7.01, now: Date.UTC(2026, 9, 24, 10, 30) },
  { name: 'polar-night', isDarkToo: true, lat: 78.22, lng: 15.63, zone: 'Arctic/Longyearbyen', sunShift: -30 },
  { name: 'polar-day', lat: 78.23, lng: 15.64, zone: 'Arctic/Longyearbyen', sunShift: 60 },
  { name: 'antimeridian', lat: -16.51, lng: 180, zone: 'Pacific/Fiji', place: { lat: -16.5, lng: -179.98 } },
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

type ShownPoint = {
  icon: string;
  timestamp: string | null;
  weather: { status: string; measured?: { temperature: number; rainfall?: number; snowfall?: number } };
};

/** The texts of a place's card: its first point, and the warmest and coldest of each day that has its first and last hour. */
function expectedTexts(objects: readonly ShownPoint[], timeZone: string, stepMs?: number): string[] {
  const points = objects
    .filter((point) => point.timestamp !== null)
    .map(({ timestamp, weather }) => ({ at: new Date(`${timestamp}Z`), ...weather }));
  const write = (at: Date, zone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(at).replace(',', '');
  const dayOf = (at: Date) => write(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short' });
  const clock = (at: Date, zone: string) => write(at, zone, { hour: '2-digit', minute: '2-digit' });
  const number = (value: number, digits: number) =>
    value
      .toFixed(digits)
      .replace(/^-(0\.?0*)$/, '$1')
      .replace('-', '−');
  const [first] = points;
  if (!first) throw new Error('There is no point.');
  const texts = [`${dayOf(first.at).slice(0, 3)} ${clock(first.at, timeZone)}`];
  if (first.measured) texts.push(`${number(first.measured.temperature - 273.15, 1)} °C`);
  const days = Map.groupBy(points, ({ at }) => dayOf(at));
  for (const [day, inDay] of days) {
    const hours = inDay.map(({ at }) => clock(at, timeZone));
    const measured = inDay.flatMap((point) => point.measured ?? []);
    if (!hours.includes('00:00') || !hours.includes('23:00') || measured.length === 0) continue;
    const degrees = measured.map(({ temperature }) => temperature - 273.15);
    const extremes = [Math.max(...degrees), Math.min(...degrees)];
    const [highest, lowest] = extremes.map((value) => `${number(value, 1).replace('−', 'minus ')} degrees`);
    texts.push(
      day.split(' ').slice(0, 2).join(' '),
      extremes.map((value) => `${number(value, 0)}°`).join(' / '),
      `high ${highest}, low ${lowest}`,
    );
    if (stepMs !== undefined) continue;
    // The rates of full hours, in millimeters of water and of depth.
    const rain = measured.reduce((total, { rainfall = 0 }) => total + rainfall, 0);
    const snow = measured.reduce((total, { snowfall = 0 }) => total + snowfall, 0);
    const spoken = [
      ...(rain > 0 ? [`${number(rain, 1)} millimeters`] : []),
      ...(snow > 0 ? [`${number(Math.round(snow) / 10, 1)} centimeters of snow`] : []),
    ];
    if (spoken.length > 0) texts.push(`precipitation ${spoken.join(' and ')}`);
  }
  return texts;
}

/** The service's own pictures, so that a wrong icon is seen. */
const svgs = new Map<string, string>();
for (const name of iconNames) {
  const svg = drawnIcons[name] ?? (hasYrSymbol(name) ? await readYrSymbol(name) : undefined);
  if (svg !== undefined) svgs.set(name, svg);
}
const iconRoutes = Object.fromEntries(
  [...svgs].map(([name, body]) => [
    `GET /v2/icons/${name}`,
    () => ({ headers: { 'content-type': 'image/svg+xml' }, body }),
  ]),
);
const dataUrlOf = (icon: string) =>
  `data:image/svg+xml;base64,${Buffer.from(svgs.get(icon.split('/').at(-1) ?? '') ?? '').toString('base64')}`;

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
    for (const { name, lat, lng, zone = 'Europe/Rome', isDarkToo = false, ...options } of cases) {
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
      const shown = (await card.innerText()).replaceAll(/\s+/g, ' ');
      const missing = expectedTexts(body.objects as ShownPoint[], zone, options.stepMs).filter(
        (text) => !shown.includes(text),
      );
      const icons = await card.locator('image').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      const known = new Set((body.objects as ShownPoint[]).map(({ icon }) => dataUrlOf(icon)));
      expect(icons.filter((href) => !known.has(href))).toEqual([]);
      expect({ name, missing, shown: missing.length > 0 ? shown : '' }).toEqual({ name, missing: [], shown: '' });
    }
    expect(complaints).toEqual([]);
  });
});

describe('the comparison of pictures', () => {
  const plain = () => {
    const picture = new PNG({ width: 100, height: 100 });
    picture.data.fill(255);
    return picture;
  };

  it('accepts a few stray pixels and refuses a lost letter', () => {
    const stray = plain();
    stray.data.fill(0, 0, 3);
    expect(pictureProblem(plain(), stray)).toBeUndefined();
    const lost = plain();
    for (let row = 40; row < 43; row++) lost.data.fill(0, row * 400 + 160, row * 400 + 200);
    expect(pictureProblem(plain(), lost)?.words).toMatch('differs in 30 of 10000 pixels');
    expect(pictureProblem(plain(), new PNG({ width: 100, height: 99 }))?.words).toContain('100×99');
  });

  it('accepts what is lost as a picture is written, and refuses another shade', () => {
    const shade = (value: number) => {
      const picture = plain();
      for (let at = 0; at < picture.data.length; at += 4) picture.data.fill(value, at, at + 3);
      return picture;
    };
    expect(pictureProblem(shade(128), shade(132))).toBeUndefined();
    expect(pictureProblem(shade(128), shade(137))?.words).toContain('10000 of 10000');
  });
});
