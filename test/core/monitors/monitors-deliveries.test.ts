// What the app's monitor manager reads about deliveries from our real service, and what it does about them. The service's clock is
// moved; the app's is the machine's. deliveries.test.ts has services that know only the interface.
import { describe, expect, test } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { startRealService } from '#test/core/session/access-harness.ts';
import { startCore, type CoreHarness } from '../core-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };
type Client = CoreHarness['client'];

async function startWithMonitor() {
  const endpoint = await startCallbackEndpoint();
  const core = await startCore({ sandbox: await startRealService() });
  // The simulation may have rain at this place and hour, whose event would come before the test's own.
  await core.client.sandbox.addScenario({ center: torino, status: 'sunny', minutes: 4320 });
  const { id } = await core.client.monitors.create({ geo: torino, callback: { kind: 'address', uri: endpoint.url } });
  return { ...core, endpoint, id };
}

async function readStates(client: Client) {
  const answer = await client.monitors.deliveryStates();
  if (!answer.isAvailable) throw new Error('the service tells nothing of deliveries');
  return answer;
}

const hourMs = 3_600_000;

describe('deliveries of our own service', () => {
  test('a monitor goes from never to delivered, and its next event waits for the hour', async () => {
    const { client, endpoint, id } = await startWithMonitor();
    expect((await readStates(client)).states).toMatchObject([
      { monitor_id: id, is_on: true, last_event_at: null, next_event_allowed_at: null, last_attempt: null },
    ]);
    expect((await readStates(client)).plan?.monitorLimit).toBeGreaterThan(0);
    await client.sandbox.addScenario({ center: torino, minutes: 600 });
    await endpoint.waitFor(1);
    await expect
      .poll(async () => (await readStates(client)).states)
      .toMatchObject([{ last_attempt: { attempt: 1, http_status: 204, error: null } }]);
    const [state] = (await readStates(client)).states;
    expect(Date.parse(state?.next_event_allowed_at ?? '')).toBe(Date.parse(state?.last_event_at ?? '') + hourMs);
    expect((await client.monitors.events({ monitor: id })).objects).toMatchObject([
      {
        id: endpoint.received[0]?.headers['webhook-id'],
        attempts: [{ kind: 'first', attempt: 1, http_status: 204 }],
      },
    ]);
  });
});
