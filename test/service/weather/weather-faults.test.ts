// The fault switch of the sandbox over real HTTP: what a client meets while it is on, and that it ends automatically.
import { describe, expect, it } from 'vitest';
import { sandboxStateSchema } from '#contract/service-api/sandbox.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from './weather-harness.ts';

const turin = '?location_lat=45.07&location_lng=7.69';
const minute = 60_000;

async function startHotService() {
  const clock = createManualClock();
  const service = await startWeatherService({ provider: 'simulation', accessTokenSeconds: 86_400 }, clock);
  // From the second answer on the weather comes from memory, in front of the routes.
  for (let count = 0; count < 3; count += 1) await (await service.get(turin)).arrayBuffer();
  const fault = async (body: object) =>
    sandboxStateSchema.parse(await service.sandbox('PUT', 'fault', body)).weatherFault;
  const state = async () => sandboxStateSchema.parse(await service.sandbox('GET', 'state')).weatherFault;
  return { ...service, clock, fault, state };
}

describe('while the fault switch is on, a client of the weather', () => {
  it('gets the chosen error, marked as on purpose, for the chosen number of requests, or a body that breaks off', async () => {
    const { get, fault, state } = await startHotService();
    for (const [kind, status, error, header, value] of [
      ['error', 500, 'server_error', 'content-type', 'application/json; charset=utf-8'],
      ['rate_limited', 429, 'rate_limited', 'retry-after', '5'],
      ['unauthorized', 401, 'invalid_token', 'www-authenticate', 'Bearer realm="Rainbell", error="invalid_token"'],
    ] as const) {
      expect(await fault({ kind, requests: 2 })).toMatchObject({ kind, requestsLeft: 2, requestsHit: 0 });
      const endsAt = '2026-11-21T06:05:00.000Z';
      for (const after of [{ kind, requestsHit: 1, requestsLeft: 1, delaySeconds: 5, endsAt }, null]) {
        const answer = await get(turin);
        expect([answer.status, answer.headers.get(header)]).toEqual([status, value]);
        const marked = expect.stringContaining('A sandbox fault is active') as string;
        expect(await answer.json()).toEqual({ error, error_description: marked });
        expect(await state()).toEqual(after);
      }
      expect((await get(turin)).status).toBe(200);
    }
    await fault({ kind: 'malformed' });
    const answer = await get(turin);
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it('waits, and gets the weather late; one that leaves meanwhile is forgotten', async () => {
    const { baseUrl, authorization, get, fault, clock, state } = await startHotService();
    await fault({ kind: 'slow', delaySeconds: 30 });
    let isAnswered = false;
    const answering = get(turin).finally(() => (isAnswered = true));
    await expect.poll(async () => (await state())?.requestsHit).toBe(1);
    clock.advance(29_000);
    await state();
    expect(isAnswered).toBe(false);
    clock.advance(1_000);
    expect((await answering).status).toBe(200);

    const [timers, leaving] = [clock.timers(), new AbortController()];
    const left = fetch(`${baseUrl}/v2/weather/${turin}`, { headers: authorization, signal: leaving.signal });
    await expect.poll(() => clock.timers()).toBe(timers + 1);
    leaving.abort();
    await expect(left).rejects.toThrow('abort');
    await expect.poll(() => clock.timers()).toBe(timers);
  });

  it('is served again after the chosen minutes, however the clock jumps, or when the switch is put back, not by a wrong one', async () => {
    const { baseUrl, authorization, get, fault, clock, sandbox, state } = await startHotService();
    await fault({ kind: 'error', minutes: 4 });
    for (const hours of [3, -6]) {
      clock.advance(minute);
      clock.jump(hours * 60 * minute);
      expect((await get(turin)).status).toBe(500);
    }
    expect(Date.parse((await state())?.endsAt ?? '')).toBe(clock.now() + 2 * minute);
    clock.advance(2 * minute);
    expect((await get(turin)).status).toBe(200);
    await fault({ kind: 'error' });
    for (const requestsHit of [1, 2, 3]) {
      expect((await get(turin)).status).toBe(500);
      expect(await state()).toMatchObject({ requestsLeft: null, requestsHit });
    }
    const refused = await fetch(`${baseUrl}/sandbox/fault`, {
      method: 'PUT',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: '{"kind": "flood"}',
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(await state()).toMatchObject({ kind: 'error' });
    expect(sandboxStateSchema.parse(await sandbox('DELETE', 'fault')).weatherFault).toBeNull();
    expect((await get(turin)).status).toBe(200);
  });
});
