// Callbacks and monitors together, over a core that compares both with what the service reports.
import { expect, it } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import type { Route } from '#test/core/fake-service.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

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
/** Its clock was moved. */
const serviceNow = () => Date.now() + 30 * 60_000;

const delivered = {
  monitor_id: 'precipitation_1050',
  last_event_at: null,
  next_event_allowed_at: null,
  failed_in_a_row: 0,
  is_on: true,
  off_since: null,
  off_reason: null,
  last_attempt: null,
};

const rowOf = (page: Screens['page'], id: string) => page.getByRole('row').filter({ hasText: id });

const monitorRoutes: Record<string, Route> = {
  'GET /v2/monitors/': () => ({ body: { objects: monitorsOnWire(), meta: {} } }),
  'GET /v2/delivery/': () => ({ status: 404, body: { error: 'not_found' } }),
};

it('a callback says what confirmed its event', async () => {
  const { page, receiverUrl, service } = await openScreens({
    routes: {
      ...monitorRoutes,
      'GET /v2/delivery/': () => ({ body: { objects: [delivered], meta: { now: formatTimestamp(serviceNow()) } } }),
    },
    hash: '#/callbacks',
  });
  const url = await receiverUrl();
  const attempt = {
    attempt: 1,
    kind: 'first',
    request: null,
    started_at: formatTimestamp(serviceNow()),
    latency_ms: 18,
    http_status: 200,
    error: null,
    answer: '',
  };
  const event = {
    id: 'event-3',
    monitor_id: 'precipitation_1050',
    type: 'precipitation',
    occurred_at: attempt.started_at,
    state: 'delivered',
    callback_uri: `${url}/hooks/rain`,
    host: new URL(url).host,
    episode_id: null,
    trigger: null,
    attempts: [attempt],
    outcome: confirmed,
  };
  service.routes['GET /v2/events/'] = () => ({ body: { objects: [event], meta: { next: null } } });
  const [monitor] = monitorsOnWire().filter(({ id }) => id === 'precipitation_1050');
  await fetch(`${url}/hooks/rain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': 'event-3', 'rainbell-event': '1' },
    body: JSON.stringify({ ...monitor, uri: '/v2/monitors/precipitation_1050/' }),
  });
  await page.getByRole('option').filter({ hasText: '/hooks/rain' }).click();
  const accuracy = page.getByRole('note', { name: 'Accuracy' });
  await accuracy.waitFor();
  await expect.poll(() => accuracy.innerText()).toBe('Confirmed by LIMF at 06:50Z: -RA, 4 km away');
});

it('beside a service with only the interface, the columns of the monitors show what this app received', async () => {
  const { page, core, service } = await openScreens({ routes: monitorRoutes, hash: '#/monitors' });
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
  expect(service.requestsTo('GET /v2/monitors/precipitation_1048/explanation/')).toEqual([]);
});
