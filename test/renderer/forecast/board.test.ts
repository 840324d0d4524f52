// The board of saved places, which shows three days of each in a narrow band.
import { expect, it } from 'vitest';
import { layoutProblems } from '../layout-problems.ts';
import { openScreens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

const hourMs = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

it('shows each day by its midnight if there is room for its name, at any hour', async () => {
  // The latitude of each sets the hour at which its forecast starts.
  const savedPlaces = hours.map((hour) => ({
    name: `From ${hour}`,
    countryCode: null,
    lat: 40 + hour / 10,
    lng: 10,
    population: null,
  }));
  const { page, service } = await openScreens({ settings: { savedPlaces } });
  const midnight = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs;
  service.routes['GET /v2/weather/'] = ({ url }) => {
    const lat = Number(new URL(url, service.baseUrl).searchParams.get('location_lat'));
    return { body: weatherBody({ now: midnight + Math.round((lat - 40) * 10) * hourMs, iconBase: service.baseUrl }) };
  };
  await page.getByRole('button', { name: 'Saved 24' }).click();
  const bands = page.getByRole('img', { name: /rain|dry|precipitation/i });
  await expect.poll(() => bands.count()).toBe(24);
  for (const width of [1024, 1280, 1920]) {
    // oxlint-disable-next-line no-await-in-loop
    await page.setViewportSize({ width, height: 900 });
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(() => layoutProblems(page), { message: `${width} wide` }).toEqual([]);
  }
  const namedDays = await bands.evaluateAll((all) => all.map((band) => band.querySelectorAll('small').length));
  expect(new Set(namedDays)).toEqual(new Set([2, 3]));
});
