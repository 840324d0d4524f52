// The monitor manager in real Chromium beside a service that reports deliveries as ours does, with a clock of its own; and
// beside one that has only the interface.
import { describe, expect, it } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import type { Route } from '#test/core/fake-service.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

const minuteMs = 60_000;
/** The service's clock was moved by a day and a bit. */
const aheadMs = 30 * 60 * minuteMs;
const serviceNow = () => Date.now() + aheadMs;
const wireTime = (minutesAgo: number) => formatTimestamp(serviceNow() - minutesAgo * minuteMs);

type State = Record<string, unknown>;

function stateOf(id: string, changes: State): State {
  return {
    monitor_id: id,
    last_event_at: null,
    next_event_allowed_at: null,
    delivered: 0,
    failed: 0,
    failed_in_a_row: 0,
    is_on: true,
    off_since: null,
    off_reason: null,
    last_attempt: null,
    ...changes,
  };
}

const attempt = (minutesAgo: number, number: number, http_status: number | null, error: string | null) => ({
  started_at: wireTime(minutesAgo),
  attempt: number,
  http_status,
  error,
});

const places: readonly (readonly [id: number, lat: number, lng: number, callback: string | undefined])[] = [
  [1048, 45.0703, 7.6869, 'http://127.0.0.1:4545/hooks/torino'],
  [1049, 44.4056, 8.9463, 'https://ops.example.net/genova'],
  [1050, 60.3913, 5.3221, 'https://ops.example.net/rain'],
  [1051, 64.1466, -21.9426, 'https://old.example.net/reykjavik'],
  [1052, -1.2921, 36.8219, undefined],
];

function monitorsOnWire() {
  return places.map(([id, lat, lng, callback_uri]) => ({
    id: `precipitation_${id}`,
    monitor_type: 'precipitation',
    geo: { type: 'Point', coordinates: [lng, lat] },
    ...(callback_uri === undefined ? {} : { callback_uri }),
  }));
}

/** The outcome of its events, as our service reports it. */
const confirmed = {
  verdict: 'confirmed',
  evidence: {
    kind: 'station',
    source: 'metar:LIMF',
    observed_at: '2026-11-21T06:50:00',
    distance_km: 4.2,
    text: '-RA',
  },
  lead_time_seconds: 720,
};
const verification = {
  confirmed: 8,
  not_confirmed: 0,
  no_evidence: 1,
  missed: 0,
  median_lead_time_seconds: 720,
};

/** A service in memory. `states` may be changed by a test. */
function deliveryService() {
  const states: Record<string, State> = {
    precipitation_1048: stateOf('precipitation_1048', {
      last_event_at: wireTime(12),
      next_event_allowed_at: wireTime(-48.4),
      delivered: 3,
      last_attempt: attempt(12, 1, 200, null),
    }),
    precipitation_1049: stateOf('precipitation_1049', {
      last_event_at: wireTime(180),
      delivered: 1,
      last_attempt: attempt(180, 1, 204, null),
    }),
    precipitation_1050: stateOf('precipitation_1050', {
      last_event_at: wireTime(39),
      next_event_allowed_at: wireTime(-21.4),
      delivered: 7,
      failed: 1,
      failed_in_a_row: 1,
      last_attempt: attempt(33, 3, 502, 'http 502'),
    }),
    precipitation_1051: stateOf('precipitation_1051', {
      last_event_at: wireTime(300),
      failed: 1,
      failed_in_a_row: 1,
      is_on: false,
      off_since: wireTime(300),
      off_reason: 'the callback URL returned 410 Gone',
      last_attempt: attempt(300, 1, 410, 'http 410'),
    }),
    precipitation_1052: stateOf('precipitation_1052', {}),
  };
  const log = [
    ['d5', 'event-2', 3, 'retry', 33, 502, 'http 502', 41],
    ['d4', 'event-2', 2, 'retry', 38, null, 'timeout', 10_003],
    ['d3', 'event-2', 1, 'first', 39, 502, 'http 502', 38],
    ['d2', 'test-1', 1, 'test', 200, 200, null, 22],
    ['d1', 'event-1', 1, 'first', 3000, 200, null, 18],
  ].map(([id, event_id, number, kind, minutesAgo, http_status, error, latency_ms]) => ({
    id,
    event_id,
    monitor_id: 'precipitation_1050',
    attempt: number,
    kind,
    started_at: wireTime(minutesAgo as number),
    latency_ms,
    http_status,
    error,
    answer: '',
    outcome: id === 'd1' ? confirmed : null,
  }));
  const routes: Record<string, Route> = {
    'GET /v2/monitors/': () => ({ body: { objects: monitorsOnWire(), meta: {} } }),
    'GET /v2/delivery/': () => ({ body: { objects: Object.values(states), meta: { now: wireTime(0) } } }),
    'POST /v2/monitors/precipitation_1050/events/event-2/resend/': () => ({
      status: 202,
      body: { event_id: 'event-2' },
    }),
    'POST /v2/monitors/precipitation_1050/test-event/': () => ({ status: 202, body: { event_id: 'test-2' } }),
    'PATCH /v2/monitors/precipitation_1050/': () => ({ status: 202, body: '' }),
    'PATCH /v2/monitors/precipitation_1051/delivery/': () => {
      const state = { ...states['precipitation_1051'], is_on: true, off_since: null, off_reason: null };
      states['precipitation_1051'] = state;
      return { body: state };
    },
  };
  for (const { id } of monitorsOnWire()) {
    const objects = id === 'precipitation_1050' ? log : [];
    const meta = id === 'precipitation_1050' ? { verification } : {};
    routes[`GET /v2/monitors/${id}/deliveries/`] = () => ({ body: { objects, meta } });
  }
  return { routes, states };
}

const open = (routes: Record<string, Route>): Promise<Screens> => openScreens({ routes, hash: '#/monitors' });

const rowOf = (page: Screens['page'], id: string) => page.getByRole('row').filter({ hasText: id });

describe('beside a service that reports deliveries', () => {
  it('each row shows the status of its callback and the next allowed event, which filter and order; its log resends events', async () => {
    const { page, service } = await open(deliveryService().routes);
    await rowOf(page, 'precipitation_1048').getByText('12 min ago').waitFor();
    await rowOf(page, 'precipitation_1048').getByText('in 48 min').waitFor();
    await rowOf(page, 'precipitation_1049').getByText('3 h ago').waitFor();
    await rowOf(page, 'precipitation_1050').getByText('502 · attempt 3').waitFor();
    await rowOf(page, 'precipitation_1050').getByText('in 21 min').waitFor();
    await rowOf(page, 'precipitation_1051').getByText('delivery stopped').waitFor();
    await rowOf(page, 'precipitation_1051').getByText('Delivery is off').waitFor();
    await rowOf(page, 'precipitation_1052').getByText('Never').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    const ids = async () => {
      const cells = await page
        .getByRole('row')
        .getByText(/^precipitation_\d+$/)
        .allInnerTexts();
      return cells.map((text) => text.slice(-4));
    };
    const states = page.getByRole('radiogroup', { name: 'Status' });
    for (const [state, expected] of [
      ['Ready 2', ['1049', '1052']],
      ['In cool-down 1', ['1048']],
      ['Failing 1', ['1050']],
      ['Off 1', ['1051']],
      ['All 5', ['1048', '1049', '1050', '1051', '1052']],
    ] as const) {
      await states.getByText(state).click();
      await expect.poll(ids).toEqual(expected);
    }
    for (const [filter, expected] of [
      ['state:never', ['1052']],
      ['callback:none', ['1052']],
      ['-state:ready -state:off', ['1048', '1050']],
    ] as const) {
      await page.getByLabel('Filter the monitors').fill(filter);
      await expect.poll(ids).toEqual(expected);
    }
    await page.getByRole('button', { name: 'Next possible event' }).click();
    await expect.poll(ids).toEqual(['1050', '1048']);
    await page.getByLabel('Filter the monitors').fill('');

    await rowOf(page, 'precipitation_1050').click({ position: { x: 300, y: 27 } });
    const panel = page.getByRole('region', { name: 'Monitor precipitation_1050' });
    await panel.getByText('8 of 9 events confirmed, 1 without evidence; median lead time 12 min').waitFor();
    await panel.getByText('Deliveries', { exact: true }).click();
    const lines = panel.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem');
    await lines.first().waitFor();
    await expect.poll(() => lines.count()).toBe(5);
    await expect.poll(() => lines.nth(0).innerText()).toMatch(/502 Bad Gateway[^]*attempt 3 · 41 ms/);
    await expect.poll(() => lines.nth(1).innerText()).toMatch(/timed out[^]*attempt 2/);
    await expect.poll(() => lines.nth(3).innerText()).toMatch(/200 OK[^]*test · 22 ms/);
    await expect.poll(() => lines.nth(3).getByRole('button').count()).toBe(0);
    await expect.poll(() => lines.nth(4).innerText()).toContain('Confirmed by LIMF at 06:50Z: -RA, 4 km away');
    await lines
      .nth(0)
      .getByRole('button', { name: /^Resend/ })
      .click();
    await page.getByText('Event resent').waitFor();
    expect(service.requestsTo('POST /v2/monitors/precipitation_1050/events/event-2/resend/')).toHaveLength(1);
    await panel.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Test event sent to the callback URL for precipitation_1050').waitFor();
    // Nothing is at the lower left, so messages cover neither the tools nor the details.
    await page.locator('[aria-label="Messages"][data-side="start"]').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('a callback says what confirmed its event', async () => {
    const { routes } = deliveryService();
    const { page, receiverUrl, service } = await openScreens({ routes, hash: '#/callbacks' });
    const url = await receiverUrl();
    const sent = { id: 'd6', event_id: 'event-3', monitor_id: 'precipitation_1050', attempt: 1, kind: 'first' };
    const answered = { started_at: wireTime(0), latency_ms: 18, http_status: 200, error: null, answer: '' };
    const objects = [{ ...sent, ...answered, outcome: confirmed }];
    service.routes['GET /v2/monitors/precipitation_1050/deliveries/'] = () => ({ body: { objects, meta: {} } });
    const [monitor] = monitorsOnWire().filter(({ id }) => id === 'precipitation_1050');
    await fetch(`${url}/hooks/rain`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'event-3' },
      body: JSON.stringify({ ...monitor, uri: '/v2/monitors/precipitation_1050/' }),
    });
    await page.getByRole('option').filter({ hasText: '/hooks/rain' }).click();
    const accuracy = page.getByRole('note', { name: 'Accuracy' });
    await accuracy.waitFor();
    await expect.poll(() => accuracy.innerText()).toBe('Confirmed by LIMF at 06:50Z: -RA, 4 km away');
  });

  it('the panel’s Save sends PATCH with the changed field; its Replace asks before it overwrites an unreturned URL', async () => {
    const { routes } = deliveryService();
    routes['PUT /v2/monitors/precipitation_1052/'] = ({ body }) => {
      const { callback_uri, geo } = JSON.parse(body) as { callback_uri: string; geo: { lat: number; lng: number } };
      const point = { type: 'Point', coordinates: [geo.lng, geo.lat] };
      return { body: { id: 'precipitation_1052', monitor_type: 'precipitation', callback_uri, geo: point } };
    };
    const { page, service } = await open(routes);
    await page.getByRole('button', { name: 'precipitation_1050', exact: true }).click();
    const panel = page.getByRole('region', { name: /^Monitor precipitation_/ });
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabel('Longitude').fill('5,5');
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await page.getByText('Saved precipitation_1050').waitFor();
    const [sent] = service.requestsTo('PATCH /v2/monitors/precipitation_1050/');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ geo: { lat: 60.3913, lng: 5.5 } });
    await page.getByRole('button', { name: 'precipitation_1052', exact: true }).click();
    await page.getByRole('button', { name: 'Replace (PUT)' }).click();
    await page.getByText('Enter a URL, for instance').waitFor();
    await panel.getByLabel('Callback URL').fill('https://new.example.net/rain');
    await panel.getByRole('button', { name: 'Replace (PUT)' }).click();
    const question = page.getByRole('dialog', { name: 'Overwrite the callback URL?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(service.requestsTo('PUT /v2/monitors/precipitation_1052/')).toEqual([]);
    await expect.poll(() => panel.getByLabel('Callback URL').inputValue()).toBe('https://new.example.net/rain');
    await panel.getByRole('button', { name: 'Replace (PUT)' }).click();
    await question.getByRole('button', { name: 'Replace anyway (PUT)' }).click();
    await page.getByText('Replaced precipitation_1052').waitFor();
    const [replaced] = service.requestsTo('PUT /v2/monitors/precipitation_1052/');
    expect(JSON.parse(replaced?.body ?? '')).toEqual({
      monitor_type: 'precipitation',
      callback_uri: 'https://new.example.net/rain',
      geo: { lat: -1.2921, lng: 36.8219 },
    });
  });

  it('a full plan is shown beside the list; the refusal of one more names the limit and what to do, in the dialog', async () => {
    const { routes, states } = deliveryService();
    const plan = { name: 'Developer', monitor_limit: 5 };
    routes['GET /v2/delivery/'] = () => ({
      body: { objects: Object.values(states), meta: { now: wireTime(0), plan } },
    });
    const words =
      'This application already has 5 monitors, the most that the plan Developer allows. Delete one, or choose a larger plan on the developer website.';
    routes['POST /v2/monitors/'] = () => ({
      status: 403,
      body: { error: 'limit_reached', error_description: words },
    });
    const { page, service } = await open(routes);
    await page.getByText('5 of 5 on the “Developer” plan. To create more').waitFor();
    await page.getByRole('button', { name: 'New monitor' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await dialog.getByRole('button', { name: 'Create' }).press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/the plan Developer allows\. Delete one, or choose a larger plan/)
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    service.routes['POST /v2/monitors/'] = () => ({ status: 403, body: '' });
    await dialog.getByRole('button', { name: 'Create' }).press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/It currently lists 5 monitors\. The plan may not allow more/)
      .waitFor();
    // This service doesn't offer it.
    expect(service.requestsTo('GET /v2/backtest/')).toEqual([]);
  });

  it('New monitor shows what it would have done at the place, and ends a request that another place makes void', async () => {
    const { routes } = deliveryService();
    const meta = { now: wireTime(0), extensions: ['backtest'] };
    routes['GET /v2/delivery/'] = () => ({ body: { objects: [], meta } });
    const sentence =
      'A monitor here would have fired 7 times in the last 30 days. 6 of 7 events with observations were followed by precipitation at LIMF, 4 km away.';
    const detail =
      'Followed by precipitation: 86% (49% to 97%). Median lead time: 12 min (8 to 20 min). Ranges are 95% confidence intervals.';
    const answer: Route = () => ({ body: { source: 'historical_forecast', sentence, detail } });
    routes['GET /v2/backtest/'] = answer;
    const { page, service } = await open(routes);
    // Core reads the delivery states as well, so a request for them doesn't show that this screen has loaded.
    await rowOf(page, 'precipitation_1048').waitFor();
    await page.getByRole('button', { name: 'New monitor' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await dialog.waitFor();
    await dialog.getByText(sentence).waitFor();
    await dialog.getByText(detail).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    service.routes['GET /v2/backtest/'] = () => new Promise(() => {});
    await dialog.getByLabel('Latitude').fill('12.5');
    await dialog.getByText(/^Checking the last 30 days at this location, [\d.]+ s/).waitFor();
    await expect.poll(() => dialog.getByText(sentence).count()).toBe(0);
    service.routes['GET /v2/backtest/'] = answer;
    await dialog.getByLabel('Latitude').fill('13.25');
    await dialog.getByText(sentence).waitFor();
    const urls = service.requestsTo('GET /v2/backtest/');
    await expect.poll(() => urls.map(({ isBrokenOff }) => isBrokenOff === true)).toEqual([false, true, false]);
    expect(urls.at(-1)?.url).toMatch(/^\/v2\/backtest\/\?location_lat=13\.25&location_lng=-?[\d.]+$/);

    service.routes['GET /v2/backtest/'] = () => ({ status: 429, body: { error: 'rate_limited' } });
    await dialog.getByLabel('Latitude').fill('14');
    await dialog.getByText('Couldn’t check the last 30 days at this location').waitFor();
    service.routes['GET /v2/backtest/'] = () => ({
      body: {
        source: null,
        sentence: 'Not enough data to say how often a monitor here would have fired: no.',
        detail: null,
      },
    });
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText(/^Not enough data/).waitFor();
    // An invalid place is not requested.
    const before = service.requestsTo('GET /v2/backtest/').length;
    await dialog.getByLabel('Latitude').fill('95');
    await expect.poll(() => dialog.getByText(/^Not enough data/).count()).toBe(0);
    expect(service.requestsTo('GET /v2/backtest/')).toHaveLength(before);
  });

  it('a callback that was turned off is shown with its reason on any screen, and turned on again from there', async () => {
    const { routes, states } = deliveryService();
    const before = states['precipitation_1051'];
    states['precipitation_1051'] = { ...before, is_on: true };
    const { page, core, service } = await open(routes);
    await page.getByRole('button', { name: 'precipitation_1051', exact: true }).click();
    await page.getByRole('region', { name: 'Monitor precipitation_1051' }).waitFor();
    await expect.poll(() => page.getByText(/^Delivery for precipitation_1051 is off/).count()).toBe(0);
    if (before) states['precipitation_1051'] = before;
    // A change made elsewhere reaches this screen by core's notice.
    await core.client.monitors.sendTest({ id: 'precipitation_1050' });
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText(/^Delivery for precipitation_1051 is off: /).waitFor();
    await page.getByRole('region', { name: 'Monitor precipitation_1051' }).getByRole('alert').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await messages.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Turned on delivery for precipitation_1051').waitFor();
    await page
      .getByRole('region', { name: 'Monitor precipitation_1051' })
      .getByRole('alert')
      .waitFor({ state: 'detached' });
    const [sent] = service.requestsTo('PATCH /v2/monitors/precipitation_1051/delivery/');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ is_on: true });
    // Many at once are one message, which leads to them from any screen.
    for (const id of ['precipitation_1048', 'precipitation_1049', 'precipitation_1050'])
      states[id] = { ...states[id], is_on: false, off_reason: 'the callback URL returned 410 Gone' };
    await page.evaluate(() => (location.hash = '#/traffic'));
    await core.client.monitors.sendTest({ id: 'precipitation_1050' });
    await messages.getByText('Delivery for 3 monitors is off', { exact: true }).waitFor();
    await messages.getByRole('button', { name: 'Show monitors' }).click();
    await page.getByText('3 of 5 monitors').waitFor();
  });
});

describe('beside a service with only the interface', () => {
  it('the columns show what this app received, and no action is offered that the service does not have', async () => {
    const { routes } = deliveryService();
    routes['GET /v2/delivery/'] = () => ({ status: 404, body: { error: 'not_found' } });
    const { page, core, service } = await open(routes);
    await rowOf(page, 'precipitation_1049').getByText('None received').waitFor();
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
    const { baseUrl } = core.core.status().receiver;
    // The service does not sign, so only the monitor's own callback URL is evidence.
    const body = JSON.stringify({ id: 'precipitation_1048' });
    await fetch(`${baseUrl}/hooks/elsewhere`, { method: 'POST', body });
    const head = `Host: 127.0.0.1:4545\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`;
    const port = Number(new URL(baseUrl ?? '').port);
    await openRaw(port, `POST /hooks/torino HTTP/1.1\r\n${head}\r\n${body}`).answer;
    // The list is fetched again, because the monitor's URL may have changed since.
    const kinds = async () => (await core.client.callbacks.list({})).items.map(({ kind }) => kind);
    await expect.poll(kinds).toEqual(['event', 'other']);
    await rowOf(page, 'precipitation_1048').getByText('just now').waitFor();
    await rowOf(page, 'precipitation_1048').getByText('in 1 h').waitFor();
    await page.getByRole('button', { name: 'precipitation_1048', exact: true }).click();
    await page.getByText('This service doesn’t report deliveries.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    expect(service.requestsTo('GET /v2/monitors/precipitation_1048/deliveries/')).toEqual([]);
    await page.keyboard.press('Escape');
  });
});
