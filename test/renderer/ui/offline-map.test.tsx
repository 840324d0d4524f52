// Picking a location: on the offline map, by mouse and with only the keyboard, and in the field.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { LatLng } from '#contract/service-api/geo.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, forecastOf, openApp } from '../open-app.ts';

const slider = page.getByRole('slider', { name: 'Forecast points' });
const map = page.getByRole('application', { name: 'Pick a location on the map' });
const field = page.getByRole('combobox', { name: 'Forecast location' });

/** Opens the app, which tells the place of each fetch. */
function openWithPlaces(options: Parameters<typeof openApp>[0] = {}) {
  let place: LatLng | undefined;
  const get = ({ lat, lng }: LatLng) => {
    place = { lat, lng };
    return forecastOf({ place });
  };
  openApp({ ...options, stubs: { forecast: { get }, ...options.stubs } });
  return () => place;
}

describe('picking a location on the map', () => {
  it('works with only the keyboard, and announces its state', async () => {
    const saved = (name: string, lat: number, lng: number) => ({ name, countryCode: null, lat, lng, population: null });
    const fetched = openWithPlaces({ settings: { savedPlaces: [saved('East', 10, 30), saved('West', 20, -40)] } });
    await expectShown(slider);
    slider.element().focus();
    const open = async () => {
      await userEvent.keyboard('m');
      await expect.element(map).toHaveFocus();
    };
    await open();
    const press = async (keys: string, status: string) => {
      await userEvent.keyboard(keys);
      await expect.element(page.getByRole('status').filter({ hasText: status })).toBeInTheDocument();
    };
    await press('{Shift>}{ArrowUp}{/Shift}', '46.0703, 7.6869');
    await press('{Alt>}{ArrowDown}{/Alt}', '36.0703, 7.6869');
    await press('n', '10, 30 · East');
    await press('N', '20, −40 · West');
    await press('p', '10, 30 · East');
    await press('{Alt>}{ArrowLeft}{/Alt}', '10, 20');
    await press('P', '20, −40 · West');
    await press('{ArrowLeft}', '20, −40.1');
    const degreesShown = () =>
      Number(map.element().querySelector('svg[viewBox]')?.getAttribute('viewBox')?.split(' ')[2]);
    const before = degreesShown();
    await userEvent.keyboard('+');
    await expect.poll(degreesShown).toBeCloseTo(before / 1.6);
    await userEvent.keyboard('-');
    await expect.poll(degreesShown).toBeCloseTo(before);
    await userEvent.keyboard('0');
    await expect.poll(degreesShown).toBeCloseTo(360);
    await userEvent.keyboard('{Escape}');
    await expectGone(page.getByRole('dialog'));
    await expect.element(slider).toHaveFocus();
    await open();
    await press('{Shift>}{ArrowUp}{/Shift}', '46.0703, 7.6869');
    await press('{ArrowLeft}', '46.0703, 7.5869');
    await userEvent.keyboard('{Enter}');
    await expectGone(page.getByRole('dialog'));
    await expect.poll(fetched).toEqual({ lat: 46.0703, lng: 7.5869 });
  });

  it('works by mouse, and stops typed coordinates that are nowhere', async () => {
    const fetched = openWithPlaces();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Pick on the map' }).click();
    await map.click({ position: { x: 60, y: 60 } });
    await expectGone(page.getByRole('status').filter({ hasText: '45.0703' }));
    const search = page.getByRole('combobox', { name: 'Find a place' });
    await search.fill('95, 7');
    await expectShown(page.getByText('Latitude must be from −90 to 90. Are latitude and longitude swapped?'));
    await expectAccessible('the map with a wrong latitude');
    await search.fill('64.5, -21.5');
    await page.getByRole('option', { name: /64\.5/ }).click();
    await page.getByRole('button', { name: 'Fetch the forecast here' }).click();
    await expect.poll(fetched).toEqual({ lat: 64.5, lng: -21.5 });
  });

  it('names the towns in view that have room, and finds a place by name', async () => {
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
    await expectShown(slider);
    await userEvent.keyboard('m');
    await expect.element(map).toMatchTextContent(/Milan/);
    await expect.element(map).toMatchTextContent(/Oslo/);
    await expect.element(map).not.toMatchTextContent(/Sesto/);
    expect(asked[0]?.west).toBeLessThan(7.69);
    expect(asked[0]?.east).toBeGreaterThan(7.69);
    await page.getByRole('combobox', { name: 'Find a place' }).fill('genoa');
    await page.getByRole('option', { name: /Genoa/ }).click();
    await expectShown(page.getByText('44.4048, 8.9444').first());
  });
});

describe('the place field', () => {
  it('offers the places looked at, of which a link’s is none', async () => {
    const { store } = openApp({
      hash: '#/forecast?lat=64.5&lng=-21.5',
      stubs: { forecast: { get: (place) => forecastOf({ place }) } },
    });
    await expectShown(page.getByText('64.5, −21.5').first());
    await field.fill('-41.1, -71.3');
    await userEvent.keyboard('{Enter}');
    await expectShown(page.getByText('−41.1, −71.3').first());
    await userEvent.keyboard('/');
    await expectShown(page.getByRole('option', { name: /Recent place.*−41.1, −71.3/ }));
    expect(store.getState().settings.values.recentPlaces).toHaveLength(1);
  });

  it('takes the answer to what was typed, however early Enter comes, and leads on to the timeline', async () => {
    const reykjavik = { name: 'Reykjavík', countryCode: 'IS', lat: 64.1466, lng: -21.9426, population: 118_918 };
    const fetched = openWithPlaces({
      stubs: {
        places: {
          search: ({ text }) => [
            text.startsWith('Reykja') ? reykjavik : { ...reykjavik, name: text, lat: 64.5, lng: -21.5 },
          ],
        },
      },
    });
    await expectShown(slider);
    await userEvent.keyboard('/');
    await userEvent.keyboard('Reykja');
    await expectShown(page.getByRole('option', { name: /Reykjavík/ }));
    await expectAccessible('places for what was typed');
    await field.fill('64.5, -21.5');
    await userEvent.keyboard('{Enter}');
    await expect.poll(fetched).toEqual({ lat: 64.5, lng: -21.5 });
    await expect.element(slider).toHaveFocus();
  });

  it('says what is wrong with coordinates that were typed or linked', async () => {
    openApp({ hash: '#/forecast?lat=95&lng=7&lng=8' });
    await expectShown(
      page.getByText(
        'Part of the link was ignored: “lat=95” must be a latitude from −90 to 90. Only the first “lng” counts.',
      ),
    );
    await expectShown(slider);
    await field.fill('45.07, 197');
    await expectShown(page.getByText('Longitude must be from −180 to 180.'));
  });
});
