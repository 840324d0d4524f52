// The board of saved places, which shows three days of each in a narrow band.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { findLayoutProblems } from '../layout-problems.ts';
import { expectShown, forecastOf, openApp } from '../open-app.ts';
import { AppError } from '../stub-client.ts';

const hourMs = 3_600_000;
const bands = () => [...document.querySelectorAll('[data-band]')];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

it('the board shows each day by its midnight if there is room for its name, at any hour', async () => {
  // The latitude of each sets the hour at which its forecast starts.
  const savedPlaces = hours.map((hour) => ({
    name: `From ${hour}`,
    countryCode: null,
    lat: 40 + hour / 10,
    lng: 10,
    population: null,
  }));
  const midnight = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs;
  openApp({
    settings: { savedPlaces, zone: 'utc' },
    stubs: {
      forecast: {
        get: ({ lat, lng }) =>
          forecastOf({ place: { lat, lng }, now: midnight + Math.round((lat - 40) * 10) * hourMs }),
      },
    },
  });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Saved places (24)' }).click();
  await expect.poll(() => bands().length).toBe(24);
  for (const width of [1024, 1280, 1920]) {
    await page.viewport(width, 900);
    await expect.poll(findLayoutProblems, { message: `${width} wide` }).toEqual([]);
  }
  const namedDays = bands().map((band) => band.querySelectorAll('[data-midnight]').length);
  expect(new Set(namedDays)).toEqual(new Set([3]));
});

it('the board tries a place that failed again, and opens one into the full view', async () => {
  const place = { name: 'Reykjavík', countryCode: 'IS', lat: 64.1466, lng: -21.9426, population: null };
  const other = { ...place, name: 'Akureyri', lat: 65.6835, lng: -18.0878 };
  let isDown = true;
  openApp({
    settings: { savedPlaces: [place, other] },
    stubs: {
      forecast: {
        get({ lat, lng }) {
          if (isDown && lat === other.lat) throw new AppError('REFUSED', 'The service does not allow this.');
          return forecastOf({ place: { lat, lng } });
        },
      },
    },
  });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Saved places (2)' }).click();
  await expectShown(page.getByRole('alert').getByText('does not allow this'));
  expect(bands().length).toBe(1);
  isDown = false;
  await page.getByRole('button', { name: 'Retry Akureyri, Iceland' }).click();
  await expect.poll(() => bands().length).toBe(2);
  await page.getByRole('button', { name: 'Open Reykjavík, Iceland' }).click();
  await expectShown(page.getByText('64.1466, −21.9426').first());
  await expect.element(page.getByRole('slider')).toHaveFocus();
});
