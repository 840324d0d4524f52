// What users see of a monitor's deliveries, and what they can do (docs/delivery.md S10, S11, S15).
import { describe, expect, it } from 'vitest';
import { createDeliveryLog } from '#service/monitors/delivery/delivery-log.ts';
import { countSteps } from '#test/service/count-steps.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;

async function start() {
  const rows = await openDeliveryRows();
  await rows.addApplication('a');
  await rows.addMonitor('a', 'm1');
  let notices = 0;
  const { clock, database } = rows;
  const log = createDeliveryLog({
    database,
    clock,
    onEvents: () => void (notices += 1),
  });
  const state = async (id = 'm1') => log.state(await rows.monitorRow(id));
  return { ...rows, deliveryLog: log, state, notices: () => notices };
}

describe('the status of a monitor', () => {
  it('without events has only its creation', async () => {
    const { changeMonitor, state } = await start();
    await changeMonitor('m1', { created_at: startMs - 1_000 });
    expect(await state()).toEqual({
      monitor_id: 'm1',
      last_event_at: null,
      next_event_allowed_at: null,
      failed_in_a_row: 0,
      is_on: true,
      off_since: null,
      off_reason: null,
      created_at: '2026-11-21T05:59:59',
      last_attempt: null,
    });
  });

  it('has its failures, its cool-down, and why delivery is off', async () => {
    const { changeMonitor, state } = await start();
    await changeMonitor('m1', {
      gate_opens_at: startMs + 60_000,
      failed_events: 2,
      off_since: startMs - 5_000,
      off_reason: 'gone',
    });
    expect(await state()).toMatchObject({
      last_event_at: '2026-11-21T05:01:00',
      next_event_allowed_at: '2026-11-21T06:01:00',
      failed_in_a_row: 2,
      is_on: false,
      off_since: '2026-11-21T05:59:55',
      off_reason: 'gone',
    });
  });

  it('allows the next event once the cool-down is over', async () => {
    const { clock, changeMonitor, state } = await start();
    await changeMonitor('m1', { gate_opens_at: startMs + hourMs });
    clock.advance(hourMs - 1);
    expect(await state()).toMatchObject({ next_event_allowed_at: '2026-11-21T07:00:00' });
    clock.advance(1);
    expect(await state()).toMatchObject({ last_event_at: '2026-11-21T06:00:00', next_event_allowed_at: null });
  });

  it('has the last attempt of a real event', async () => {
    const { addEvent, addAttempt, state } = await start();
    await addAttempt('evt_1', { started_at: startMs - 9_000 });
    await addAttempt('evt_2', { started_at: startMs - 8_000, attempt: 2, http_status: 500, error: 'http 500' });
    await addAttempt('evt_2', { started_at: startMs - 8_000, attempt: 1 });
    await addEvent('evt_3', {});
    await addAttempt('test_4', { kind: 'test' });
    await addAttempt('evt_5', { monitor_id: 'm2' });
    const last = { started_at: '2026-11-21T05:59:52', attempt: 2, http_status: 500, error: 'http 500' };
    expect((await state()).last_attempt).toEqual(last);
  });

  it('is listed for every monitor of an application', async () => {
    const { addApplication, addMonitor, addAttempt, deliveryLog, state } = await start();
    await addMonitor('a', 'm2');
    await addApplication('b');
    await addMonitor('b', 'm3');
    await addAttempt('evt_1', { monitor_id: 'm2', http_status: 202 });
    await addAttempt('evt_2', { monitor_id: 'm3' });
    const listed = await deliveryLog.states('a');
    const [first, second] = listed.toSorted((one, other) => one.monitor_id.localeCompare(other.monitor_id));
    expect(listed).toHaveLength(2);
    expect([first, second]).toEqual([await state(), await state('m2')]);
    expect([first?.last_attempt, second?.last_attempt?.http_status]).toEqual([null, 202]);
  });
});

it('the status of many monitors is read in steps, so that other requests come in between', async () => {
  const { addMonitor, deliveryLog } = await start();
  for (let number = 2; number <= 600; number += 1) await addMonitor('a', `m${number}`);
  const [states, steps] = await countSteps(() => deliveryLog.states('a'));
  expect(new Set(states.map(({ monitor_id }) => monitor_id)).size).toBe(600);
  expect(steps).toBe(3);
});

describe('a resend', () => {
  it.each(['delivered', 'failed', 'expired', 'feed-only'] as const)('of a %s event is due now', async (outcome) => {
    const { clock, addEvent, addAttempt, deliveryLog, events, notices } = await start();
    const event = await addEvent('e', { state: outcome });
    for (const attempt of [1, 2]) await addAttempt('e', { attempt });
    const other = await addEvent('other', { state: outcome });
    clock.advance(5_000);
    expect(await deliveryLog.resend('m1', 'e')).toBe('sent');
    expect(notices()).toBe(1);
    const due = { state: 'waiting', due_at: startMs + 5_000, expires_at: null, is_resend: 1, is_guarded: 0 };
    const free = { attempts: 2, held_until: 0, held_by: null };
    const current = { callback_uri: 'http://127.0.0.1:9/', host: 'http://127.0.0.1:9' };
    const body = expect.stringContaining('"callback_uri":"http://127.0.0.1:9/"') as string;
    expect(await events()).toEqual([{ ...event, ...due, ...free, ...current, body }, other]);
  });

  it.each([
    ['that still waits is refused', 'm1', 'waits', 'busy'],
    ['that does not exist is unknown', 'm1', 'e', 'unknown'],
    ['of another monitor is unknown', 'm2', 'ended', 'unknown'],
    ['of another monitor is unknown, although it waits', 'm2', 'waits', 'unknown'],
  ])('of an event %s', async (_which, monitor, id, answer) => {
    const { addEvent, deliveryLog, events, notices } = await start();
    const added = [await addEvent('ended', { state: 'failed' }), await addEvent('waits')];
    expect(await deliveryLog.resend(monitor, id)).toBe(answer);
    expect(await events()).toEqual(added);
    expect(notices()).toBe(0);
  });

  it('is refused after twenty of an event within an hour', async () => {
    const { addEvent, deliveryLog, notices } = await start();
    for (const id of ['e', 'other']) await addEvent(id, { state: 'failed' });
    await deliveryLog.resend('m1', 'e');
    for (let count = 1; count < 20; count += 1) expect(await deliveryLog.resend('m1', 'e')).toBe('busy');
    await expect(deliveryLog.resend('m1', 'e')).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '3600' },
    });
    expect(await deliveryLog.resend('m1', 'other')).toBe('sent');
    expect(notices()).toBe(2);
  });
});

it('a test event is due now', async () => {
  const { monitorRow, deliveryLog, events, notices } = await start();
  const id = await deliveryLog.sendTest(await monitorRow('m1'));
  expect(await events()).toMatchObject([{ id, kind: 'test', state: 'waiting', occurred_at: startMs, due_at: startMs }]);
  expect(notices()).toBe(1);
});

it('delivery that is turned on again starts without failures', async () => {
  const { addMonitor, changeMonitor, monitorRow, deliveryLog } = await start();
  await addMonitor('a', 'm2');
  const off = { off_since: 1, off_reason: 'gone', failed_events: 24 };
  for (const id of ['m1', 'm2']) await changeMonitor(id, off);
  await deliveryLog.turnOn('m1');
  expect(await monitorRow('m1')).toMatchObject({ off_since: null, off_reason: null, failed_events: 0 });
  expect(await monitorRow('m2')).toMatchObject(off);
});
