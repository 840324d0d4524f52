// The screens as people use them: in a real Chromium, by mouse and by keys.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

describe('the forecast screen', () => {
  it('draws the timeline, is walked by keys, and speaks each point', async () => {
    const { page, complaints } = await openScreens();
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    // The keys work from load, without the focus.
    await slider.waitFor();
    await expect.poll(() => slider.getAttribute('aria-valuemax')).toBe('73');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('2');
    await page.keyboard.press('End');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('73');
    await page.keyboard.press('Home');
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toMatch(
        /^\w{3} \d+ \w{3} \d\d:\d\d CES?T, partly cloudy, (minus )?[\d.]+ degrees, 0\.0 millimeters, wind [\d.]+ meters per second from [a-z-]+, humidity 70 percent, pressure 1013 hectopascals$/,
      );
    await page.keyboard.press('t');
    await page.getByRole('region', { name: 'Forecast points as a table' }).waitFor();
    await expect.poll(() => page.locator('tr[aria-selected]').count()).toBe(73);
    await page.keyboard.press('t');
    await slider.waitFor();
    await page.keyboard.press('i');
    await page.getByRole('region', { name: 'Request and response' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the point’s bytes as received, the token only on request, and leads to the timing', async () => {
    const { page, core } = await openScreens({
      routes: {
        'GET /v2/weather/': () => ({
          body: `{"meta":{},"objects":[ {"sun_altitude": 1.50e1, "timestamp":"2026-11-21T00:00:00", "weather":{"status":"sunny"},"geo":{"type":"Point","coordinates":[7.70,45.10]},"icon":"http://127.0.0.1:1/v2/icons/sunny"} ]}`,
          headers: { 'content-type': 'application/json' },
        }),
      },
    });
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('tab', { name: 'cURL' }).click();
    const curl = page.getByRole('region', { name: 'The request as a curl command' });
    await expect.poll(() => curl.innerText()).toContain('"authorization: Bearer $ACCESS_TOKEN"');
    await page.getByRole('switch', { name: 'Include the token' }).click();
    const { token } = await core.client.session.reveal({ owner: 'application', what: 'access_token' });
    await curl.getByText(`Bearer ${token}`).waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('button', { name: 'Open in Traffic' }).click();
    await page.getByText('Wait for the first byte').waitFor();
    await page.getByRole('navigation').getByText('Forecast', { exact: true }).click();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('button', { name: 'More JSON actions' }).click();
    await page.getByRole('button', { name: 'Show as received' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'The response as received' }).innerText())
      .toContain(
        '{"meta":{},"objects":[ {"sun_altitude": 1.50e1, "timestamp":"2026-11-21T00:00:00", "weather":{"status":"sunny"},"geo":{"type":"Point","coordinates":[7.70,45.10]},"icon":"http://127.0.0.1:1/v2/icons/sunny"} ]}',
      );
  });
});

describe('saved places and files', () => {
  it('saves the response byte by byte, and the points as CSV', async () => {
    const { page, core } = await openScreens();
    await page.getByRole('slider').waitFor();
    const forecast = await core.client.forecast.get({ lat: 45.0703, lng: 7.6869 });
    const save = async (what: RegExp) => {
      await page.getByRole('button', { name: 'More' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: what }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const json = await save(/JSON/);
    expect(json.name).toMatch(/^rainbell-turin-.*Z\.json$/);
    expect((JSON.parse(json.text) as { objects: unknown[] }).objects.length).toBe(forecast.points.length);
    const csv = await save(/CSV/);
    expect(csv.text.split('\r\n').length).toBe(forecast.points.length + 2);
  });

  it('shows the saved places on one board, which opens into the full view', async () => {
    const place = { name: 'Reykjavík', countryCode: 'IS', lat: 64.1466, lng: -21.9426, population: null };
    const other = { ...place, name: 'Akureyri', lat: 65.6835, lng: -18.0878 };
    const { page, service } = await openScreens({ settings: { savedPlaces: [place, other] } });
    const slider = page.getByRole('slider');
    await slider.waitFor();
    const answer = service.routes['GET /v2/weather/'];
    let isDown = true;
    service.routes['GET /v2/weather/'] = (request, count) =>
      answer && !(isDown && request.url.includes('65.6835')) ? answer(request, count) : { status: 403, body: {} };
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Saved places (2)' }).click();
    await page
      .getByRole('img', { name: /rain|dry|precipitation/i })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByRole('alert').getByText('does not allow this').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Retry Akureyri, Iceland' }).click();
    await expect.poll(() => page.getByRole('img', { name: /rain|dry|precipitation/i }).count()).toBe(2);
    await page.getByRole('button', { name: 'Open Reykjavík, Iceland' }).click();
    await page.getByText('64.1466, −21.9426').first().waitFor();
    await expect.poll(() => slider.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(service.requestsTo('GET /v2/weather/').some(({ url }) => url.includes('location_lat=64.1466'))).toBe(true);
  });
});

describe('the frame', () => {
  it('says that a restarted host no longer accepts this window, and what to open', async () => {
    const { page, core, restartServer } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    await restartServer();
    // The restarted server knows no session of this page: only its newest address helps, and the page says that.
    await page.getByText('This page isn’t signed in').waitFor();
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
  });
});

it('shows the forecast without the point’s details if their file cannot be loaded, and says so in their place', async () => {
  const { page } = await openScreens();
  const inspect = page.getByRole('button', { name: 'Inspect' });
  // By then the page has exchanged its ticket for a session.
  await inspect.waitFor();
  await page.route(/PointDetails/, (route) => route.abort());
  await page.reload();
  await inspect.click();
  await page.getByRole('alert').getByRole('heading', { name: 'The point details pane stopped working' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Next 72 hours' }).isVisible()).toBe(true);
});
