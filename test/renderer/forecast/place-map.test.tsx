// The map: towns have their names, and a search moves the cross-hair.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectShown, openApp } from '../open-app.ts';

it('the map names the towns in view that have room, and finds a place by name', async () => {
  const town = (name: string, lat: number, lng: number) => ({ name, lat, lng, countryCode: 'IT', population: 1 });
  const asked: { west: number; east: number }[] = [];
  openApp({
    stubs: {
      places: {
        within: (box) => {
          asked.push(box);
          // The second is under the name of the first.
          return [town('Milan', 45.4643, 9.1895), town('Sesto', 45.47, 9.2), town('Oslo', 59.91, 10.75)];
        },
        search: () => [town('Genoa', 44.4048, 8.9444)],
      },
    },
  });
  await expectShown(page.getByRole('slider', { name: 'Forecast points' }));
  await userEvent.keyboard('m');
  const map = page.getByRole('application');
  await expect.element(map).toMatchTextContent(/Milan/);
  await expect.element(map).toMatchTextContent(/Oslo/);
  await expect.element(map).not.toMatchTextContent(/Sesto/);
  expect(asked[0]?.west).toBeLessThan(7.69);
  expect(asked[0]?.east).toBeGreaterThan(7.69);
  await page.getByRole('combobox', { name: 'Find a place' }).fill('genoa');
  await page.getByRole('option', { name: /Genoa/ }).click();
  await expectShown(page.getByText('44.4048, 8.9444').first());
  await expect.element(page.getByRole('textbox', { name: 'Latitude' })).toHaveValue('44.4048');
});
