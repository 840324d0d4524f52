// Endpoints that are dead, paused, slow, or silent, and that others do not wait for them (docs/delivery.md S10 and S12), over real HTTP; the
// clock is the test's. A monitor that failed 24 times: outbox.test.ts.
import { describe, expect, it } from 'vitest';
import type { EventPage } from '#contract/service-api/events.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { attempts, eventOf, hourMs, rainOn, stateOf, status } from './delivery-harness.ts';

const switchTo = async (service: MonitorService, id: string, isOn: boolean) =>
  (await service.call('PATCH', `/v2/monitors/${id}/delivery/`, { is_on: isOn })).json;

describe.each(engines)('on %s', (engine) => {
  it('an endpoint that answers 410 is no longer called until its URL changes or its owner turns it on', async () => {
    const [service, endpoint] = [await startMonitorService({ engine }), await status(410)];
    const id = await rainOn(service, endpoint);
    const state = `/v2/monitors/${id}/delivery/`;
    const off = { is_on: false, failed_in_a_row: 1, off_reason: 'the callback URL returned 410 Gone' };
    await eventually(async () => expect(await stateOf(service, id)).toMatchObject(off));
    service.clock.advance(hourMs);
    await service.sweep();
    expect(endpoint.received).toHaveLength(1);
    for (const body of [{ is_on: 'no' }, { is_on: true, also: 1 }, {}]) {
      expect(await service.call('PATCH', state, body)).toMatchObject({
        status: 400,
        json: { error_description: 'The body must be {is_on: true} or {is_on: false}.' },
      });
    }
    expect(await switchTo(service, id, true)).toMatchObject({ is_on: true, off_reason: null, failed_in_a_row: 0 });
    await service.sweep();
    await endpoint.waitFor(2);
    await eventually(async () => expect(await stateOf(service, id)).toMatchObject(off));
    const other = await startCallbackEndpoint();
    await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: other.url });
    service.clock.advance(hourMs);
    await service.sweep();
    await other.waitFor(1);
    expect(endpoint.received).toHaveLength(2);
  });

  it('a paused monitor keeps its ID and cool-down, and gets no event until it is resumed; the one that waited ends once', async () => {
    const [service, endpoint] = [await startMonitorService({ engine }), await status(500)];
    const other = await startCallbackEndpoint();
    const id = await rainOn(service, endpoint);
    await attempts(service, id, 1);
    // It reads its feed, which would get the events of a monitor that is off.
    await service.call('GET', '/v2/deliveries/?wait=0');
    const paused = { is_on: false, off_reason: 'paused by the owner', failed_in_a_row: 0 };
    expect(await switchTo(service, id, false)).toMatchObject(paused);
    expect(await eventOf(service, id)).toMatchObject({ state: 'feed-only' });
    expect((await service.call('GET', `/v2/monitors/${id}/explanation/`)).json).toMatchObject({
      cause: 'paused',
      sentence: expect.stringMatching(
        /^Paused since \d\d:\d\d UTC\. The event of .* was not delivered, because delivery was off: 500/,
      ),
    });
    await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: other.url });
    expect(await stateOf(service, id)).toMatchObject(paused);
    service.clock.advance(hourMs / 2);
    await switchTo(service, id, true);
    await service.sweep();
    await switchTo(service, id, false);
    service.clock.advance(hourMs / 2);
    await service.sweep();
    expect(await switchTo(service, id, false)).toMatchObject(paused);
    expect(await service.db.selectFrom('events').select('id').execute()).toHaveLength(1);
    expect(await switchTo(service, id, true)).toMatchObject({ is_on: true, off_reason: null });
    await service.sweep();
    await other.waitFor(1);
    expect([endpoint.received.length, other.received.length]).toEqual([1, 1]);
  });
});

it('a monitor that is paused during an attempt has delivered its event', async () => {
  let respond = () => {};
  const endpoint = await startCallbackEndpoint((_callback, response) => {
    respond = () => response.writeHead(204).end();
  });
  const service = await startMonitorService();
  const id = await rainOn(service, endpoint);
  await endpoint.waitFor(1);
  await switchTo(service, id, false);
  expect(await eventOf(service, id)).toMatchObject({ state: 'feed-only' });
  respond();
  await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
});

describe('a host that does not answer', () => {
  it('gets no requests after three attempts; due events keep their plan, and the first response lets all through', async () => {
    const service = await startMonitorService();
    let isDead = true;
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      if (isDead) response.socket?.destroy();
      else response.writeHead(204).end();
    });
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await service.addMonitor(endpoint.url));
    service.rainAt(turin);
    await service.sweep();
    const failed = await eventually(async () => {
      const rows = await service.db.selectFrom('attempts').select('error').execute();
      expect(rows).toHaveLength(30);
      return rows.map(({ error }) => error);
    });
    // Those under way when the third failed are still attempts.
    expect(failed.filter((error) => error === 'reset').length).toBeLessThanOrEqual(6);
    expect(failed.filter((error) => error === 'host-silent').length).toBeGreaterThanOrEqual(24);
    const tried = endpoint.received.length;
    expect(tried).toBeLessThanOrEqual(6);
    const record = (await service.call('GET', '/v2/events/?limit=30')).json as EventPage;
    for (const { error, request } of record.objects.flatMap(({ attempts }) => attempts))
      expect(request === null).toBe(error === 'host-silent');
    isDead = false;
    service.clock.advance(12_000);
    await endpoint.waitFor(tried + 30);
    for (const id of ids) {
      await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
    }
  });
});
