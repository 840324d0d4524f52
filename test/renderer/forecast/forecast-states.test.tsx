// Every state the forecast can be in, drawn with what to do next, with axe in light and dark, and every key of the screen.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import type { TrafficEntry } from '#contract/app-rpc/traffic.ts';
import { keepFresh } from '#renderer/features/forecast/common/auto-refresh.ts';
import { expectAccessible } from '../axe.ts';
import { findLayoutProblems } from '../layout-problems.ts';
import { expectGone, expectShown, forecastOf, openApp, readyStatus } from '../open-app.ts';
import { sampleExchange } from '../sample-traffic.ts';
import { AppError, type Stubs } from '../stub-client.ts';

const slider = page.getByRole('slider', { name: 'Forecast points' });
const alert = page.getByRole('alert');
const fetching = page.getByRole('status').filter({ hasText: /^Fetching .*, \d+\.\d s/ });

const forecastBy = (get: () => Forecast | Promise<Forecast>): Stubs => ({ forecast: { get } });
const never = () => new Promise<Forecast>(() => {});

/** What core reports, and the words that must be on the screen then; the others differ only in their text. */
const failures: readonly [name: string, failure: AppError, words: RegExp][] = [
  ['a refused token', new AppError('ACCESS_REFUSED', 'The token is revoked', { needs: 'sign_in' }), /token|sign in/i],
  ['a rate limit', new AppError('RATE_LIMITED', 'Slow down', { retryAfterSeconds: 300 }), /Slow down|300 s|5 min/],
  ['an error of the service', new AppError('SERVER', 'The disk is full', { httpStatus: 503 }), /The disk is full|503/],
  ['no connection', new AppError('NETWORK', 'The service could not be reached'), /reached/],
];

const exchangeOf = (id: number, responseBody: string): TrafficEntry =>
  sampleExchange(id, {
    sizeBytes: responseBody.length,
    responseHeaders: [['content-type', 'text/html']],
    responseBody,
  });

const boxOfChart = () => slider.element().getBoundingClientRect().toJSON() as DOMRect;

describe('the forecast screen', () => {
  it('shows for how long it has been loading, over old data and without any', async () => {
    const { stub } = openApp();
    await expectShown(slider);
    // The sentence may take one line less in its own font.
    await Promise.all([...document.fonts].map((font) => font.load()));
    const before = boxOfChart();
    stub(forecastBy(never));
    await userEvent.keyboard('{F5}');
    await expectShown(fetching);
    expect(boxOfChart()).toEqual(before);
    openApp({ stubs: forecastBy(never) });
    await expect.poll(() => document.querySelector('[data-outline]')).not.toBeNull();
    await expectShown(fetching);
    await expectAccessible('loading without data');
  });

  it.each(failures)('shows %s over the old data, and in its place without any, until a retry works', async (...row) => {
    const [name, failure, words] = row;
    const hasMostParts = name === 'a refused token';
    const { stub } = openApp();
    await expectShown(slider);
    const { top } = boxOfChart();
    stub(forecastBy(() => Promise.reject(failure)));
    await userEvent.keyboard('{F5}');
    await expect.element(alert).toMatchTextContent(/Couldn’t fetch the forecast/);
    await expect.element(alert).toMatchTextContent(words);
    expect(boxOfChart().top).toBe(top);
    // The data have one age, wherever it is shown; each place counts on for itself.
    const ages = () => new Set([...document.body.innerText.matchAll(/\d+ \S+(?= old)/g)].map(String)).size;
    await expect.poll(ages).toBe(1);
    await expectShown(slider);
    if (hasMostParts) await expectAccessible(`${name} over old data`);

    const again = openApp({ stubs: forecastBy(() => Promise.reject(failure)) });
    await expectShown(page.getByRole('heading', { name: 'Couldn’t fetch the forecast' }));
    await expectShown(alert.getByText(words).first());
    if (hasMostParts) await expectAccessible(`${name} without data`);
    again.stub(forecastBy(forecastOf));
    await alert.getByRole('button', { name: /^Retry/ }).click();
    await expectShown(slider);
    await expectGone(alert);
  });

  it('is fetched again once there is a newer token than the refused one, and waits for the user otherwise', async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const refusal = new AppError('UNAUTHORIZED_CLIENT', 'You aren’t signed in', { needs: 'sign_in', at });
    let fetches = 0;
    const { stub, notify } = openApp({
      stubs: {
        app: { status: () => ({ ...readyStatus, token: { ...readyStatus.token, state: 'none' } }) },
        ...forecastBy(() => {
          fetches += 1;
          return Promise.reject(refusal);
        }),
      },
    });
    await expectShown(page.getByText('You aren’t signed in').first());
    const token = { ...readyStatus.token, owner: 'user', obtainedAt: new Date(Date.parse(at) - 1).toISOString() };
    const statusWith = (changes: object) => () => ({ ...readyStatus, token: { ...token, ...changes } }) as AppStatus;
    // Refused with this very token.
    stub({ app: { status: statusWith({}) } });
    notify({ topic: 'status' });
    const bar = page.getByRole('contentinfo', { name: 'Status' });
    await expectShown(bar.getByRole('button', { name: /^User token: \d+ / }));
    expect(fetches).toBe(1);
    stub({ app: { status: statusWith({ obtainedAt: new Date().toISOString() }) }, ...forecastBy(forecastOf) });
    notify({ topic: 'session' });
    await expectShown(slider);
    await expectGone(page.getByText('You aren’t signed in'));
  });

  it('counts down to one retry time, shows the body as received, and opens exactly the request that failed', async () => {
    const entry = exchangeOf(7, '<html>Gateway is down');
    const { stub, store } = openApp({
      stubs: {
        traffic: { list: () => ({ items: [exchangeOf(8, ''), entry], total: 2, newestId: 8 }), get: () => entry },
      },
    });
    keepFresh(store, window);
    await expectShown(slider);
    const limited = new AppError('RATE_LIMITED', 'Slow down', { retryAfterSeconds: 3 });
    stub(forecastBy(() => Promise.reject(limited)));
    await userEvent.keyboard('{F5}');
    await expect.element(alert).toMatchTextContent(/Retrying in [0-3] s/);
    expect(alert.element().textContent.match(/\b\d+ (s|min)\b/g)).toHaveLength(1);
    stub(forecastBy(forecastOf));
    await expectGone(alert);

    const broken = new AppError('PROTOCOL', 'The response is not JSON', { httpStatus: 200, trafficId: 7 });
    stub(forecastBy(() => Promise.reject(broken)));
    await userEvent.keyboard('{F5}');
    await alert.getByRole('button', { name: 'Open in Traffic' }).click();
    await expect.poll(() => location.hash).toMatch(/^#\/traffic\/7/);
    await expectShown(page.getByRole('region', { name: 'Request details' }));

    openApp({ stubs: { ...forecastBy(() => Promise.reject(broken)), traffic: { get: () => entry } } });
    await expectShown(page.getByText('<html>Gateway is down'));
    await expectShown(page.getByText('Status 200 · text/html · 21 B'));
  });

  it('asks for no weather of saved places while another screen is shown', async () => {
    const oslo = { lat: 59.91, lng: 10.75, name: 'Oslo', countryCode: 'NO', population: null };
    const asked: number[] = [];
    const get = ({ lat }: { lat: number }) => {
      asked.push(lat);
      return forecastOf();
    };
    const settings = { savedPlaces: [oslo] };
    const { store } = openApp({ hash: '#/traffic', settings, stubs: { forecast: { get } } });
    keepFresh(store, window);
    await expectShown(page.getByLabelText('Filter by URL'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(asked).not.toContain(oslo.lat);
  });

  it('shows the weather of one place never under the name of another', async () => {
    const nairobi = { lat: -1.29, lng: 36.82, name: 'Nairobi', countryCode: 'KE', population: null };
    const turin = { lat: 45.07, lng: 7.69, name: 'Turin', countryCode: 'IT', population: null };
    const place = { lat: nairobi.lat, lng: nairobi.lng };
    const { stub } = openApp({
      hash: `#/forecast?lat=${place.lat}&lng=${place.lng}`,
      settings: { savedPlaces: [nairobi, turin] },
      stubs: forecastBy(() => forecastOf({ place })),
    });
    const tab = (name: string) => page.getByRole('group', { name: 'Saved places' }).getByRole('button', { name });
    await expect.element(tab('Nairobi')).toMatchTextContent(/\d°/);
    stub(forecastBy(never));
    await tab('Turin').click();
    await expectShown(fetching);
    await expectGone(slider);
    await expectGone(page.getByRole('region', { name: 'Weather now' }));
    stub(forecastBy(() => Promise.reject(new AppError('NETWORK', 'The service could not be reached'))));
    await userEvent.keyboard('{F5}');
    await expectShown(page.getByRole('heading', { name: 'Couldn’t fetch the forecast' }));
    await expectGone(slider);
  });

  it('names the hours of a day that the forecast covers only in part', async () => {
    openApp({
      settings: { zone: 'utc', clockFormat: '24' },
      stubs: forecastBy(() => forecastOf({ now: Date.UTC(2026, 10, 21, 6, 30) })),
    });
    const days = page.getByRole('list', { name: 'Days' }).getByRole('listitem');
    await expect.element(days.first()).toMatchTextContent(/^Sat 21from 06:30/);
    await expect.element(days.last()).toMatchTextContent(/^Tue 24to 07:00/);
    await expect.element(days.nth(1)).not.toMatchTextContent(/from|to/);
  });

  it('calls a first point of six hours ago old data, not now', async () => {
    const now = Date.now();
    const old = forecastOf({ now: now - 6 * 3_600_000 });
    const date = ['date', new Date(now).toUTCString()] as [string, string];
    const forecast = { ...old, fetchedAt: new Date(now).toISOString(), response: { ...old.response, headers: [date] } };
    openApp({ stubs: forecastBy(() => forecast) });
    await expect.element(page.getByRole('region', { name: 'Weather now' })).toMatchTextContent(/Data from .*, 6 h old/);
    await expect.element(page.getByRole('contentinfo', { name: 'Status' })).toMatchTextContent(/Stale, 6 h old/);
  });

  it('names the change of the clocks, and opens the table of a link', async () => {
    const now = Date.parse('2026-10-24T20:00:00Z');
    openApp({
      hash: '#/forecast?table=1',
      settings: { clockFormat: '24' },
      stubs: forecastBy(() => forecastOf({ now })),
    });
    await expectShown(page.getByText(/Clock change Sun 25.*, 03:00 CEST → 02:00 CET/));
    await expectShown(page.getByRole('table'));
  });

  it('draws an answer without points as what it is', async () => {
    openApp({ stubs: forecastBy(() => ({ ...forecastOf({ count: 0 }) })) });
    await expectShown(page.getByText('The response has no points with a readable time.'));
    await expectAccessible('no points');
  });

  it('says that the service starts, that it failed to, that data is old, and that the line is lost', async () => {
    const status = { ...readyStatus, connection: { ...readyStatus.connection, state: 'starting' as const } };
    const { stub, notify, loseLine } = openApp({ stubs: { app: { status: () => status } } });
    await expectShown(page.getByText('The weather service is starting…'));
    const problem = { code: 'SERVER', message: 'Its database is locked', details: {} } as const;
    stub({ app: { status: () => ({ ...status, connection: { ...status.connection, state: 'failed', problem } }) } });
    notify({ topic: 'status' });
    await expectShown(page.getByRole('heading', { name: 'No forecast yet' }));
    // An hour ago there was no other fetch: the service no longer answers.
    const old = new Date(Date.now() - 3_600_000).toISOString();
    stub({ app: { status: () => readyStatus }, ...forecastBy(() => ({ ...forecastOf(), fetchedAt: old })) });
    notify({ topic: 'status' });
    await expectShown(page.getByText(/^Data from .*, 1 h( \d+ min)? old$/).first());
    loseLine();
    await expectShown(page.getByText('Connection lost').first());
    await expectShown(slider);
    await expectAccessible('line lost');
  });

  it('inspects the point at the cursor by Enter, and is fetched by F5 wherever the focus is', async () => {
    let fetches = 0;
    const get = () => {
      fetches += 1;
      return forecastOf();
    };
    openApp({ stubs: forecastBy(get) });
    await expectShown(slider);
    slider.element().focus();
    await userEvent.keyboard('{End}{Enter}');
    await expectShown(page.getByRole('region', { name: 'Request and response' }));
    await userEvent.keyboard('{Home}');
    await expect.element(slider).toHaveAttribute('aria-valuenow', '1');
    page.getByRole('button', { name: 'Fetch', exact: true }).element().focus();
    const before = fetches;
    await userEvent.keyboard('{F5}');
    await expect.poll(() => fetches).toBe(before + 1);
  });

  it('is for reading first, and remembers whether the response is inspected', async () => {
    const pane = page.getByRole('region', { name: 'Request and response' });
    openApp();
    await expectShown(slider);
    await expectGone(pane);
    await userEvent.keyboard('i');
    await expectShown(pane);
    openApp();
    await expectShown(pane);
    await page.getByRole('button', { name: 'Close the pane' }).click();
    await expectGone(pane);
    openApp();
    await expectShown(slider);
    await expectGone(pane);
    // Below the chart of a low window, and narrow beside it.
    await page.viewport(853, 533);
    await slider.click();
    await expect.element(pane).toBeInViewport({ ratio: 0.9 });
    await page.viewport(1024, 768);
    await expect.poll(findLayoutProblems).toEqual([]);
  });

  it('says the values of all compared sides at the cursor', async () => {
    openApp({
      hash: '#/forecast?compare=45,7;60,10',
      stubs: {
        forecast: {
          get: ({ lat, lng }) => forecastOf({ place: { lat, lng }, statuses: [lat > 50 ? 'snowy' : 'sunny'] }),
        },
      },
    });
    const hours = page.getByRole('slider', { name: 'Compared hours' });
    await expectShown(hours);
    const said = () => hours.element().getAttribute('aria-valuetext');
    const before = said();
    expect(before).toMatch(/, A (?:sunny|clear) .* °C .*, B snowy .* °C /);
    hours.element().focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(said).not.toBe(before);
    const values = page.getByRole('table', { name: 'Values at the cursor' });
    await expectShown(values);
    // At 150 %, no value overlaps another.
    await page.viewport(853, 533);
    for (const cell of values.element().querySelectorAll('th, td'))
      expect([cell.textContent, cell.scrollWidth > cell.clientWidth]).toEqual([cell.textContent, false]);
  });

  it('shows the HTTP status of an icon that does not load in text that fits into its box, however long it is', async () => {
    openApp({
      stubs: {
        forecast: {
          get: () => forecastOf({ statuses: ['thunderstorming-heavily'] }),
          icon: () => ({ state: 'failed', short: '503', reason: 'returned 503' }),
        },
      },
    });
    await expectShown(slider);
    // Large beside the present weather, and again in the pane.
    await userEvent.keyboard('1');
    const boxes = page.getByRole('img', { name: /returned 503$/ });
    await expect.poll(() => boxes.length).toBeGreaterThan(1);
    const excess = boxes
      .elements()
      .flatMap((box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]);
    expect(Math.max(...excess)).toBeLessThanOrEqual(0);
  });
});
