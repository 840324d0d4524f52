// The events of operational webhooks (docs/delivery.md S17) as they are written: for which monitors, once for each change.
import { describe, expect, it } from 'vitest';
import type { OperationalEvent } from '#contract/service-api/operational-event.ts';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import { createOperationalWebhooks, reportEndpoints } from '#service/delivery/outbox/operational-webhooks.ts';
import { openDeliveryRows, startMs } from '../delivery-rows.ts';

const url = 'https://hooks.example/operations?key=1';
const off = { failed_events: 24, off_since: startMs, off_reason: 'the callback URL returned 410 Gone' };

async function start() {
  const rows = await openDeliveryRows();
  const { db, clock } = rows;
  await rows.addApplication('a');
  await rows.addApplication('b');
  const webhooks = createOperationalWebhooks({ db, clock });
  const events = () => db.selectFrom('events').selectAll().orderBy('id').execute();
  const report = async (id = 'a') => {
    const known = (await events()).map((event) => event.id);
    await reportEndpoints(db, clock, { id, clientId: `client of ${id}` });
    const fresh = (await events()).filter((event) => !known.includes(event.id));
    const bodies = fresh.map(({ body }) => JSON.parse(body) as OperationalEvent);
    return bodies
      .map(({ type, data }) => ({ type, monitors: data.monitors.map(({ monitor_id }) => monitor_id).toSorted() }))
      .toSorted((one, other) => one.type.localeCompare(other.type) || one.monitors.length - other.monitors.length);
  };
  const reported = async () => {
    const monitors = await db.selectFrom('monitors').select(['id', 'reported_state']).orderBy('id').execute();
    return Object.fromEntries(monitors.map((row) => [row.id, row.reported_state]));
  };
  return { ...rows, webhooks, events, report, reported };
}

describe('the URL', () => {
  it('is set, replaced, and removed for one application', async () => {
    const { webhooks } = await start();
    expect(await webhooks.urlOf('a')).toBeUndefined();
    await webhooks.set('a', url);
    await webhooks.set('b', 'https://b.example/');
    expect([await webhooks.urlOf('a'), await webhooks.urlOf('b')]).toEqual([url, 'https://b.example/']);
    await webhooks.set('a', 'https://new.example/');
    expect(await webhooks.urlOf('a')).toBe('https://new.example/');
    await webhooks.set('a', undefined);
    expect([await webhooks.urlOf('a'), await webhooks.urlOf('b')]).toEqual([undefined, 'https://b.example/']);
  });

  it('takes over events that wait, and no others', async () => {
    const { db, webhooks, addMonitor, report, events } = await start();
    await addMonitor('a', 'm1', { failed_events: 3 });
    await addMonitor('b', 'm2', { failed_events: 3 });
    for (const id of ['a', 'b']) {
      await webhooks.set(id, url);
      await report(id);
    }
    const [first] = await events();
    await db
      .insertInto('events')
      .values({ ...first!, id: 'op_sent', state: 'delivered' })
      .execute();
    await webhooks.set('a', 'http://new.example:8080/x');
    const [old, fresh] = [
      { callback_uri: url, host: 'https://hooks.example' },
      { callback_uri: 'http://new.example:8080/x', host: 'http://new.example:8080' },
    ];
    const found = await events();
    expect(found.find((event) => event.monitor_id === 'a' && event.state === 'waiting')).toMatchObject(fresh);
    expect(found.find((event) => event.monitor_id === 'b')).toMatchObject(old);
    expect(found.find((event) => event.id === 'op_sent')).toMatchObject(old);
  });

  it('that is removed takes its waiting events along, and what is wrong is reported to a later one', async () => {
    const { webhooks, addMonitor, report, reported, events } = await start();
    await addMonitor('a', 'm1', { failed_events: 3 });
    await addMonitor('b', 'm2', { failed_events: 3 });
    for (const id of ['a', 'b']) {
      await webhooks.set(id, url);
      await report(id);
    }
    await webhooks.set('a', undefined);
    const states = (await events()).map((event) => [event.monitor_id, event.state]);
    expect(Object.fromEntries(states)).toEqual({ a: 'replaced', b: 'waiting' });
    expect(await reported()).toEqual({ m1: 'working', m2: 'failing' });
    expect(await report()).toEqual([]);
    await webhooks.set('a', url);
    expect(await report()).toEqual([{ type: 'endpoint.failing', monitors: ['m1'] }]);
  });
});

describe('a report', () => {
  it('has one event for each kind of change since the last one', async () => {
    const { webhooks, addMonitor, changeMonitor, report, reported } = await start();
    await webhooks.set('a', url);
    await addMonitor('a', 'm1', { failed_events: 2 });
    await addMonitor('a', 'm2', { failed_events: 3 });
    await addMonitor('a', 'm3', { failed_events: 9 });
    await addMonitor('a', 'm4', off);
    await addMonitor('a', 'm5', { ...off, off_reason: disabledReason });
    await addMonitor('b', 'm6', off);
    expect(await report()).toEqual([
      { type: 'endpoint.disabled', monitors: ['m4'] },
      { type: 'endpoint.failing', monitors: ['m2', 'm3'] },
    ]);
    expect(await reported()).toEqual({
      m1: 'working',
      m2: 'failing',
      m3: 'failing',
      m4: 'off',
      m5: 'working',
      m6: 'working',
    });
    expect(await report()).toEqual([]);
    await changeMonitor('m2', { failed_events: 0 });
    await changeMonitor('m3', off);
    await changeMonitor('m4', { failed_events: 0, off_since: null, off_reason: null });
    expect(await report()).toEqual([
      { type: 'endpoint.disabled', monitors: ['m3'] },
      { type: 'endpoint.recovered', monitors: ['m2', 'm4'] },
    ]);
  });

  it('is an event of the application, due now, without the URL of the monitor', async () => {
    const { webhooks, addMonitor, report, events } = await start();
    await webhooks.set('a', url);
    await addMonitor('a', 'm1', { failed_events: 4, callback_uri: 'https://secret.example/token' });
    await report();
    const [event] = await events();
    expect(event).toMatchObject({
      monitor_id: 'a',
      application_id: 'a',
      kind: 'operational',
      occurred_at: startMs,
      callback_uri: url,
      host: 'https://hooks.example',
      state: 'waiting',
      attempts: 0,
      next_attempt_at: startMs,
      is_resend: 0,
      held_until: 0,
      held_by: null,
      feed_position: null,
    });
    expect(event?.id).toMatch(/^op_[0-9a-f]{32}$/);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'endpoint.failing',
      timestamp: '2026-11-21T06:00:00',
      data: {
        client_id: 'client of a',
        monitors: [{ monitor_id: 'm1', failed_in_a_row: 4, is_on: true, off_since: null, off_reason: null }],
      },
    });
  });

  it('has when and why delivery was turned off', async () => {
    const { webhooks, addMonitor, report, events } = await start();
    await webhooks.set('a', url);
    await addMonitor('a', 'm1', off);
    await report();
    const [event] = await events();
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'endpoint.disabled',
      data: {
        monitors: [
          {
            monitor_id: 'm1',
            failed_in_a_row: 24,
            is_on: false,
            off_since: '2026-11-21T06:00:00',
            off_reason: 'the callback URL returned 410 Gone',
          },
        ],
      },
    });
  });

  it('of more monitors than one event holds is several events', async () => {
    const { db, webhooks, addMonitor, report } = await start();
    await webhooks.set('a', url);
    await addMonitor('a', 'm000', { failed_events: 3 });
    const row = await db.selectFrom('monitors').selectAll().executeTakeFirstOrThrow();
    const ids = Array.from({ length: 200 }, (_, index) => `m${String(index + 1).padStart(3, '0')}`);
    for (let from = 0; from < ids.length; from += 50) {
      const part = ids.slice(from, from + 50).map((id) => ({ ...row, id }));
      await db.insertInto('monitors').values(part).execute();
    }
    const sizes = (await report()).map(({ monitors }) => monitors.length);
    expect(sizes).toEqual([1, 100, 100]);
  });
});

it('the last 20 attempts of an application are listed, newest first', async () => {
  const { db, webhooks } = await start();
  const attempt = (index: number, monitorId = 'a') => ({
    id: `att_${String(index).padStart(3, '0')}`,
    event_id: 'op_1',
    monitor_id: monitorId,
    attempt: index,
    kind: 'first' as const,
    // Pairs start at the same time.
    started_at: Math.floor(index / 2),
    latency_ms: 5,
    http_status: 500,
    error: 'http 500',
    answer: 'body',
  });
  await db
    .insertInto('deliveries')
    .values(Array.from({ length: 21 }, (_, index) => attempt(index)))
    .execute();
  await db.insertInto('deliveries').values(attempt(99, 'b')).execute();
  const listed = await webhooks.attempts('a');
  expect(listed.map(({ attempt: number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
  const { kind: _kind, answer: _answer, monitor_id: _monitor, ...shown } = attempt(20);
  expect(listed[0]).toEqual(shown);
});
