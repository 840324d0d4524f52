// The forecast as an instrument: every value of an hour within one movement and inside the window, and what a screen reader says.
import type { Locator, Page } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openScreens } from '../screen-harness.ts';

const hourMs = 3_600_000;
/** A Sunday, 05:12 in Turin. */
const now = Date.parse('2026-11-22T04:12:00Z');
const mondayNine = Date.parse('2026-11-23T08:00:00Z');
const metric = { temperatureUnit: '°C', precipitationUnit: 'mm', windUnit: 'm/s', clockFormat: '24' };

/** 4 °C everywhere, 5.3 °C and 2.5 mm on Monday at 09:00, 1.2 mm an hour later; a deviation on Sunday at 14:00. */
const weather = {
  now,
  statuses: ['cloudy'],
  change: (point: { timestamp: string; weather: Record<string, unknown> }) => {
    const isNine = point.timestamp.startsWith('2026-11-23T08:00');
    const isTen = point.timestamp.startsWith('2026-11-23T09:00');
    const measured = {
      temperature: isNine ? 278.45 : 277.15,
      dew_point: 275.15,
      humidity: 81,
      pressure: 1011,
      wind_speed: 4.5,
      wind_direction: 230,
      rainfall: isNine ? 2.5 : isTen ? 1.2 : 0,
    };
    const sources = ['open-meteo', 'stored'];
    const changed = { ...point, sources, weather: { status: isNine || isTen ? 'rainy' : 'cloudy', measured } };
    return point.timestamp.startsWith('2026-11-22T13:00') ? { ...changed, sun_altitude: '20.5' } : changed;
  },
};

async function expectInView(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  const box = await what.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box).not.toBeNull();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
}

describe('the forecast by touch', () => {
  it('pins the hour of a tap, keeps the cursor where a drag ended, and pans a narrow chart', async () => {
    const { page, complaints } = await openScreens({ weather, settings: metric });
    await page.setViewportSize({ width: 1280, height: 800 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    onTestFinished(() => devtools.detach());
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    await slider.waitFor();
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) => {
      await devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    };
    const swipe = async (places: readonly { x: number; y: number }[]) => {
      for (const [index, at] of places.entries()) await touch(index === 0 ? 'touchStart' : 'touchMove', at);
    };
    const boxOf = async () => (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { x, y, width } = await boxOf();
    const place = (part: number) => ({ x: Math.round(x + width * part), y: y + 120 });
    const hourAt = (part: number) => String(Math.floor(part * 73) + 1);
    await touch('touchStart', place(0.25));
    await touch('touchEnd');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(hourAt(0.25));
    await page.locator('[data-kind="pinned"]').waitFor();
    await page.getByRole('button', { name: 'Close the pane' }).click();

    await swipe([0.4, 0.45, 0.5, 0.55, 0.6].map(place));
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(hourAt(0.6));
    await touch('touchEnd');
    await expect.poll(() => page.locator('[data-kind="cursor"]').count()).toBe(0);
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(hourAt(0.6));

    await page.setViewportSize({ width: 640, height: 900 });
    const scroller = page.locator('[data-panned]');
    await scroller.waitFor();
    await scroller.evaluate((box) => void (box.scrollLeft = 0));
    const narrow = await scroller.boundingBox();
    if (!narrow) throw new Error('The chart is not shown.');
    const across = [0.8, 0.7, 0.5, 0.3, 0.2].map((part) => ({
      x: Math.round(narrow.x + narrow.width * part),
      y: Math.round(narrow.y + 120),
    }));
    await swipe(across);
    await touch('touchEnd');
    await expect.poll(() => scroller.evaluate((box) => box.scrollLeft)).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });
});

describe('the forecast at 1280 × 800', () => {
  it('reads an hour, its day’s sum, and its JSON with one movement, without scrolling', async () => {
    const { page, complaints } = await openScreens({ weather, settings: { ...metric, getStarted: 'open' } });
    await page.setViewportSize({ width: 1280, height: 800 });
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    await slider.waitFor();
    expect(await page.getByRole('region', { name: 'Request and response' }).count()).toBe(0);
    await page.keyboard.press('i');
    const json = page.getByRole('region', { name: 'The response as JSON' });
    await json.waitFor();
    expect(
      await page.evaluate(() => document.scrollingElement!.scrollHeight - document.scrollingElement!.clientHeight),
    ).toBe(0);
    const box = await slider.boundingBox();
    if (!box) throw new Error('The chart is not shown.');
    // 05:12 to the end of the last hour; now, then 72 full hours.
    const [from, to] = [now, Date.parse('2026-11-25T05:00:00Z')];
    await page.mouse.move(box.x + (box.width * (mondayNine + hourMs / 2 - from)) / (to - from), box.y + 150);

    const card = page.getByRole('region', { name: 'Next 72 hours' });
    await expectInView(page, card.getByText('Mon 09:00 CET'));
    await expectInView(page, card.getByText('5.3 °C'));
    await expectInView(page, card.getByText('2.5 mm').first());
    await expectInView(page, page.getByRole('list', { name: 'Days' }).getByText('3.7 mm', { exact: true }));
    const object = json.locator('[data-here]');
    await expectInView(page, object.getByText('"2026-11-23T08:00:00"'));
    await expectInView(page, object.getByText('278.45'));
    await expectInView(page, object.getByText('2.5', { exact: true }));
    await page.mouse.move(5, 5);
    await expectInView(page, card.getByText('Sun 05:12 CET'));
    expect(complaints).toEqual([]);
  });

  it('walks by keys from load, pins, leads to deviations, and gives a screen reader every value', async () => {
    const { page } = await openScreens({ weather, settings: { ...metric, getStarted: 'closed' } });
    await page.setViewportSize({ width: 1280, height: 800 });
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    await slider.waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toBe(
        'Mon 23 Nov 09:00 CET, rainy, 5.3 degrees, 2.5 millimeters, wind 4.5 meters per second from southwest, dew point 2.0 degrees, humidity 81 percent, pressure 1011 hectopascals',
      );
    await page.keyboard.press('Home');
    const json = page.getByRole('region', { name: 'The response as JSON' });
    await page.keyboard.press('F8');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Sun 22 Nov 14:00 CET.*, 1 deviation$/);
    const deviating = json.locator('[data-deviating]').filter({ hasText: '"20.5"' });
    await expectInView(page, deviating);
    await deviating.getByRole('button', { name: 'Copy report' }).waitFor();
    await page.getByRole('textbox', { name: 'Find in the JSON' }).fill('$.objects[*].weather.measured.rainfall');
    await json.page().getByText('1 of 73', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Find in the JSON' }).fill('');
    await page.getByRole('textbox', { name: 'Find in the JSON' }).blur();

    await page.keyboard.press('i');
    await json.waitFor({ state: 'detached' });
    await page.keyboard.press('2');
    await json.waitFor();
    await page.keyboard.press('t');
    const row = page.getByRole('row', { selected: true });
    await expect.poll(() => row.getByRole('rowheader').innerText()).toBe('14:00');
    await page.getByRole('rowheader', { name: 'Sunday 22 Nov' }).waitFor();
    await page.getByText('Stored data: the weather provider isn’t responding.').waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads).toEqual(['Time', 'Status', 'Temperature, °C', 'Rain, mm', 'Wind, m/s', 'From', 'Deviations']);
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells.map((text) => text.trim())).toEqual(['cloudy', '4.0', '0.0', '4.5', '↗ SW 230°', 'sun_altitude']);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Humidity' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Humidity, %' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Humidity, %' }).waitFor();
  });
});
