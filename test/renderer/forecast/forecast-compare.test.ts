// Comparing forecasts: first only the decision, then the view in a real Chromium over a real core: two fetches, two places,
// two connections, and every state a side can be in.
import { describe, expect, it } from 'vitest';
import { compareForecasts } from '#renderer/features/forecast/compare/compare-forecasts.ts';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { forecastOf, hour, pointsOf, start } from './forecast-points.ts';
import { openScreens, type Screens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

describe('two forecasts', () => {
  const units = createUnitFormat(unitPresets.Metric, 'en-GB');
  const measured = (values: readonly ForecastPoint['measured'][]) => (point: ForecastPoint, index: number) => ({
    ...point,
    measured: values[index] ?? null,
  });

  it('are compared hour by hour, and neighboring differences are one row', () => {
    const before = forecastOf(pointsOf(start, ['sunny', 'cloudy', 'cloudy', 'rainy', 'foggy']));
    const after = forecastOf(pointsOf(start + hour, ['rainy', 'rainy', 'rainy', 'windy', 'sunny']));
    const compared = compareForecasts([before, after], units);
    expect(compared).toMatchObject({
      sides: [{ shared: 4, differing: 3, onlyFirst: 1, onlyOther: 1, now: [] }],
      now: [],
    });
    expect(compared.differences).toEqual([
      { field: 'status', from: start + hour, until: start + 2 * hour, first: 'cloudy', others: ['rainy'] },
      { field: 'status', from: start + 4 * hour, until: start + 4 * hour, first: 'foggy', others: ['windy'] },
    ]);
  });

  it('differ in each field whose shown value differs, and in no other', () => {
    const statuses = ['cloudy', 'cloudy', 'cloudy'];
    const before = [
      { temperature: 281.06, rainfall: 0.42, wind_direction: 90 },
      { temperature: 281.06, rainfall: 0.4 },
      { temperature: 280, rainfall: 0 },
    ];
    const after = [
      { temperature: 281.09, rainfall: 0.38, wind_direction: 92 },
      { temperature: 283.06, rainfall: 0.4 },
      { temperature: 280.9 },
    ];
    const compared = compareForecasts(
      [forecastOf(pointsOf(start, statuses, measured(before))), forecastOf(pointsOf(start, statuses, measured(after)))],
      units,
    );
    expect(
      compared.differences.map(({ field, from, first, others }) => [field, (from - start) / hour, first, ...others]),
    ).toEqual([
      ['temperature', 1, '7.9 °C', '9.9 °C'],
      ['temperature', 2, '6.9 °C', '7.8 °C'],
      ['rain', 2, '0.0 mm', 'not sent'],
    ]);
    expect(compared.sides[0]?.fields).toMatchObject([
      { field: 'temperature', differing: 2, widest: { at: start + hour } },
      { field: 'rain', differing: 1, widest: null },
    ]);
    expect(compared.sides[0]?.differing).toBe(2);
  });

  it('never differ from themselves', () => {
    const one = forecastOf(pointsOf(start, ['rainy', 'unknown', 'odd'], measured([{ temperature: 280 }])));
    expect(compareForecasts([one, one, one], units)).toMatchObject({
      sides: [
        { differing: 0, fields: [] },
        { differing: 0, fields: [] },
      ],
      differences: [],
      now: [],
    });
  });

  it('compare the current weather apart from the hours', () => {
    const fetchAt = (minutes: number, status: string) =>
      forecastOf([...pointsOf(start + minutes * 60_000, [status]), ...pointsOf(start + hour, ['cloudy', 'cloudy'])]);
    const compared = compareForecasts([fetchAt(12, 'rainy'), fetchAt(47, 'cloudy'), fetchAt(50, 'rainy')], units);
    const same = { shared: 2, differing: 0, onlyFirst: 0, onlyOther: 0 };
    expect(compared).toMatchObject({
      sides: [
        { ...same, now: ['status'] },
        { ...same, now: [] },
      ],
      differences: [],
    });
    expect(compared.now).toMatchObject([{ field: 'status', first: 'rainy', others: ['cloudy', 'rainy'] }]);
  });

  it('without a common hour share nothing', () => {
    const compared = compareForecasts(
      [forecastOf(pointsOf(start, ['sunny'])), forecastOf(pointsOf(start + 80 * hour, ['rainy', 'rainy']))],
      units,
    );
    expect(compared).toMatchObject({
      sides: [{ shared: 0, onlyFirst: 1, onlyOther: 2, fields: [] }],
      differences: [],
    });
  });
});

describe('three or four forecasts', () => {
  const units = createUnitFormat(unitPresets.Metric, 'en-GB');

  it('are each compared with the first, and hours that all have alike are one row', () => {
    const compared = compareForecasts(
      [
        forecastOf(pointsOf(start, ['cloudy', 'cloudy', 'cloudy', 'foggy'])),
        forecastOf(pointsOf(start, ['rainy', 'rainy', 'rainy', 'foggy'])),
        forecastOf(pointsOf(start + hour, ['cloudy', 'cloudy', 'foggy'])),
        forecastOf(pointsOf(start, ['cloudy', 'snowy', 'snowy', 'foggy'])),
      ],
      units,
    );
    const row = { field: 'status', first: 'cloudy' };
    expect(compared.differences).toEqual([
      { ...row, from: start, until: start, others: ['rainy', null, 'cloudy'] },
      { ...row, from: start + hour, until: start + 2 * hour, others: ['rainy', 'cloudy', 'snowy'] },
    ]);
    expect(compared.sides).toMatchObject([
      { shared: 4, differing: 3, onlyFirst: 0 },
      { shared: 3, differing: 0, onlyFirst: 1 },
      { shared: 4, differing: 2, onlyFirst: 0 },
    ]);
  });
});

const now = Date.now();

/** Two kept fetches: the second, and all after it, rain where the first was dry. */
async function openTwice(settings: Record<string, unknown> = {}): Promise<Screens> {
  const screens = await openScreens({
    settings,
    routes: {
      'GET /v2/weather/': ({ headers }, count) => ({
        body: weatherBody({
          now,
          iconBase: `http://${headers.host}`,
          statuses: count > 1 ? ['cloudy', 'rainy', 'rainy'] : ['cloudy'],
        }),
      }),
    },
  });
  await screens.page.getByRole('slider').waitFor();
  await screens.page.keyboard.press('F5');
  await expect.poll(async () => (await screens.core.client.forecast.history(torino)).fetches.length).toBe(2);
  return screens;
}
const torino = { lat: 45.0703, lng: 7.6869 };

describe('the comparison', () => {
  it('of two fetches names what changed, with only the keyboard, in the light and in the dark', async () => {
    const { page, complaints } = await openTwice({ theme: 'light' });
    await page.keyboard.press('c');
    await page.getByText(/\d+ of 72 hours differ:/).waitFor();
    await page.getByRole('cell', { name: 'rainy' }).first().waitFor();
    await page.keyboard.press('c');
    await page.getByRole('slider').waitFor();
    expect(complaints).toEqual([]);
  });

  it('of two places is reached from the palette and keeps the loaded side if the other fails', async () => {
    const reykjavik = { name: 'Reykjavík', countryCode: 'IS', lat: 64.1466, lng: -21.9426, population: null };
    const { page, service } = await openTwice({ savedPlaces: [reykjavik] });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).fill('compare');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
    service.routes['GET /v2/weather/'] = () => ({
      status: 503,
      body: { error: 'temporarily_unavailable', error_description: 'Down for a minute' },
    });
    const second = page.getByRole('combobox', { name: 'B', exact: true });
    await second.focus();
    await second.selectOption({ label: 'Reykjavík, Iceland · now' });
    const alert = page.getByRole('alert');
    await alert.getByText('Couldn’t fetch forecast B').waitFor();
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now, count: 40, place: reykjavik, iconBase: service.baseUrl, statuses: ['snowy'] }),
    });
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/39 of 39 hours differ: .* 33 hours only in A\./).waitFor();
    await expect.poll(() => alert.count()).toBe(0);
  });

  it('of three fetches, in every track, goes into the link, can be rearranged, and is a step of the history', async () => {
    const { page, core } = await openTwice();
    await page.keyboard.press('F5');
    await expect.poll(async () => (await core.client.forecast.history(torino)).fetches.length).toBe(3);
    await page.keyboard.press('c');
    await page.getByText(/\d+ of 72 hours differ:|No differences in the 72 shared hours/).waitFor();
    const third = page.getByRole('combobox', { name: 'Add a forecast' });
    await third.focus();
    await third.selectOption({ value: 'fetch:1' });
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('&more=fetch:1');
    await page.getByRole('columnheader', { name: 'C', exact: true }).waitFor();
    await page.getByText(/^C: \d+ of 72 hours differ/).waitFor();
    const tracks = page.locator('[data-side="2"]');
    // A band, and each measured value that the service sends.
    await expect.poll(() => tracks.count()).toBe(1 + 5);
    // A band is a few shapes however many runs it has, and names the run under the pointer.
    const word = tracks.first().locator('text').first();
    await word.waitFor();
    const box = await word.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 8);
    await expect.poll(() => tracks.first().locator('title').textContent()).toBe(await word.textContent());
    await page.getByRole('button', { name: 'Compare the others with C' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/a=fetch:1&b=fetch:\d+&more=fetch:\d+/);
    await page.getByRole('button', { name: 'Remove C' }).click();
    await page.getByRole('columnheader', { name: 'C', exact: true }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('columnheader', { name: 'C', exact: true }).waitFor();
  });

  it('of two connections asks each with its own token', async () => {
    const { page, service, core } = await openTwice();
    const { id } = await core.client.connections.create({
      name: 'Team',
      baseUrl: service.baseUrl,
      authUrl: service.baseUrl,
      clientId: 'team',
      clientSecret: 'secret-of-team',
      isPublic: false,
      redirectUri: 'http://127.0.0.1:7777/callback',
      color: 'blue',
      scope: '',
      caPem: null,
      proxyUrl: null,
    });
    const tokens = service.requestsTo('POST /token/').length;
    await page.evaluate((hash) => void (location.hash = hash), `#/forecast?a=45.0703,7.6869&b=45.0703,7.6869@${id}`);
    await page.getByText('No differences in the 72 shared hours.').waitFor();
    expect(service.requestsTo('POST /token/').length).toBe(tokens + 1);
    await page.getByRole('button', { name: 'Close the comparison' }).click();
    await page.getByRole('slider').waitFor();
  });

  it('says that two forecasts share no instant, that a fetch is gone, and that a link is wrong', async () => {
    const { page, service } = await openTwice();
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now: now + 400 * hour, iconBase: service.baseUrl }),
    });
    const open = (hash: string) => page.evaluate((wanted) => void (location.hash = wanted), hash);
    await open('#/forecast?a=fetch:1&b=45.0703,7.6869');
    await page.getByText(/A and B have no hours in common: A covers/).waitFor();
    await open('#/forecast?a=fetch:1&b=fetch:9999');
    await page.getByText('Forecast 9999 is no longer stored').waitFor();
    await open('#/forecast?a=here&b=there');
    await expect.poll(() => page.getByText('“a=here” must be a place such as 45.07,7.69').count()).toBe(1);
  });
});
