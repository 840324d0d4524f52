// The state of a monitor's callback, and what people can do: resend, test, pause, and resume (docs/delivery.md S10, S11, S15;
// contract/service-api/delivery.ts). The record of events is in test/service/monitors/events.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deliveryStateSchema, sentEventSchema } from '#contract/service-api/delivery.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import { createDeliveryLog, deleteOldEvents } from '#service/monitors/delivery/delivery-log.ts';
import { eventPrefix, firstIdAt, testPrefix } from '#service/monitors/delivery/tables.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { apiCaller, startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';
import { attempts, eventOf, hourMs, rainOn, stateOf, status } from './delivery-harness.ts';
import { openDeliveryRows, startMs } from './delivery-rows.ts';
import type { EventChanges } from './event-rows.ts';

async function readState(service: MonitorService, id: string) {
  return z.strictObject(deliveryStateSchema.shape).parse(await stateOf(service, id));
}

async function sendTest(service: MonitorService, id: string) {
  return service.call('POST', `/v2/monitors/${id}/test-event/`);
}

describe.each(engines)('on %s', (engine) => {
  it('the status of a monitor has its last event, and when the next is allowed', async () => {
    const [service, endpoint] = [await startMonitorService({ engine }), await startCallbackEndpoint()];
    const id = await service.addMonitor(endpoint.url);
    const at = service.clock.now();
    expect(await readState(service, id)).toEqual({
      monitor_id: id,
      last_event_at: null,
      next_event_allowed_at: null,
      failed_in_a_row: 0,
      is_on: true,
      off_since: null,
      off_reason: null,
      created_at: formatTimestamp(at),
      last_attempt: null,
    });
    service.rainAt(turin);
    await service.sweep();
    await attempts(service, id, 1);
    const state = {
      last_event_at: formatTimestamp(at),
      next_event_allowed_at: formatTimestamp(at + hourMs),
      last_attempt: { started_at: formatTimestamp(at), attempt: 1, http_status: 204, error: null },
    };
    expect(await readState(service, id)).toMatchObject(state);
    const listed = (await service.call('GET', '/v2/delivery/')).json;
    expect(listed).toMatchObject({ objects: [{ monitor_id: id, ...state }] });
    service.dryAt(turin);
    service.clock.advance(hourMs - 1);
    expect(await readState(service, id)).toMatchObject(state);
    service.clock.advance(1);
    expect(await readState(service, id)).toMatchObject({ next_event_allowed_at: null });
  });

  it('an event is sent again under its ID to the monitor’s current URL, once it is no longer tried', async () => {
    const service = await startMonitorService({ engine });
    const [old, current] = [await status(401), await startCallbackEndpoint()];
    const id = await rainOn(service, old);
    const [first] = await attempts(service, id, 1);
    const resend = (event: string) => service.call('POST', `/v2/monitors/${id}/events/${event}/resend/`);
    const { event_id = '' } = first ?? {};
    await eventually(async () => expect((await eventOf(service, id))?.due_at).toBe(service.clock.now() + 60_000));
    expect((await resend(event_id)).status).toBe(409);
    service.clock.advance(61_000);
    await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'failed', attempts: 2 }));
    await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: current.url });
    const before = await readState(service, id);
    expect(await resend(event_id)).toMatchObject({ status: 202, json: { event_id } });
    const [resent] = await current.waitFor(1);
    expect(resent?.headers['webhook-id']).toBe(event_id);
    expect(JSON.parse(resent?.body ?? '')).toMatchObject({ id, callback_uri: current.url });
    expect((await attempts(service, id, 3)).map(({ kind }) => kind)).toEqual(['first', 'retry', 'resend']);
    await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
    expect(await readState(service, id)).toMatchObject({ last_event_at: before.last_event_at });
    expect([old.received.length, (await resend('evt_nothing')).status]).toEqual([2, 404]);
  });

  it('a test event goes the same way, with a distinct ID, and does not affect the gate (docs/delivery.md S15)', async () => {
    const [service, endpoint] = [await startMonitorService({ engine }), await startCallbackEndpoint()];
    const id = await service.addMonitor(endpoint.url);
    const answer = await sendTest(service, id);
    expect(answer.status).toBe(202);
    const [callback] = await endpoint.waitFor(1);
    expect(callback?.headers['webhook-id']).toMatch(/^test_[0-9a-f]{32}$/);
    expect(callback?.headers['webhook-id']).toBe(sentEventSchema.parse(answer.json).event_id);
    expect(callback?.body).toBe((await service.call('GET', `/v2/monitors/${id}/`)).text);
    expect(await attempts(service, id, 1)).toMatchObject([{ kind: 'test' }]);
    expect(await readState(service, id)).toMatchObject({ last_event_at: null, last_attempt: null });
    // Also while delivery is off.
    await service.call('PATCH', `/v2/monitors/${id}/delivery/`, { is_on: false });
    await sendTest(service, id);
    await endpoint.waitFor(2);
  });
});

it('test events of a public service are limited to 5 a minute for a monitor, and 30 an hour for an application', async () => {
  const config = { callbackAllowlist: ['127.0.0.1'] };
  const [service, endpoint] = [await startMonitorService({ policy: 'public', config }), await startCallbackEndpoint()];
  const statuses: number[] = [];
  for (let monitor = 0; monitor < 7; monitor += 1) {
    const id = await service.addMonitor(endpoint.url);
    for (let event = 0; event < 6; event += 1) {
      const answer = await sendTest(service, id);
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      const wait = Number(answer.headers.get('retry-after'));
      expect([wait > 0, wait <= (monitor < 6 ? 60 : 3_600)]).toEqual([true, true]);
      expect(answer.json).toMatchObject({
        error: 'rate_limited',
        error_description: `Too many test events; try again in ${wait} s.`,
      });
    }
  }
  const perMonitor = [202, 202, 202, 202, 202, 429];
  expect(statuses).toEqual([...Array.from({ length: 6 }, () => perMonitor).flat(), ...Array(6).fill(429)]);
  await endpoint.waitFor(30);

  const own = await startMonitorService();
  const id = await own.addMonitor(endpoint.url);
  for (let event = 0; event < 31; event += 1) expect((await sendTest(own, id)).status).toBe(202);
});

it('a foreign monitor has no log for this application, and no monitor has one without a token', async () => {
  const service = await startMonitorService({ limit: 7 });
  const id = await service.addMonitor('http://127.0.0.1:9/');
  const anonymous = apiCaller(service.baseUrl, undefined);
  await service.db.updateTable('monitors').set({ application_id: 'another' }).where('id', '=', id).execute();
  for (const [method, path] of [
    ['GET', 'explanation/'],
    ['PATCH', 'delivery/'],
    ['POST', 'test-event/'],
    ['POST', 'events/evt_1/resend/'],
  ] as const) {
    const url = `/v2/monitors/${id}/${path}`;
    const statuses = [(await service.call(method, url)).status, (await anonymous(method, url)).status];
    expect([path, ...statuses]).toEqual([path, 404, 401]);
  }
  expect((await anonymous('GET', '/v2/delivery/')).status).toBe(401);
  expect((await service.call('GET', '/v2/delivery/')).json).toEqual({
    objects: [],
    meta: {
      now: formatTimestamp(service.clock.now()),
      plan: { name: null, monitor_limit: 7 },
      extensions: ['backtest', 'nowcast', 'feed', 'inbox'],
    },
  });
});

async function startLog() {
  const rows = await openDeliveryRows();
  await rows.addApplication('a');
  await rows.addMonitor('a', 'm1');
  let notices = 0;
  const { clock, database } = rows;
  const deliveryLog = createDeliveryLog({ database, clock, onEvents: () => void (notices += 1) });
  return { ...rows, deliveryLog, notices: () => notices };
}

it('the status of each monitor of an application has the last attempt of its newest real event', async () => {
  const { addApplication, addMonitor, addEvent, addAttempt, deliveryLog, monitorRow } = await startLog();
  await addMonitor('a', 'm2');
  await addApplication('b');
  await addMonitor('b', 'm3');
  await addAttempt('evt_1', { started_at: startMs - 9_000 });
  await addAttempt('evt_2', { started_at: startMs - 8_000, attempt: 2, http_status: 500, error: 'http 500' });
  await addAttempt('evt_2', { started_at: startMs - 8_000, attempt: 1 });
  await addEvent('evt_3', {});
  await addAttempt('test_4', { kind: 'test' });
  await addAttempt('evt_5', { monitor_id: 'm3' });
  const last_attempt = { started_at: '2026-11-21T05:59:52', attempt: 2, http_status: 500, error: 'http 500' };
  const states = [
    { monitor_id: 'm1', last_attempt },
    { monitor_id: 'm2', last_attempt: null },
  ];
  expect(await deliveryLog.states('a')).toMatchObject(states);
  expect(await deliveryLog.state(await monitorRow('m1'))).toMatchObject({ last_attempt });
});

describe('a resend', () => {
  it('of an event of the monitor that ended, however it did, is due now, once', async () => {
    const { clock, addMonitor, addEvent, addAttempt, deliveryLog, events, notices } = await startLog();
    await addMonitor('a', 'm2');
    const ended = [];
    for (const state of ['delivered', 'expired', 'failed', 'feed-only'] as const) {
      ended.push(await addEvent(state, { state }));
      for (const attempt of [1, 2]) await addAttempt(state, { attempt });
    }
    const other = await addEvent('other', { state: 'failed' });
    clock.advance(5_000);
    expect(await deliveryLog.resend('m2', 'failed')).toBe('unknown');
    expect(await deliveryLog.resend('m1', 'unknown')).toBe('unknown');
    for (const { id } of ended) expect(await deliveryLog.resend('m1', id)).toBe('sent');
    expect(await deliveryLog.resend('m1', 'failed')).toBe('busy');
    expect(notices()).toBe(4);
    const due = { state: 'waiting', due_at: startMs + 5_000, expires_at: null, is_resend: 1, is_guarded: 0 };
    const free = { attempts: 2, held_until: 0, held_by: null };
    const current = { callback_uri: 'http://127.0.0.1:9/', host: 'http://127.0.0.1:9' };
    const body = expect.stringContaining('"callback_uri":"http://127.0.0.1:9/"') as string;
    expect(await events()).toEqual([...ended.map((event) => ({ ...event, ...due, ...free, ...current, body })), other]);
  });

  it('is refused after twenty of an event within an hour', async () => {
    const { addEvent, deliveryLog } = await startLog();
    for (const id of ['e', 'other']) await addEvent(id, { state: 'failed' });
    await deliveryLog.resend('m1', 'e');
    for (let count = 1; count < 20; count += 1) expect(await deliveryLog.resend('m1', 'e')).toBe('busy');
    await expect(deliveryLog.resend('m1', 'e')).rejects.toMatchObject({
      code: 'rate_limited',
      // By the machine's clock.
      headers: { 'retry-after': expect.stringMatching(/^3(600|5\d\d)$/) },
    });
    expect(await deliveryLog.resend('m1', 'other')).toBe('sent');
  });
});

describe('after 30 days', () => {
  it.each([
    ['precipitation', eventPrefix],
    ['test', testPrefix],
  ] as const)(
    'events of kind %s are deleted with their attempts, however many, unless they are sent once more',
    async (_kind, prefix) => {
      const { database, addEvent, addAttempt, events, attempts: rows } = await startLog();
      let count = 0;
      async function add(occurred_at: number, changes: EventChanges = { state: 'delivered' }) {
        const id = `${firstIdAt(prefix, occurred_at)}${String((count += 1)).padStart(20, '0')}`;
        await addEvent(id, { occurred_at, ...changes });
        await addAttempt(id);
      }
      const before = startMs - 30 * 24 * hourMs;
      // More than one statement deletes.
      for (let index = 0; index < 501; index += 1) await add(1 + index);
      await add(before - 2, { is_resend: 1 });
      await add(before - 1);
      await add(before);
      await deleteOldEvents(database, startMs);
      expect((await events()).map(({ occurred_at, state }) => [occurred_at, state])).toEqual([
        [before - 2, 'waiting'],
        [before, 'delivered'],
      ]);
      expect(await rows()).toHaveLength(2);
    },
  );
});
