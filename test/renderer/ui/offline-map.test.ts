// The offline map: its mathematics by property, and the dialog in a real Chromium by mouse and with only the keyboard.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { mapKeyAction } from '#renderer/ui/map/map-keys.ts';
import { settled, toPixels, toPlace, visibleCopies, zoomed } from '#renderer/ui/map/map-view.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

const size = { width: 800, height: 400 };
const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const view = fc.record({ center: place, zoom: fc.double({ min: 1, max: 96, noNaN: true }) });

describe('the map’s window', () => {
  it('gives the place under a pixel back, also across the antimeridian', () => {
    fc.assert(
      fc.property(view, fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 400 }), (asked, x, y) => {
        const shown = settled(asked, size);
        const there = toPlace(x, y, shown, size);
        expect(Math.abs(there.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(there.lng)).toBeLessThanOrEqual(180);
        const back = toPixels(there, shown, size);
        // At zoom 1 both edges are the same meridian.
        const gap = Math.abs(back.x - x);
        const turn = (360 / 360) * size.width * shown.zoom;
        expect(Math.min(gap, Math.abs(gap - turn))).toBeLessThan(2.1);
        expect(Math.abs(back.y - y)).toBeLessThan(2.1);
      }),
    );
  });

  it('never shows anything beyond a pole, and draws each world that it touches', () => {
    fc.assert(
      fc.property(view, fc.double({ min: 0.1, max: 10, noNaN: true }), (asked, factor) => {
        const shown = zoomed(settled(asked, size), size, factor, 100, 100);
        expect(toPlace(400, 0, shown, size).lat).toBeLessThanOrEqual(90);
        expect(Math.abs(shown.center.lat) + 90 / shown.zoom).toBeLessThanOrEqual(90.000001);
        expect(visibleCopies(shown, size).length).toBeLessThanOrEqual(2);
      }),
    );
    expect(visibleCopies({ center: { lat: 0, lng: 179 }, zoom: 8 }, size)).toEqual([0, 360]);
  });

  it('arrows step over the antimeridian and stop at the poles', () => {
    const key = (name: string, modifiers = {}) => ({
      key: name,
      shiftKey: false,
      altKey: false,
      ctrlKey: false,
      metaKey: false,
      ...modifiers,
    });
    expect(mapKeyAction(key('ArrowRight'), { lat: 0, lng: 180 })).toEqual({
      kind: 'move',
      to: { lat: 0, lng: -179.9 },
    });
    expect(mapKeyAction(key('ArrowUp', { shiftKey: true }), { lat: 89.5, lng: 5 })).toEqual({
      kind: 'move',
      to: { lat: 90, lng: 5 },
    });
    expect(mapKeyAction(key('ArrowUp', { ctrlKey: true }), { lat: 0, lng: 0 })).toBeUndefined();
  });
});

describe('picking a location on the map', () => {
  it('works with only the keyboard, and announces its state', async () => {
    const saved = (name: string, lat: number, lng: number) => ({ name, countryCode: null, lat, lng, population: null });
    const savedPlaces = [saved('East', 10, 30), saved('West', 20, -40)];
    const { page, service, complaints } = await openScreens({ settings: { savedPlaces } });
    const slider = page.getByRole('slider');
    await slider.focus();
    const map = page.getByRole('application', { name: 'Pick a location on the map' });
    const isFocused = (element: Element) => element === document.activeElement;
    const open = async () => {
      await page.keyboard.press('m');
      await expect.poll(() => map.evaluate(isFocused)).toBe(true);
    };
    await open();
    await map.locator('svg path[d*="M"]').first().waitFor();
    const press = async (key: string, status: string) => {
      await page.keyboard.press(key);
      await page.getByRole('status').filter({ hasText: status }).waitFor();
    };
    await press('Shift+ArrowUp', '46.0703, 7.6869');
    await press('Alt+ArrowDown', '36.0703, 7.6869');
    await press('n', '10, 30 · East');
    await press('N', '20, −40 · West');
    await press('p', '10, 30 · East');
    await press('Alt+ArrowLeft', '10, 20');
    await press('P', '20, −40 · West');
    await press('ArrowLeft', '20, −40.1');
    const degreesShown = async () => Number((await map.locator('svg').first().getAttribute('viewBox'))?.split(' ')[2]);
    const before = await degreesShown();
    await page.keyboard.press('+');
    await expect.poll(degreesShown).toBeCloseTo(before / 1.6);
    await page.keyboard.press('-');
    await expect.poll(degreesShown).toBeCloseTo(before);
    await page.keyboard.press('0');
    await expect.poll(degreesShown).toBeCloseTo(360);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => slider.evaluate(isFocused)).toBe(true);
    await open();
    await press('Shift+ArrowUp', '46.0703, 7.6869');
    await press('ArrowLeft', '46.0703, 7.5869');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => service.requestsTo('GET /v2/weather/').some(({ url }) => url.includes('location_lat=46.0703')))
      .toBe(true);
    expect(complaints).toEqual([]);
  });

  it('works by mouse, and stops typed coordinates that are nowhere', async () => {
    const { page } = await openScreens({ settings: { theme: 'dark' } });
    await page.getByRole('button', { name: 'Pick on the map' }).click();
    const map = page.getByRole('application', { name: 'Pick a location on the map' });
    await map.click({ position: { x: 60, y: 60 } });
    const latitude = page.getByLabel('Latitude');
    await expect.poll(() => latitude.inputValue()).not.toBe('45.0703');
    await latitude.fill('95');
    await page.getByText('Latitude must be from −90 to 90. Are latitude and longitude swapped?').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Fetch the forecast here' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('the place field', () => {
  it('offers the places looked at, and keeps them over a restart', async () => {
    const { page, core } = await openScreens({ hash: '#/forecast?lat=64.5&lng=-21.5' });
    await page.getByText('64.5, −21.5').first().waitFor();
    await page.getByLabel('Forecast location').first().fill('-41.1, -71.3');
    await page.keyboard.press('Enter');
    await page.getByText('−41.1, −71.3').first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option', { name: /Recent place.*−41.1, −71.3/ }).waitFor();
    // A link only shows its place.
    await expect.poll(async () => (await core.client.settings.get()).recentPlaces.length).toBe(1);
  });

  it('takes the answer to what was typed, however early Enter comes, and leads on to the timeline', async () => {
    const { page, service } = await openScreens();
    const slider = page.getByRole('slider');
    await slider.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Reykja');
    await page.getByRole('option', { name: /Reykjavík/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Forecast location').first().fill('64.5, -21.5');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => service.requestsTo('GET /v2/weather/').at(-1)?.url)
      .toContain('location_lat=64.5&location_lng=-21.5');
    await expect.poll(() => slider.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('says what is wrong with coordinates that were typed or linked', async () => {
    const { page } = await openScreens({ hash: '#/forecast?lat=95&lng=7' });
    await page.getByText('Part of the link was ignored: “lat=95” must be a latitude from −90 to 90.').waitFor();
    await page.getByRole('slider').waitFor();
    await page.getByLabel('Forecast location').first().fill('45.07, 197');
    await page.getByText('Longitude must be from −180 to 180.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
