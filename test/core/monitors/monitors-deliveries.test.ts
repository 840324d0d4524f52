// What the app's monitor manager reads about deliveries from our real service, and what it does about them. The service's clock is
// moved; the app's is the machine's. delivery-states.test.ts has services that know only the interface.
import { describe, expect, test } from 'vitest';
import type { MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { eventually } from '#test/service/eventually.ts';
import { startRealService } from '#test/core/session/access-harness.ts';
import { startCore, type CoreHarness } from '../core-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };
type Client = CoreHarness['client'];

async function startWithMonitor(answer?: Parameters<typeof startCallbackEndpoint>[0]) {
  const endpoint = await startCallbackEndpoint(answer);
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

/** The first state that fits. */
function stateWhere(client: Client, fits: Partial<MonitorDelivery>): Promise<MonitorDelivery> {
  return eventually(async () => {
    const [state] = (await readStates(client)).states;
    expect(state).toMatchObject(fits);
    return state as MonitorDelivery;
  });
}

const rain = (client: Client) => client.sandbox.addScenario({ center: torino, minutes: 600 });
const hourMs = 3_600_000;

const delivered = { last_attempt: expect.objectContaining({ http_status: 204 }) };

describe('deliveries of our own service', () => {
  test('a monitor goes from never to delivered, and its next event waits for the hour', async () => {
    const { client, endpoint, id } = await startWithMonitor();
    expect((await readStates(client)).states).toMatchObject([
      { monitor_id: id, is_on: true, last_event_at: null, next_event_allowed_at: null, last_attempt: null },
    ]);
    expect((await readStates(client)).plan?.monitorLimit).toBeGreaterThan(0);
    await rain(client);
    await endpoint.waitFor(1);
    const state = await stateWhere(client, delivered);
    expect(state.last_attempt).toMatchObject({ attempt: 1, http_status: 204, error: null });
    expect(Date.parse(state.next_event_allowed_at ?? '')).toBe(Date.parse(state.last_event_at ?? '') + hourMs);
    expect((await client.monitors.events({ monitor: id })).objects).toMatchObject([
      {
        id: endpoint.received[0]?.headers['webhook-id'],
        attempts: [{ kind: 'first', attempt: 1, http_status: 204 }],
      },
    ]);
  });

  test('a callback that answers 410 is turned off with its reason, and is called again once it is turned on', async () => {
    const { client, endpoint, id } = await startWithMonitor((_callback, response, index) => {
      response.writeHead(index === 0 ? 410 : 204).end();
    });
    await rain(client);
    await endpoint.waitFor(1);
    const dead = await stateWhere(client, { is_on: false });
    expect(dead.off_reason).toBe('the callback URL returned 410 Gone');
    expect(Date.parse(dead.off_since ?? '')).toBeGreaterThan(0);
    await client.sandbox.moveClock({ kind: 'advance', seconds: 3700 });
    expect(endpoint.received).toHaveLength(1);
    await client.monitors.setOn({ id, isOn: true });
    await stateWhere(client, { is_on: true, off_since: null, off_reason: null });
    await client.sandbox.moveClock({ kind: 'advance', seconds: 3700 });
    await endpoint.waitFor(2);
    await stateWhere(client, delivered);
  });

  test('a resend arrives under the same webhook-id; a test event is marked and moves no hour', async () => {
    const { client, endpoint, id } = await startWithMonitor();
    const { event_id: testEvent } = await client.monitors.sendTest({ id });
    await endpoint.waitFor(1);
    expect(endpoint.received[0]?.headers['webhook-id']).toBe(testEvent);
    expect((await readStates(client)).states).toMatchObject([{ next_event_allowed_at: null, last_attempt: null }]);
    await rain(client);
    await endpoint.waitFor(2);
    const eventId = String(endpoint.received[1]?.headers['webhook-id']);
    await stateWhere(client, delivered);
    await client.monitors.resend({ id, eventId });
    await endpoint.waitFor(3);
    expect(endpoint.received[2]?.headers['webhook-id']).toBe(eventId);
    expect(endpoint.received[2]?.body).toBe(endpoint.received[1]?.body);
    await eventually(async () => {
      const { objects } = await client.monitors.events({ monitor: id });
      expect(objects.flatMap(({ attempts }) => attempts.map(({ kind }) => kind)).toSorted()).toEqual([
        'first',
        'resend',
        'test',
      ]);
    });
  });

  test('one click makes a monitor call this app, and a test event that arrives proves it', async () => {
    const { client, id, statusWhere, endpoint } = await startWithMonitor();
    await statusWhere(({ receiver }) => receiver.state === 'listening');
    const { monitor, proof } = await client.monitors.callThisApp({ id });
    expect({ proof, toThisApp: monitor.toThisApp }).toEqual({ proof: 'arrived', toThisApp: true });
    expect((await client.monitors.list()).monitors).toMatchObject([{ id, lastCallback: { id: 1 } }]);
    expect(endpoint.received).toEqual([]);
  });
});
