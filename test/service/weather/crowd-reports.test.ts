// People's reports in the weather now: within 5 km, for half an hour, and named in `sources`.
import { describe, expect, it } from 'vitest';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from './weather-harness.ts';

const now = Date.parse('2026-11-21T06:00:00Z');

/** A token of the sandbox's account with the permission to report. */
async function reportingToken({ baseUrl, clientId, clientSecret, username, password }: ServiceIntroduction) {
  const answer = await fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password, scope: 'post_metag' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

describe('a report through the API', () => {
  it('shows at once within 5 km, even where the answer was kept, and is gone after half an hour', async () => {
    const clock = createManualClock(now);
    const service = await startWeatherService({ provider: 'simulation' }, clock);
    const token = await reportingToken(service.introduction);
    const first = async (lat: number, lng: number) => (await service.points(lat, lng))[0];
    // Asked three times, so that the answer comes from memory.
    for (let call = 0; call < 3; call += 1) await first(45.07, 7.69);

    const answer = await fetch(`${service.baseUrl}/v2/metags/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ geo: { lat: 45.07, lng: 7.69 }, weather: { status: 'hailing' } }),
    });
    expect(answer.status).toBe(201);

    const here = await first(45.07, 7.69);
    expect(here?.weather.status).toBe('hailing');
    expect(here?.sources).toEqual(['metag', 'simulation']);
    expect(here?.icon).toBe(`${service.baseUrl}/v2/icons/hailing`);
    // 4.9 km away and in the next cell; then 6 km away and in the same.
    expect((await first(45.026, 7.69))?.sources).toEqual(['metag', 'simulation']);
    expect((await first(45.124, 7.69))?.sources).toEqual(['simulation']);
    expect((await service.points(45.07, 7.69))[1]?.sources).toEqual(['simulation']);

    clock.advance(29 * 60_000);
    expect((await first(45.07, 7.69))?.sources).toEqual(['metag', 'simulation']);
    clock.advance(60_000);
    expect((await first(45.07, 7.69))?.sources).toEqual(['simulation']);
  });
});
