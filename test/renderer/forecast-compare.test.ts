// Comparing forecasts: the decision by itself, then the view in a real Chromium over a real core: two fetches, two places,
// two connections, and every state a side can be in.
import { describe, expect, it, vi } from 'vitest';
import { compareForecasts } from '#renderer/features/forecast/compare/compare-forecasts.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { forecastOf, pointsOf } from './forecast-points.ts';
import { openScreens, type Screens } from './screen-harness.ts';
import { weatherBody } from './weather-bodies.ts';

vi.setConfig({ testTimeout: 60_000 });

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 21, 0);

describe('two forecasts', () => {
  it('are held together by their instants, and neighbouring differences are told once', () => {
    const before = forecastOf(pointsOf(start, ['sunny', 'cloudy', 'cloudy', 'rainy', 'foggy']));
    const after = forecastOf(pointsOf(start + hour, ['rainy', 'rainy', 'rainy', 'windy', 'sunny']));
    const { shared, differing, onlyFirst, onlySecond, differences } = compareForecasts(before, after);
    expect({ shared, differing, onlyFirst, onlySecond }).toEqual({
      shared: 4,
      differing: 3,
      onlyFirst: 1,
      onlySecond: 1,
    });
    expect(
      differences.map(({ from, until, first, second }) => [
        (from - start) / hour,
        (until - start) / hour,
        first,
        second,
      ]),
    ).toEqual([
      [1, 2, 'cloudy', 'rainy'],
      [4, 4, 'foggy', 'windy'],
    ]);
  });

  it('without a common instant share nothing', () => {
    const compared = compareForecasts(
      forecastOf(pointsOf(start, ['sunny'])),
      forecastOf(pointsOf(start + 80 * hour, ['rainy', 'rainy'])),
    );
    expect(compared).toMatchObject({ shared: 0, onlyFirst: 1, onlySecond: 2, differences: [], warmest: null });
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
  it.each(['light', 'dark'])('of two fetches names what changed, by keys alone, in the %s', async (theme) => {
    const { page, complaints } = await openTwice({ theme });
    await page.keyboard.press('c');
    await page.getByText(/\d+ of 73 shared instants differ\./).waitFor();
    await page.getByRole('cell', { name: 'rainy' }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('c');
    await page.getByRole('slider').waitFor();
    expect(complaints).toEqual([]);
  });

  it('of two places is reached from the palette and keeps the side that stands when the other fails', async () => {
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
    await page.getByRole('combobox', { name: 'B', exact: true }).click();
    await page.getByRole('option', { name: /Reykjavík/ }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Couldn’t fetch B').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now, count: 40, place: reykjavik, iconBase: service.baseUrl, statuses: ['snowy'] }),
    });
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/40 of 40 shared instants differ\. 33 only in A\./).waitFor();
    await alert.waitFor({ state: 'detached' });
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
    await page.getByText('The words are the same at all 73 shared instants.').waitFor();
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
    await page.getByText(/No instant is in both: A tells of/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await open('#/forecast?a=fetch:1&b=fetch:9999');
    await page.getByText('The fetch 9999 is no longer kept').waitFor();
    await open('#/forecast?a=here&b=there');
    await page.getByText('“a=here” must be a place such as 45.07,7.69').waitFor();
  });
});
