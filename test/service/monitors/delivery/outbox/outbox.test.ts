// Which events a process takes, holds, and gives up, and what a clock that was set back changes (docs/delivery.md S3, S13).
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { holdMs } from '#service/monitors/delivery/events.ts';
import { createOutbox, type FullLine } from '#service/monitors/delivery/outbox.ts';
import { claimHeld, openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

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
  const take = async (limit = 100, full: FullLine[] = []) =>
    (await outbox.take(startMs, limit, full)).map(({ id }) => id);
  return { ...rows, outbox, eventOf, take };
}

describe('a process takes', () => {
  it.each([
    ['an event that is due', {}, true],
    ['none that is due later', { due_at: startMs + 1 }, false],
    ['none that ended', { state: 'failed' }, false],
    ['none that another process leases', { held_until: leaseNow + 1, held_by: 'another' }, false],
    ['one whose lease has ended', { held_until: leaseNow, held_by: 'another' }, true],
    ['one of less than an hour ago', { occurred_at: startMs - hourMs + 1 }, true],
    ['none of an hour ago', { occurred_at: startMs - hourMs }, false],
    ['a test event, whenever it was created', { occurred_at: 1, kind: 'test' }, true],
    ['a resend, whenever its event occurred', { occurred_at: 1, is_resend: 1 }, true],
  ] as const)('%s', async (_which, changes, isTaken) => {
    const { addEvent, take, eventOf } = await start();
    const event = await addEvent('e', changes);
    expect(await take()).toEqual(isTaken ? ['e'] : []);
    const leased = { ...event, held_by: 'me', held_until: leaseEnd };
    expect(await eventOf('e')).toEqual(isTaken ? leased : event);
  });

  it('each event once, with all its fields', async () => {
    const { addEvent, outbox, take } = await start();
    const event = await addEvent('e');
    const [taken, ...others] = await outbox.take(startMs, 1, []);
    expect(others).toEqual([]);
    expect(event).toMatchObject(taken!);
    expect(Object.keys(taken!).toSorted()).toEqual([
      'account_id',
      'application_id',
      'attempts',
      'body',
      'callback_uri',
      'host',
      'id',
      'is_guarded',
      'is_resend',
      'kind',
      'monitor_id',
      'occurred_at',
      'triggered_by',
    ]);
    expect(await take()).toEqual([]);
  });

  it('those that have been due for longest, up to its limit', async () => {
    const { addEvent, take } = await start();
    for (const [id, late] of Object.entries({ a: 1, b: 3, c: 2 })) {
      await addEvent(id, { due_at: startMs - late });
    }
    expect((await take(2)).toSorted()).toEqual(['b', 'c']);
    expect(await take(2)).toEqual(['a']);
  });

  it('none of an application, or of its events for a host, with a long queue', async () => {
    const { addEvent, take } = await start();
    const host = 'https://one.example';
    await addEvent('a', { host });
    await addEvent('b', { host: 'https://b.example' });
    await addEvent('c', { host, application_id: 'other' });
    await addEvent('d', { application_id: 'full' });
    const own = (await addEvent('e', { state: 'failed' })).application_id;
    const full = [
      { application_id: own, host },
      { application_id: own, host: 'https://c.example' },
    ];
    expect((await take(9, [...full, { application_id: 'full' }])).toSorted()).toEqual(['b', 'c']);
  });

  it('events that it claims at once, with a lease', async () => {
    const { addApplication, addMonitor, outbox, events, take } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1');
    await addMonitor('a', 'm2');
    const { count, held } = await claimHeld(outbox, ['x'], startMs, {
      room: 1,
      triggers: new Map([['x', { source: 'open-meteo', at: 2 }]]),
    });
    const { id } = held[0]!;
    expect([count, held.length]).toEqual([2, 1]);
    const stored = await events();
    expect(stored).toMatchObject(Array(2).fill({ triggered_by: '{"source":"open-meteo","at":2}' }));
    expect(stored.find((event) => event.id === id)).toMatchObject({ held_by: 'me', held_until: leaseEnd });
    expect(await take()).toEqual(stored.map((event) => event.id).filter((other) => other !== id));
  });
});

describe('the leases of a process', () => {
  it('are renewed for the pending events that it holds', async () => {
    const { db, addEvent, outbox, eventOf } = await start();
    await addEvent('e0', { held_by: 'me', held_until: 7 });
    const first = await db.selectFrom('waiting_events').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...first, event_id: `e${index + 1}` }));
    await db.insertInto('waiting_events').values(rows).execute();
    await addEvent('unnamed', { held_by: 'me', held_until: 7 });
    await addEvent('lost', { held_by: 'another', held_until: 7 });
    const ids = [first, ...rows].map(({ event_id }) => event_id);
    await outbox.hold([...ids, 'ended', 'lost']);
    const renewed = await db
      .selectFrom('waiting_events')
      .select('event_id')
      .where('held_until', '=', leaseEnd)
      .execute();
    expect(renewed.map(({ event_id }) => event_id).toSorted()).toEqual(ids.toSorted());
    for (const id of ['unnamed', 'lost']) expect(await eventOf(id)).toMatchObject({ held_until: 7 });
  });

  it('end when it releases its events', async () => {
    const { addEvent, outbox, eventOf } = await start();
    const leased = { held_by: 'me', held_until: leaseEnd };
    await addEvent('named', leased);
    await addEvent('unnamed', leased);
    await addEvent('lost', { ...leased, held_by: 'another' });
    await outbox.release([]);
    expect(await eventOf('named')).toMatchObject(leased);
    await outbox.release(['named', 'lost']);
    expect(await eventOf('named')).toMatchObject({ held_by: null, held_until: 0, state: 'waiting' });
    expect(await eventOf('unnamed')).toMatchObject(leased);
    expect(await eventOf('lost')).toMatchObject({ held_by: 'another', held_until: leaseEnd });
  });
});

describe('an event expires', () => {
  const old = { occurred_at: startMs - hourMs };

  it.each([
    ['an hour after it occurred', old, true],
    ['an hour after it occurred, once its lease has ended', { ...old, held_until: leaseNow, held_by: 'x' }, true],
    ['not while a process leases it', { ...old, held_until: leaseNow + 1, held_by: 'x' }, false],
    ['not before', { occurred_at: startMs - hourMs + 1 }, false],
    ['not before its attempt is due', { ...old, due_at: startMs + 1 }, false],
    ['not as a test event', { ...old, kind: 'test' }, false],
    ['not as a resend', { ...old, is_resend: 1 }, false],
    ['not once it ended', { ...old, state: 'deleted' }, false],
  ] as const)('%s', async (_when, changes, isExpired) => {
    const { addEvent, outbox, eventOf } = await start();
    const event = await addEvent('e', changes);
    await outbox.expire(startMs);
    expect(await eventOf('e')).toMatchObject(isExpired ? { state: 'expired', due_at: null } : event);
  });
});

describe('an event that expired before its last attempt', () => {
  const old = { occurred_at: startMs - hourMs };

  it('counts as failed once', async () => {
    const { db, addApplication, addMonitor, addEvent, outbox, monitorRow } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', {
      failed_events: 1,
      gate_opens_at: startMs + hourMs,
    });
    await addMonitor('a', 'm2', { failed_events: 23, gate_opens_at: startMs + hourMs });
    const sending = await addEvent('e1', old);
    await addEvent('resent', { ...old, is_resend: 1 });
    await addEvent('test', { ...old, kind: 'test' });
    for (let index = 0; index < 600; index += 1)
      await addEvent(`e2-${index}`, { ...old, monitor_id: `other ${index}` });
    await addEvent('e3', { ...old, monitor_id: 'm2' });
    const ended = { failed_events: 2 };
    await outbox.expire(startMs);
    await outbox.expire(startMs);
    const result = { status: 500, error: 'http 500', latencyMs: 1, answer: '', retryAfterSeconds: undefined };
    await outbox.record([{ event: sending, startedAt: startMs, result, state: 'failed', nextAttemptAt: undefined }]);
    expect(await monitorRow('m1')).toMatchObject(ended);
    expect(await monitorRow('m2')).toMatchObject({
      failed_events: 24,
      off_since: startMs,
      off_reason: '24 events in a row failed; last error: not sent in time',
    });
    const waiting = await db.selectFrom('waiting_events').select('event_id').orderBy('event_id').execute();
    expect(waiting.map(({ event_id }) => event_id)).toEqual(['resent', 'test']);
  });
});

describe('after the clock was set back', () => {
  const ahead = startMs + hourMs;

  it.each([
    ['with a retry is due now', { occurred_at: ahead, due_at: ahead + 60_000 }, startMs],
    ['that is due stays so', { occurred_at: ahead, due_at: startMs - 7 }, startMs - 7],
    ['more than 2 s ahead is due now', { occurred_at: startMs + jumpMs + 1, due_at: startMs + 9_000 }, startMs],
  ])('an event %s, and expires in an hour', async (_what, changes, due_at) => {
    const { addEvent, outbox, eventOf } = await start();
    const event = await addEvent('e', changes);
    await outbox.replan(() => startMs);
    expect(await eventOf('e')).toEqual({ ...event, due_at, expires_at: startMs + hourMs });
  });

  it.each([
    ['within 2 s', { occurred_at: startMs + jumpMs, due_at: startMs + 9_000 }],
    ['that ended', { occurred_at: ahead, due_at: ahead + 1, state: 'delivered' }],
    ['of the past, with a retry', { occurred_at: startMs - 5, due_at: startMs + 10_000 }],
    ['of the past that ended, although it was a resend', { due_at: ahead, is_resend: 1, state: 'failed' }],
  ] as const)('an event %s does not change', async (_what, changes) => {
    const { addEvent, outbox, eventOf } = await start();
    const event = await addEvent('e', changes);
    await outbox.replan(() => startMs);
    expect(await eventOf('e')).toEqual(event);
  });

  it('a resend is due now', async () => {
    const { addEvent, outbox, eventOf } = await start();
    await addEvent('e', { is_resend: 1, due_at: ahead });
    await addEvent('late', { is_resend: 1, due_at: startMs - 5 });
    await outbox.replan(() => startMs);
    expect(await eventOf('e')).toMatchObject({ occurred_at: startMs, due_at: startMs });
    expect(await eventOf('late')).toMatchObject({ due_at: startMs - 5 });
  });

  it('cool-downs end an hour from now', async () => {
    const { addApplication, addMonitor, monitorRow, outbox } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', { gate_opens_at: startMs + 5 * hourMs });
    await outbox.replan(() => startMs);
    expect(await monitorRow('m1')).toMatchObject({ gate_opens_at: startMs + hourMs });
  });

  it('leases end no later than one that begins now', async () => {
    const { addEvent, outbox, eventOf } = await start();
    await addEvent('long', { held_by: 'x', held_until: leaseEnd + 1 });
    await addEvent('short', { held_by: 'x', held_until: leaseEnd - 1 });
    await outbox.replan(() => startMs);
    expect(await eventOf('long')).toMatchObject({ held_by: 'x', held_until: leaseEnd });
    expect(await eventOf('short')).toMatchObject({ held_until: leaseEnd - 1 });
  });
});
