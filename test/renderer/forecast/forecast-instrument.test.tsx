// The forecast as an instrument: every value of an hour within one movement and inside the window, and what a screen reader says.
import { expect, it, onTestFinished } from 'vitest';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import { expectGone, expectShown, forecastOf, openApp } from '../open-app.ts';

const hourMs = 3_600_000;
/** A Sunday, 05:12 in Turin. */
const now = Date.parse('2026-11-22T04:12:00Z');
const mondayNine = Date.parse('2026-11-23T08:00:00Z');
const metric = { temperatureUnit: '°C', precipitationUnit: 'mm', windUnit: 'm/s', clockFormat: '24' } as const;

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

const slider = page.getByRole('slider', { name: 'Forecast points' });
const said = () => slider.element().getAttribute('aria-valuetext');
const json = page.getByRole('region', { name: 'The response as JSON' });
const { keyboard } = userEvent;

async function open(settings: object = {}): Promise<void> {
  const forecast = forecastOf(weather);
  await page.viewport(1280, 800);
  openApp({ settings: { ...metric, ...settings }, stubs: { forecast: { get: () => forecast } } });
  await expectShown(slider);
}

async function expectInView(what: Locator): Promise<void> {
  await expectShown(what);
  const { left, top, right, bottom } = what.element().getBoundingClientRect();
  expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(window.innerWidth);
  expect(bottom).toBeLessThanOrEqual(window.innerHeight);
}

it('the curve names the highest and the lowest temperature of a day', async () => {
  await open();
  const named = Array.from(document.querySelectorAll('text[data-kind="temperature"]'), (label) => label.textContent);
  expect(named).toContain('4°');
  expect(named.filter((label) => label !== '4°')).toEqual(['5°']);
});

it('by touch, a tap inspects its hour, and the cursor stays where a drag ended', async () => {
  await open();
  const { send } = cdp() as unknown as { send: (method: string, input: object) => Promise<unknown> };
  await send('Emulation.setTouchEmulationEnabled', { enabled: true });
  onTestFinished(async () => void (await send('Emulation.setTouchEmulationEnabled', { enabled: false })));
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  const swipe = async (places: readonly { x: number; y: number }[]) => {
    for (const [index, at] of places.entries()) await touch(index === 0 ? 'touchStart' : 'touchMove', at);
  };
  const { x, y, width } = slider.element().getBoundingClientRect();
  const place = (part: number) => ({ x: Math.round(x + width * part), y: y + 120 });
  const hourAt = (part: number) => String(Math.floor(part * 73) + 1);
  const shownHour = () => slider.element().getAttribute('aria-valuenow');
  await touch('touchStart', place(0.25));
  await touch('touchEnd');
  await expect.poll(shownHour).toBe(hourAt(0.25));
  await page.getByRole('button', { name: 'Close the pane' }).click();

  await swipe([0.4, 0.45, 0.5, 0.55, 0.6].map(place));
  await expect.poll(shownHour).toBe(hourAt(0.6));
  await touch('touchEnd');
  await expect.poll(shownHour).toBe(hourAt(0.6));
});

it('shows an hour, its day’s sum, and its JSON with one movement, without scrolling', async () => {
  await open({ getStarted: 'open' });
  await expectGone(page.getByRole('region', { name: 'Request and response' }));
  await keyboard('i');
  await expectShown(json);
  expect(document.scrollingElement!.scrollHeight).toBe(document.scrollingElement!.clientHeight);
  const { width } = slider.element().getBoundingClientRect();
  // 05:12 to the end of the last hour; now, then 72 full hours.
  const [from, to] = [now, Date.parse('2026-11-25T05:00:00Z')];
  const x = Math.round((width * (mondayNine + hourMs / 2 - from)) / (to - from));
  await slider.hover({ position: { x, y: 150 } });
  const card = page.getByRole('region', { name: 'Next 72 hours' });
  await expectInView(card.getByText('Mon 09:00 CET'));
  await expectInView(card.getByText('5.3 °C'));
  await expectInView(card.getByText('2.5 mm').first());
  await expectInView(page.getByRole('list', { name: 'Days' }).getByText('3.7 mm', { exact: true }));
  const object = () =>
    [...json.element().querySelectorAll('[data-here]')].map(({ textContent }) => textContent).join('\n');
  await expect.poll(object).toMatch(/"2026-11-23T08:00:00"[^]*278\.45[^]*2\.5/);
  await expectInView(json.getByText('"2026-11-23T08:00:00"'));
  await page.getByRole('contentinfo', { name: 'Status' }).hover();
  await expectInView(card.getByText('Sun 05:12 CET'));
});

it('walks by keys from load, leads to deviations, and gives a screen reader every value', async () => {
  await open({ getStarted: 'closed' });
  await keyboard('{Shift>}{ArrowRight}{/Shift}');
  await expect
    .poll(said)
    .toBe(
      'Mon 23 Nov 09:00 CET, rainy, 5.3 degrees, 2.5 millimeters, wind 4.5 meters per second from southwest, dew point 2.0 degrees, humidity 81 percent, pressure 1011 hectopascals',
    );
  await keyboard('{Home}');
  await page.getByRole('button', { name: 'Show next' }).click();
  await expect.poll(said).toMatch(/^Sun 22 Nov 14:00 CET.*, 1 deviation$/);
  await expectInView(json.getByText('"20.5"').first());
  await expect.element(page.getByRole('radio', { name: 'JSON with deviations', exact: true })).toBeChecked();
  await keyboard('i');
  await expectGone(json);
  await keyboard('2');
  await expectShown(json);
  await keyboard('t');
  const row = page.getByRole('row', { selected: true });
  await expect.element(row.getByRole('rowheader')).toHaveTextContent('14:00');
  await expectShown(page.getByText(/^Sunday 22 Nov/).first());
  await expectShown(page.getByText('Stored data: the weather provider isn’t responding.'));
  const texts = (cells: Locator) => cells.elements().map(({ textContent }) => textContent.trim());
  const heads = page.getByRole('columnheader');
  expect(texts(heads)).toEqual(['Time', 'Status', 'Temperature, °C', 'Rain, mm', 'Wind, m/s', 'From', 'Deviations']);
  expect(texts(row.getByRole('cell'))).toEqual(['cloudy', '4.0', '0.0', '4.5', '↗ SW 230°', 'sun_altitude']);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Humidity' }).click();
  await keyboard('{Escape}');
  await expectShown(page.getByRole('columnheader', { name: 'Humidity, %' }));
});
