// What clients ask of the service all day: forecasts, tokens, monitors that come and go, and rain once an hour of its clock,
// so that the watch sweeps and callbacks are delivered.
import { request } from 'undici';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { fetchAccessToken } from '#test/story/service-process.ts';
import type { Job } from './jobs.ts';

const keptMonitors = 40;

/** `callbackUri` is where the monitors' callbacks go. */
export function serviceJobs(service: ServiceIntroduction, callbackUri: string): Job[] {
  const { baseUrl } = service;
  const monitorIds: string[] = [];
  let token: Promise<string> | undefined;
  let round = 0;

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<string> {
    token ??= fetchAccessToken(service);
    const answer = await request(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token}`,
        'accept-encoding': 'gzip',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    // The clock moves by hours, so tokens expire all the time.
    if (answer.statusCode === 401) {
      token = undefined;
      return call(method, path, body);
    }
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return text;
  }

  const forecast = () => {
    round += 1;
    const { lat, lng } = place(round);
    return call('GET', `/v2/weather/?location_lat=${lat}&location_lng=${lng}`);
  };

  async function renewMonitors() {
    const created = await call('POST', '/v2/monitors/', {
      monitor_type: 'precipitation',
      callback_uri: callbackUri,
      geo: place(round % keptMonitors),
    });
    monitorIds.push((JSON.parse(created) as { id: string }).id);
    const oldest = monitorIds.length > keptMonitors ? monitorIds.shift() : undefined;
    if (oldest !== undefined) await call('DELETE', `/v2/monitors/${oldest}/`);
  }

  async function anHourLaterItRains() {
    await call('POST', '/sandbox/clock', { kind: 'advance', seconds: 3_601 });
    await call('POST', '/sandbox/scenarios', { center: place(round % keptMonitors), minutes: 20, radiusKm: 500 });
  }

  return [
    ...Array.from({ length: 4 }, (_, index) => ({ name: `forecast ${index + 1}`, everyMs: 40, run: forecast })),
    { name: 'token', everyMs: 500, run: () => fetchAccessToken(service) },
    { name: 'monitor created and deleted', everyMs: 700, run: renewMonitors },
    { name: 'rain after an hour', everyMs: 10_000, run: anHourLaterItRains },
  ];
}

/** A few hundred places, evenly over the inhabited latitudes. */
export function place(index: number): { lat: number; lng: number } {
  return {
    lat: Number((((index * 7) % 110) - 50 + 0.05).toFixed(2)),
    lng: Number((((index * 13) % 340) - 170 + 0.05).toFixed(2)),
  };
}
