// Which monitors get an event when it rains in their cells, and what the event consists of (docs/delivery.md S1, S10, S13).
import { describe, expect, it } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import { addTestEvent, type ClaimOptions } from '#service/monitors/delivery/events.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { monitorJson } from '#service/monitors/monitor-json.ts';
import { claimHeld, openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;
const off = { off_since: 1, off_reason: 'the callback URL returned 410 Gone' };

async function start() {
  const rows = await openDeliveryRows();
  const { db, database, addApplication } = rows;
  await addApplication('a');
  await addApplication('b');
  const outbox = createOutbox(database, 'me');
  const claim = (options: ClaimOptions = {}) => claimHeld(outbox, ['x'], startMs, options);
  /** The monitors that get an event. */
  async function claimed(): Promise<string[]> {
    const { count } = await claim();
    const events = await db.selectFrom('events').select('monitor_id').where('id', 'like', 'evt_0%').execute();
    expect(events).toHaveLength(count);
    return events.map(({ monitor_id }) => monitor_id).toSorted();
  }
  const readFeed = (application_id: string, read_at: number) =>
    db.insertInto('feed_readers').values({ application_id, read_at }).execute();
  return { ...rows, outbox, claim, claimed, readFeed };
}

describe('a claim', () => {
  it('takes the monitors of its cells whose cool-down is over, once', async () => {
    const { addMonitor, claimed, claim, outbox } = await start();
    await addMonitor('a', 'new');
    await addMonitor('a', 'open', { gate_opens_at: startMs });
    await addMonitor('a', 'closed', { gate_opens_at: startMs + 1 });
    await addMonitor('b', 'elsewhere', { cell: 'y' });
    expect(await outbox.claim([], startMs)).toBe(0);
    expect(await claimed()).toEqual(['new', 'open']);
    expect(await claim()).toEqual({ count: 0, held: [] });
  });

  it('starts a cool-down of an hour, and keeps the time of a later event', async () => {
    const { addMonitor, claim, monitorRow } = await start();
    await addMonitor('a', 'm1');
    await addMonitor('a', 'm2', { latest_event_at: startMs + 5 });
    await claim();
    const cooldown = { gate_opens_at: startMs + hourMs };
    expect(await monitorRow('m1')).toMatchObject({ ...cooldown, latest_event_at: startMs });
    expect(await monitorRow('m2')).toMatchObject({ ...cooldown, latest_event_at: startMs + 5 });
  });

  it.each([
    ['an hour before', { started_at: startMs - hourMs }, 0, true],
    ['less than an hour before', { started_at: startMs - hourMs + 1 }, 0, false],
    ['less than an hour after', { started_at: startMs + hourMs - 1 }, 0, false],
    ['an hour after', { started_at: startMs + hourMs }, 0, true],
    ['now, as a retry', { kind: 'retry' }, 0, true],
    ['now, as a test', { kind: 'test' }, 0, true],
    ['now, for another monitor', { monitor_id: 'm2' }, 0, true],
    ['now, although the last event was an hour ago', {}, hourMs, true],
  ] as const)(
    'leaves an hour to the first attempt that started %s',
    async (_when, attempt, sinceEventMs, isClaimed) => {
      const { addMonitor, addAttempt, claimed } = await start();
      const latest_event_at = sinceEventMs === 0 ? startMs - hourMs + 1 : startMs - sinceEventMs;
      await addMonitor('a', 'm1', { latest_event_at });
      await addAttempt('evt_1', attempt);
      expect(await claimed()).toEqual(isClaimed ? ['m1'] : []);
    },
  );

  it('includes a monitor with delivery off only if its application reads the feed', async () => {
    const { addMonitor, claim, claimed, readFeed, events } = await start();
    await addMonitor('a', 'off', off);
    await addMonitor('a', 'disabled', { ...off, off_reason: disabledReason });
    await addMonitor('b', 'unread', off);
    expect(await claimed()).toEqual([]);
    await readFeed('a', startMs - hourMs);
    const { count, held } = await claim({ room: 9 });
    expect([count, held]).toEqual([1, []]);
    const found = await events();
    expect(found).toHaveLength(1);
    expect(found).toMatchObject([{ monitor_id: 'off', state: 'feed-only', due_at: null, held_by: null }]);
  });

  it('leases as many events to the claiming process as it has room for', async () => {
    const { addMonitor, claim, events } = await start();
    for (const id of ['m1', 'm2', 'm3']) await addMonitor('a', id);
    const { count, held } = await claim({ room: 2 });
    expect(count).toBe(3);
    const stored = await events();
    expect(stored.filter(({ held_until }) => (held_until ?? 0) > 0)).toHaveLength(2);
    expect(stored.filter(({ held_by }) => held_by === 'me').map(({ id }) => id)).toEqual(held.map(({ id }) => id));
    expect(stored.find(({ held_by }) => held_by !== 'me')).toMatchObject({ held_by: null, held_until: 0 });
  });

  it('leases none to a process without room', async () => {
    const { addMonitor, claim, events } = await start();
    await addMonitor('a', 'm1');
    expect(await claim({ room: 0 })).toEqual({ count: 1, held: [] });
    expect(await events()).toMatchObject([{ held_by: null, held_until: 0 }]);
  });

  it('of more than 2,000 monitors takes all of them, and leases no more than there is room for', async () => {
    const { db, addMonitor, monitorRow, claim, events } = await start();
    await addMonitor('a', 'm');
    const row = await monitorRow('m');
    const ids = Array.from({ length: 2_002 }, (_, index) => `m${index}`);
    for (let from = 0; from < ids.length; from += 500) {
      const part = ids.slice(from, from + 500).map((id) => ({ ...row, id }));
      await db.insertInto('monitors').values(part).execute();
    }
    const { count, held } = await claim({ room: 2_001 });
    expect([count, held.length]).toEqual([2_003, 2_001]);
    const stored = await events();
    expect(new Set(stored.map(({ monitor_id }) => monitor_id)).size).toBe(2_003);
    expect(stored.filter(({ held_by }) => held_by === 'me')).toHaveLength(2_001);
  });
});

describe('a claimed event', () => {
  it('is due now, with the monitor as its body', async () => {
    const { addMonitor, monitorRow, claim, events } = await start();
    await addMonitor('a', 'precipitation_1', { callback_uri: 'https://Hooks.example:8443/rain?x=1' });
    await addMonitor('a', 'precipitation_2', { callback_credentials: 'sealed' });
    await claim();
    const [one, other] = (await events()).toSorted((left, right) => left.monitor_id.localeCompare(right.monitor_id));
    expect(one).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      monitor_id: 'precipitation_1',
      application_id: 'a',
      kind: 'precipitation',
      occurred_at: startMs,
      callback_uri: 'https://Hooks.example:8443/rain?x=1',
      is_guarded: 0,
      host: 'https://hooks.example:8443',
      body: monitorJson(await monitorRow('precipitation_1')),
      state: 'waiting',
      undelivered: null,
      attempts: 0,
      due_at: startMs,
      expires_at: startMs + hourMs,
      is_resend: 0,
      held_until: 0,
      held_by: null,
      feed_position: expect.any(Number),
      triggered_by: null,
      account_id: 'account of a',
    });
    expect(other).toMatchObject({ is_guarded: 1, host: 'http://127.0.0.1:9' });
  });

  it('has its place in the feed, after those before it', async () => {
    const { addMonitor, claim, events } = await start();
    await addMonitor('a', 'm1');
    await addMonitor('b', 'm2');
    await claim();
    await addMonitor('a', 'm3');
    await claim();
    const found = await events();
    expect(new Set(found.map(({ feed_position }) => feed_position))).toEqual(new Set([1, 2, 3]));
    expect(found.find(({ monitor_id }) => monitor_id === 'm3')?.feed_position).toBe(3);
  });

  it('has what triggered it in its cell, and how far away that is', async () => {
    const { addMonitor, outbox, events } = await start();
    await addMonitor('a', 'm1');
    await addMonitor('a', 'm2', { cell: 'y' });
    await outbox.claim(['x', 'y'], startMs, {
      triggers: new Map([['x', { source: 'metar:LIMF', place: { lat: 45, lng: 7 } }]]),
    });
    const found = (await events()).toSorted((one, other) => one.monitor_id.localeCompare(other.monitor_id));
    expect(found).toMatchObject([
      {
        monitor_id: 'm1',
        triggered_by: expect.stringMatching(/^\{"source":"metar:LIMF","place":\{"lat":45,"lng":7\},"km":\d+(\.\d)?\}$/),
      },
      { monitor_id: 'm2', triggered_by: null },
    ]);
  });
});

describe('a cool-down', () => {
  it('that a clock which was ahead made longer than an hour ends an hour from now', async () => {
    const { addMonitor, outbox, monitorRow } = await start();
    const [soon, tolerated, late] = [startMs + 5, startMs + hourMs + jumpMs, startMs + hourMs + jumpMs + 1];
    for (const [id, gate_opens_at] of Object.entries({ soon, tolerated, late })) {
      await addMonitor('a', id, { gate_opens_at });
    }
    await outbox.replan(() => startMs);
    const gateOf = async (id: string) => (await monitorRow(id)).gate_opens_at;
    expect([await gateOf('soon'), await gateOf('tolerated'), await gateOf('late')]).toEqual([
      soon,
      tolerated,
      startMs + hourMs,
    ]);
  });
});

describe('a test event (docs/delivery.md S15)', () => {
  it('is sent although delivery is off, and changes neither the cool-down nor other events', async () => {
    const { database, addMonitor, monitorRow, addEvent, events } = await start();
    await addMonitor('a', 'm1', off);
    await addEvent('old');
    const monitor = await monitorRow('m1');
    const id = await addTestEvent(database, monitor, startMs);
    expect(id).toMatch(/^test_[0-9a-f]{32}$/);
    expect(await monitorRow('m1')).toEqual(monitor);
    expect(await events()).toMatchObject([
      { id: 'old', state: 'waiting' },
      {
        id,
        monitor_id: 'm1',
        kind: 'test',
        occurred_at: startMs,
        state: 'waiting',
        due_at: startMs,
        body: monitorJson(monitor),
        feed_position: 1,
        triggered_by: null,
      },
    ]);
  });
});
