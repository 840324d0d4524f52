// Which events a process takes, holds, and gives up, what results of attempts change, and what a clock that was set back changes
// (docs/delivery.md S3, S10, S13).
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import { holdMs } from '#service/monitors/delivery/events.ts';
import { createOutbox, readQueue } from '#service/monitors/delivery/outbox.ts';
import type { SendResult } from '#service/monitors/delivery/send-callback.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import { openDeliveryRows, startMs } from './delivery-rows.ts';
import type { EventChanges } from './event-rows.ts';

const hourMs = 3_600_000;
/** The lease clock, which is the machine's monotonic clock. */
const leaseNow = 5_000_250;
const leaseEnd = leaseNow + holdMs;

beforeEach(() => {
  vi.spyOn(process, 'hrtime').mockReturnValue([5_000, 250_999_999]);
});

async function start() {
  const rows = await openDeliveryRows();
  const outbox = createOutbox(rows.database, 'me');
  const eventOf = async (id: string) => (await rows.events()).find((event) => event.id === id);
  /** Adds an event for each name, and returns them by their IDs. */
  async function addAll(changes: Record<string, EventChanges>) {
    const added: Record<string, Awaited<ReturnType<typeof rows.addEvent>>> = {};
    for (const [id, each] of Object.entries(changes)) added[id] = await rows.addEvent(id, each);
    return added;
  }
  return { ...rows, outbox, eventOf, addAll };
}

describe('a process takes', () => {
  it('events that are due, that no other leases, and whose hour is not over, each once', async () => {
    const { addAll, outbox, eventOf } = await start();
    const taken = {
      'of now': {},
      'with a lease that has ended': { held_until: leaseNow, held_by: 'another' },
      'of less than an hour ago': { occurred_at: startMs - hourMs + 1 },
      'a test event, whenever it was created': { occurred_at: 1, kind: 'test' },
      'a resend, whenever its event occurred': { occurred_at: 1, is_resend: 1 },
    } as const;
    const left = {
      'due later': { due_at: startMs + 1 },
      ended: { state: 'failed' },
      'leased by another': { held_until: leaseNow + 1, held_by: 'another' },
      'of an hour ago': { occurred_at: startMs - hourMs },
    } as const;
    const events = await addAll({ ...taken, ...left });
    const found = await outbox.take(startMs, 100, []);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(Object.keys(taken)));
    for (const event of found) expect(events[event.id]).toMatchObject(event);
    for (const id of Object.keys(taken))
      expect(await eventOf(id)).toEqual({ ...events[id], held_by: 'me', held_until: leaseEnd });
    for (const id of Object.keys(left)) expect(await eventOf(id)).toEqual(events[id]);
    expect(await outbox.take(startMs, 100, [])).toEqual([]);
  });

  it('those that have been due for longest, up to its limit, and none of an application or host with a long queue', async () => {
    const { addAll, outbox } = await start();
    const host = 'https://one.example';
    await addAll({
      a: { host, due_at: startMs - 9 },
      b: { host: 'https://b.example', due_at: startMs - 1 },
      c: { host, application_id: 'other', due_at: startMs - 3 },
      d: { application_id: 'full', due_at: startMs - 9 },
      e: { host: 'https://e.example', due_at: startMs - 2 },
    });
    const full = [
      { application_id: 'a', host },
      { application_id: 'a', host: 'https://c.example' },
      { application_id: 'full' },
    ];
    const take = async (limit: number) => (await outbox.take(startMs, limit, full)).map(({ id }) => id).toSorted();
    expect(await take(2)).toEqual(['c', 'e']);
    expect(await take(2)).toEqual(['b']);
  });
});

describe('the leases of a process', () => {
  it('are renewed for the events that it holds, and end when it releases them', async () => {
    const { db, addAll, addEvent, outbox, eventOf } = await start();
    const mine = { held_by: 'me', held_until: 7 };
    await addEvent('e0', mine);
    const first = await db.selectFrom('waiting_events').selectAll().executeTakeFirstOrThrow();
    // More than one statement renews.
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...first, event_id: `e${index + 1}` }));
    await db.insertInto('waiting_events').values(rows).execute();
    await addAll({ unnamed: mine, lost: { ...mine, held_by: 'another' } });
    const ids = [first, ...rows].map(({ event_id }) => event_id);
    await outbox.hold([...ids, 'ended', 'lost']);
    const renewed = await db
      .selectFrom('waiting_events')
      .select('event_id')
      .where('held_until', '=', leaseEnd)
      .execute();
    expect(renewed.map(({ event_id }) => event_id).toSorted()).toEqual(ids.toSorted());
    await outbox.release([]);
    expect(await eventOf('e0')).toMatchObject({ held_by: 'me' });
    await outbox.release(['e0', 'lost']);
    expect(await eventOf('e0')).toMatchObject({ held_by: null, held_until: 0, state: 'waiting' });
    expect(await eventOf('unnamed')).toMatchObject(mine);
    expect(await eventOf('lost')).toMatchObject({ held_by: 'another', held_until: 7 });
  });
});

describe('an event expires', () => {
  it('an hour after it occurred, unless a process leases it or it was requested by hand', async () => {
    const { addAll, outbox, eventOf } = await start();
    const old = { occurred_at: startMs - hourMs };
    const expired = {
      'after an hour': old,
      'once its lease has ended': { ...old, held_until: leaseNow, held_by: 'x' },
    };
    const kept = {
      leased: { ...old, held_until: leaseNow + 1, held_by: 'x' },
      'before its hour is over': { occurred_at: startMs - hourMs + 1 },
      'before its attempt is due': { ...old, due_at: startMs + 1 },
      'a test event': { ...old, kind: 'test' },
      'a resend': { ...old, is_resend: 1 },
      ended: { ...old, state: 'deleted' },
    } as const;
    const events = await addAll({ ...expired, ...kept });
    await outbox.expire(startMs);
    for (const id of Object.keys(expired)) expect(await eventOf(id)).toMatchObject({ state: 'expired', due_at: null });
    for (const id of Object.keys(kept)) expect(await eventOf(id)).toEqual(events[id]);
  });

  it('even if many do, and counts as failed once', async () => {
    const { db, addApplication, addMonitor, addEvent, outbox, monitorRow } = await start();
    const old = { occurred_at: startMs - hourMs };
    await addApplication('a');
    await addMonitor('a', 'm1', { failed_events: 1 });
    await addMonitor('a', 'm2', { failed_events: 23 });
    const sending = await addEvent('e1', old);
    // More than one statement ends.
    for (let index = 0; index < 600; index += 1)
      await addEvent(`e2-${index}`, { ...old, monitor_id: `other ${index}` });
    await addEvent('e3', { ...old, monitor_id: 'm2' });
    await outbox.expire(startMs);
    expect(await db.selectFrom('waiting_events').select('event_id').execute()).toEqual([]);
    await outbox.expire(startMs);
    await outbox.record([recordOf(sending, 'failed')]);
    expect(await monitorRow('m1')).toMatchObject({ failed_events: 2 });
    expect(await monitorRow('m2')).toMatchObject({
      failed_events: 24,
      off_since: startMs,
      off_reason: '24 events in a row failed; last error: not sent in time',
    });
  });
});

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

describe('a result', () => {
  it('changes its event, its monitor, and the record, each in a group of one', async () => {
    const { addApplication, addMonitor, addEvent, outbox, eventOf, monitorRow, attempts } = await start();
    await addApplication('a');
    const failed = { state: 'failed', due_at: null };
    const delivered = { state: 'delivered', due_at: null };
    const off = { failed_events: 3, off_since: startMs, off_reason: 'the callback URL returned 410 Gone' };
    const table = [
      ['delivered', {}, delivered, { failed_events: 0 }],
      ['waiting', {}, { state: 'waiting', due_at: later, attempts: 2, held_until: 0, held_by: null }, {}],
      ['failed', {}, failed, { failed_events: 3 }],
      ['gone', {}, failed, off],
      // A resend counts only if it succeeds, or the receiver wants no more.
      ['delivered', { is_resend: 1, undelivered: 'failed' }, delivered, { failed_events: 0 }],
      ['failed', { is_resend: 1, undelivered: 'failed' }, failed, {}],
      ['failed', { is_resend: 1 }, delivered, {}],
      ['gone', { is_resend: 1 }, delivered, off],
      ['delivered', { kind: 'test' }, delivered, {}],
      ['failed', { kind: 'test' }, failed, {}],
      ['gone', { kind: 'test' }, failed, {}],
    ] as const;
    const records: AttemptRecord[] = [];
    for (const [index, [outcome, changes]] of table.entries()) {
      const monitor_id = await addMonitor('a', `m${index}`, { failed_events: 2 });
      const sending = { attempts: 1, held_until: 9, held_by: 'me' };
      records.push(recordOf(await addEvent(`e${index}`, { monitor_id, ...sending, ...changes }), outcome));
    }
    const other = await addEvent('other', { monitor_id: await addMonitor('a', 'other') });
    await outbox.record(records);
    for (const [index, [outcome, changes, event, monitor]] of table.entries()) {
      const which = [outcome, changes];
      expect([which, await eventOf(`e${index}`)]).toMatchObject([which, event]);
      const untouched = { failed_events: 2, off_since: null };
      expect([which, await monitorRow(`m${index}`)]).toMatchObject([which, { ...untouched, ...monitor }]);
    }
    expect(await eventOf('other')).toEqual(other);
    const logged = await attempts();
    expect(logged).toHaveLength(table.length);
    expect(logged[0]).toEqual({
      event_id: 'e0',
      attempt: 2,
      kind: 'retry',
      started_at: startMs,
      latency_ms: 12,
      http_status: 204,
      error: null,
      answer: 'ok',
      request: null,
    });
  });

  it('is written once although its group is written again, for an event that ended too, but not for a deleted one', async () => {
    const { db, addEvent, outbox, attempts, eventOf } = await start();
    const kept = [await addEvent('e1'), await addEvent('e2', { state: 'expired' })];
    const deleted = await addEvent('e3');
    await db.deleteFrom('events').where('id', '=', 'e3').execute();
    await db.deleteFrom('waiting_events').where('event_id', '=', 'e3').execute();
    const records = [...kept, deleted].map((event) => recordOf(event, 'delivered'));
    await outbox.record(records);
    // The confirmation was lost.
    await outbox.record(records);
    expect((await attempts()).map(({ event_id }) => event_id)).toEqual(['e1', 'e2']);
    expect(await eventOf('e2')).toEqual({ ...kept[1], attempts: 1 });
  });

  it('keeps the order of an episode: what comes after a failed event waits for its retry, except for tests', async () => {
    const { addAll, addEvent, outbox, eventOf } = await start();
    const failed = await addEvent('e1', { kind: 'started' });
    await addAll({ e0: { kind: 'started' }, e2: { kind: 'ended' }, e3: { kind: 'test' }, e4: { monitor_id: 'm2' } });
    await outbox.record([recordOf(failed, 'waiting')]);
    const dueOf = async (id: string) => (await eventOf(id))?.due_at;
    expect(await dueOf('e2')).toBeGreaterThan(later);
    for (const id of ['e0', 'e3', 'e4']) expect([id, await dueOf(id)]).toEqual([id, startMs]);
  });

  it.each([
    [22, 'failed', broken, undefined],
    [23, 'failed', broken, '24 events in a row failed; last error: 500 Internal Server Error'],
    [24, 'failed', { ...broken, error: null }, '25 events in a row failed; last error: no response'],
  ] as const)('after %i failed events turns a monitor off: %s', async (failures, outcome, result, reason) => {
    const { addApplication, addMonitor, addEvent, monitorRow, outbox } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', { failed_events: failures });
    await outbox.record([recordOf(await addEvent('e'), outcome, { result })]);
    const off = { off_since: reason === undefined ? null : startMs, off_reason: reason ?? null };
    expect(await monitorRow('m1')).toMatchObject({ failed_events: failures + 1, ...off });
  });

  it('keeps why a monitor is off', async () => {
    const { addApplication, addMonitor, addEvent, monitorRow, outbox } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', { failed_events: 30, off_since: 5, off_reason: 'earlier' });
    await outbox.record([recordOf(await addEvent('e'), 'gone')]);
    expect(await monitorRow('m1')).toMatchObject({ failed_events: 31, off_since: 5, off_reason: 'earlier' });
  });
});

describe('after the clock was set back', () => {
  it('events of the future and resends are due now, and expire in an hour', async () => {
    const { addAll, outbox, eventOf } = await start();
    const ahead = startMs + hourMs;
    const expires_at = startMs + hourMs;
    const table: Record<string, [EventChanges, EventChanges]> = {
      'with a retry': [
        { occurred_at: ahead, due_at: ahead + 60_000 },
        { due_at: startMs, expires_at },
      ],
      'due already': [{ occurred_at: ahead, due_at: startMs - 7 }, { expires_at }],
      'more than 2 s ahead': [
        { occurred_at: startMs + jumpMs + 1, due_at: startMs + 9_000 },
        { due_at: startMs, expires_at },
      ],
      'within 2 s': [{ occurred_at: startMs + jumpMs, due_at: startMs + 9_000 }, {}],
      ended: [{ occurred_at: ahead, due_at: ahead + 1, state: 'delivered' }, {}],
      'of the past': [{ occurred_at: startMs - 5, due_at: startMs + 10_000 }, {}],
      'a resend': [{ is_resend: 1, due_at: ahead }, { due_at: startMs }],
      'a resend that is due': [{ is_resend: 1, due_at: startMs - 5 }, {}],
    };
    const events = await addAll(Object.fromEntries(Object.entries(table).map(([id, [given]]) => [id, given])));
    await outbox.replan(() => startMs);
    for (const [id, [, changed]] of Object.entries(table))
      expect(await eventOf(id)).toEqual({ ...events[id], ...changed });
  });

  it('cool-downs end no later than an hour from now, and leases no later than one that begins now', async () => {
    const { addApplication, addMonitor, addAll, monitorRow, eventOf, outbox } = await start();
    await addApplication('a');
    const gates = { soon: startMs + 5, tolerated: startMs + hourMs + jumpMs, late: startMs + hourMs + jumpMs + 1 };
    for (const [id, gate_opens_at] of Object.entries(gates)) await addMonitor('a', id, { gate_opens_at });
    await addAll({
      long: { held_by: 'x', held_until: leaseEnd + 1 },
      short: { held_by: 'x', held_until: leaseEnd - 1 },
    });
    await outbox.replan(() => startMs);
    const gateOf = async (id: string) => (await monitorRow(id)).gate_opens_at;
    expect([await gateOf('soon'), await gateOf('tolerated')]).toEqual([gates.soon, gates.tolerated]);
    expect(await gateOf('late')).toBe(startMs + hourMs);
    expect(await eventOf('long')).toMatchObject({ held_by: 'x', held_until: leaseEnd });
    expect(await eventOf('short')).toMatchObject({ held_until: leaseEnd - 1 });
  });
});

it('metrics have the number of waiting events, and how long the oldest has been due', async () => {
  const { db, addEvent } = await start();
  expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 0, waiting: 0 });
  await addEvent('later', { due_at: startMs + 1, host: 'c' });
  expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 0, waiting: 1 });
  await addEvent('due', { due_at: startMs - 1_500, host: 'b' });
  await addEvent('sent', { due_at: startMs - 9_000, state: 'delivered', host: 'c' });
  expect(await readQueue(db, startMs)).toEqual({ oldestSeconds: 1.5, waiting: 2 });
});
