// The fault switch of the sandbox over real HTTP: what a client meets while it is on, and that it ends automatically.
import { describe, expect, it, vi } from 'vitest';
import { sandboxStateSchema } from '#contract/service-api/sandbox.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startWeatherService } from './weather-harness.ts';

const turin = '?location_lat=45.07&location_lng=7.69';

async function startHotService() {
  const clock = createManualClock();
  const service = await startWeatherService({ provider: 'simulation' }, clock);
  // From the second answer on the weather comes from memory, in front of the routes.
  for (let count = 0; count < 3; count += 1) await (await service.get(turin)).arrayBuffer();
  const fault = async (body: object) =>
    sandboxStateSchema.parse(await service.sandbox('PUT', 'fault', body)).weatherFault;
  return { ...service, clock, fault };
}

describe('while the fault switch is on, a client of the weather', () => {
  it.each([
    ['error', 500, 'server_error', 'content-type', 'application/json; charset=utf-8'],
    ['rate_limited', 429, 'rate_limited', 'retry-after', '5'],
    ['unauthorized', 401, 'invalid_token', 'www-authenticate', 'Bearer realm="Rainbell", error="invalid_token"'],
  ])('gets %s, marked as on purpose, for the chosen number of requests', async (kind, status, error, header, value) => {
    const { get, fault } = await startHotService();
    expect(await fault({ kind, requests: 2 })).toMatchObject({ kind, requestsLeft: 2, requestsHit: 0 });
    for (let count = 0; count < 2; count += 1) {
      const answer = await get(turin);
      expect(answer.status).toBe(status);
      expect(answer.headers.get(header)).toBe(value);
      const body = (await answer.json()) as { error_description: string };
      expect(body).toMatchObject({ error });
      expect(body.error_description).toContain('A sandbox fault is active');
    }
    expect((await get(turin)).status).toBe(200);
  });

  it('gets a body that breaks off', async () => {
    const { get, fault } = await startHotService();
    await fault({ kind: 'malformed' });
    const answer = await get(turin);
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it('waits, and gets the weather late', async () => {
    const { get, fault, clock, sandbox } = await startHotService();
    await fault({ kind: 'slow', delaySeconds: 30 });
    let isAnswered = false;
    const answering = get(turin).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await vi.waitFor(async () => {
      const { weatherFault } = sandboxStateSchema.parse(await sandbox('GET', 'state'));
      expect(weatherFault?.requestsHit).toBe(1);
    });
    clock.advance(29_000);
    await sandbox('GET', 'state');
    expect(isAnswered).toBe(false);
    clock.advance(1_000);
    expect((await answering).status).toBe(200);
  });

  it('is served again after the chosen minutes, or when the switch is put back', async () => {
    const { get, fault, clock, sandbox } = await startHotService();
    await fault({ kind: 'error', minutes: 2 });
    expect((await get(turin)).status).toBe(500);
    clock.advance(2 * 60_000);
    expect((await get(turin)).status).toBe(200);
    await fault({ kind: 'error' });
    expect((await get(turin)).status).toBe(500);
    expect(sandboxStateSchema.parse(await sandbox('DELETE', 'fault')).weatherFault).toBeNull();
    expect((await get(turin)).status).toBe(200);
  });
});

describe('the operator of the sandbox', () => {
  it('sees how many requests were hit, and gets an error for a wrong switch', async () => {
    const { get, fault, sandbox, baseUrl, authorization } = await startHotService();
    await fault({ kind: 'error', requests: 5 });
    await get(turin);
    const { weatherFault } = sandboxStateSchema.parse(await sandbox('GET', 'state'));
    expect(weatherFault).toMatchObject({ requestsHit: 1, requestsLeft: 4, endsAt: '2026-11-21T06:05:00.000Z' });
    const refused = await fetch(`${baseUrl}/sandbox/fault`, {
      method: 'PUT',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: '{"kind": "flood"}',
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: 'invalid_request' });
  });
});
