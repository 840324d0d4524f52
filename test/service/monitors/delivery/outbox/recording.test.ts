// What the results of attempts change: the log, the events, and the state of the monitors (docs/delivery.md S3, S10, S11).
import { describe, expect, it } from 'vitest';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import type { SendResult } from '#service/monitors/delivery/send-callback.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const ok: SendResult = { status: 204, error: null, latencyMs: 12, answer: 'ok', retryAfterSeconds: undefined };
const broken: SendResult = { ...ok, status: 500, error: 'http 500' };
const later = startMs + 10_000;

const recordOf = (event: WaitingEvent, state: AttemptRecord['state'], changes: Partial<AttemptRecord> = {}) => ({
  event,
  startedAt: startMs,
  result: state === 'delivered' ? ok : broken,
  state,
  nextAttemptAt: state === 'waiting' ? later : undefined,
  ...changes,
});

async function start() {
  const rows = await openDeliveryRows();
  await rows.addApplication('a');
  await rows.addMonitor('a', 'm1', { failed_events: 2 });
  await rows.addMonitor('a', 'm2', { failed_events: 1 });
  const outbox = createOutbox(rows.database, 'me');
  const eventOf = async (id: string) => (await rows.events()).find((event) => event.id === id);
  return { ...rows, outbox, eventOf };
}

describe('the log', () => {
  it.each([
    ['first', {}, 1],
    ['retry', { attempts: 3 }, 4],
    ['test', { kind: 'test', attempts: 1 }, 2],
    ['resend', { is_resend: 1, attempts: 2 }, 3],
    ['resend', { is_resend: 1, kind: 'test' }, 1],
  ] as const)('has an attempt as %s of %o', async (kind, changes, attempt) => {
    const { addEvent, outbox, attempts } = await start();
    const event = await addEvent('e', changes);
    await outbox.record([recordOf(event, 'failed')]);
    expect(await attempts()).toEqual([
      {
        event_id: 'e',
        attempt,
        kind,
        started_at: startMs,
        latency_ms: 12,
        http_status: 500,
        error: 'http 500',
        answer: 'ok',
        request: null,
      },
    ]);
  });

  it('has an attempt once, although its group is written again because the confirmation was lost', async () => {
    const { addEvent, outbox, attempts } = await start();
    const record = recordOf(await addEvent('e'), 'delivered');
    await outbox.record([record]);
    await outbox.record([record]);
    expect(await attempts()).toHaveLength(1);
  });

  it('keeps the attempts of events that ended, and drops those of deleted ones', async () => {
    const { db, addEvent, outbox, attempts, eventOf } = await start();
    const kept = [await addEvent('e1'), await addEvent('e2', { state: 'expired' })];
    const deleted = await addEvent('e3');
    await db.deleteFrom('events').where('id', '=', 'e3').execute();
    await db.deleteFrom('waiting_events').where('event_id', '=', 'e3').execute();
    await outbox.record([...kept, deleted].map((event) => recordOf(event, 'delivered')));
    expect((await attempts()).map(({ event_id }) => event_id)).toEqual(['e1', 'e2']);
    expect(await eventOf('e2')).toEqual({ ...kept[1], attempts: 1 });
  });
});

describe('an event', () => {
  const sending = { attempts: 1, held_until: 9, held_by: 'me' };

  it.each([
    ['delivered', { state: 'delivered', due_at: null, undelivered: null }],
    ['waiting', { state: 'waiting', due_at: later, attempts: 2, held_until: 0, held_by: null }],
    ['failed', { state: 'failed', due_at: null }],
    ['gone', { state: 'failed', due_at: null }],
  ] as const)('after a result of %s', async (outcome, state) => {
    const { addEvent, outbox, eventOf } = await start();
    const event = await addEvent('e', sending);
    const other = await addEvent('other', { ...sending, monitor_id: 'm2' });
    await outbox.record([recordOf(event, outcome)]);
    expect(await eventOf('e')).toMatchObject(state);
    expect(await eventOf('other')).toEqual(other);
  });

  it.each(['waiting', 'delivered', 'failed'] as const)(
    'that expired stays so after a result of %s',
    async (outcome) => {
      const { addEvent, outbox, eventOf } = await start();
      const event = await addEvent('e', { state: 'expired' });
      await outbox.record([recordOf(event, outcome)]);
      expect(await eventOf('e')).toEqual({ ...event, attempts: 1 });
    },
  );

  it.each([
    ['failed', 'delivered', 'delivered'],
    ['failed', 'failed', 'failed'],
    ['delivered', 'failed', 'delivered'],
  ] as const)('that had %s, and whose resend is %s, has %s', async (before, outcome, after) => {
    const { addEvent, outbox, eventOf } = await start();
    const event = await addEvent('e', { is_resend: 1, undelivered: before === 'failed' ? 'failed' : null });
    await outbox.record([recordOf(event, outcome)]);
    expect(await eventOf('e')).toMatchObject({ state: after });
  });

  it('of a group gets its own result', async () => {
    const { addEvent, outbox, events } = await start();
    const added = [];
    for (const id of ['e1', 'e2', 'e3', 'e4']) added.push(await addEvent(id));
    const outcomes = ['waiting', 'delivered', 'failed', 'waiting'] as const;
    const records = added.map((event, index) =>
      recordOf(event, outcomes[index]!, index === 3 ? { nextAttemptAt: later + 5 } : {}),
    );
    await outbox.record(records);
    expect((await events()).map(({ state, due_at }) => [state, due_at])).toEqual([
      ['waiting', later],
      ['delivered', null],
      ['failed', null],
      ['waiting', later + 5],
    ]);
  });
});

describe('a monitor', () => {
  const before = { failed_events: 2, off_since: null };

  it.each([
    ['delivered', {}, { failed_events: 0 }],
    ['delivered', { is_resend: 1 }, { failed_events: 0 }],
    ['delivered', { kind: 'test' }, {}],
    ['waiting', {}, {}],
    ['failed', {}, { failed_events: 3 }],
    ['failed', { is_resend: 1 }, {}],
    ['failed', { kind: 'test' }, {}],
    ['gone', {}, { failed_events: 3, off_since: startMs }],
    ['gone', { is_resend: 1 }, { failed_events: 3, off_since: startMs }],
    ['gone', { kind: 'test' }, {}],
  ] as const)('after an event is %s, with %o', async (outcome, changes, state) => {
    const { addEvent, monitorRow, outbox } = await start();
    const untouched = await monitorRow('m2');
    await outbox.record([recordOf(await addEvent('e', changes), outcome)]);
    expect(await monitorRow('m1')).toMatchObject({ ...before, ...state });
    expect(await monitorRow('m2')).toEqual(untouched);
  });

  it.each([
    [22, 'failed', broken, undefined],
    [23, 'failed', broken, '24 events in a row failed; last error: 500 Internal Server Error'],
    [24, 'failed', { ...broken, error: null }, '25 events in a row failed; last error: no response'],
    [23, 'gone', broken, 'the callback URL returned 410 Gone'],
    [0, 'gone', broken, 'the callback URL returned 410 Gone'],
  ] as const)('after %i failed events and one that is %s', async (failures, outcome, result, reason) => {
    const { addEvent, changeMonitor, monitorRow, outbox } = await start();
    await changeMonitor('m1', { failed_events: failures });
    await outbox.record([recordOf(await addEvent('e'), outcome, { result })]);
    const off =
      reason === undefined ? { off_since: null, off_reason: null } : { off_since: startMs, off_reason: reason };
    expect(await monitorRow('m1')).toMatchObject({ failed_events: failures + 1, ...off });
    expect(await monitorRow('m2')).toMatchObject({ off_since: null });
  });

  it('that is off keeps its reason', async () => {
    const { addEvent, changeMonitor, monitorRow, outbox } = await start();
    await changeMonitor('m1', { failed_events: 30, off_since: 5, off_reason: 'earlier' });
    await outbox.record([recordOf(await addEvent('e'), 'gone')]);
    expect(await monitorRow('m1')).toMatchObject({ failed_events: 31, off_since: 5, off_reason: 'earlier' });
  });
});
