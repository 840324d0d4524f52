// Which monitors get an event when it rains in their cells, and what the event consists of (docs/delivery.md S1, S10, S13). Over HTTP:
// gate.test.ts; on PostgreSQL: test/service/monitors/sweep/wide-front.test.ts.
import { describe, expect, it, test } from 'vitest';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import { type ClaimOptions, hostOf } from '#service/monitors/delivery/events.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { monitorJson } from '#service/monitors/monitor-json.ts';
import { claimHeld, openDeliveryRows, startMs } from './delivery-rows.ts';

const hourMs = 3_600_000;

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
    db.updateTable('applications').set({ feed_read_at: read_at }).where('id', '=', application_id).execute();
  return { ...rows, outbox, claim, claimed, readFeed };
}

describe('a claim', () => {
  it('takes the monitors of its cells whose cool-down is over, once, and keeps the time of a later event', async () => {
    const { addMonitor, claimed, claim, outbox, monitorRow } = await start();
    await addMonitor('a', 'new', { latest_event_at: startMs + 5 });
    await addMonitor('a', 'open', { gate_opens_at: startMs });
    await addMonitor('a', 'closed', { gate_opens_at: startMs + 1 });
    await addMonitor('b', 'elsewhere', { cell: 'y' });
    expect(await outbox.claim([], startMs)).toBe(0);
    expect(await claimed()).toEqual(['new', 'open']);
    expect(await claim()).toEqual({ count: 0, held: [] });
    const cooldown = { gate_opens_at: startMs + hourMs };
    expect(await monitorRow('open')).toMatchObject({ ...cooldown, latest_event_at: startMs });
    expect(await monitorRow('new')).toMatchObject({ ...cooldown, latest_event_at: startMs + 5 });
  });

  it('leaves an hour to a first attempt before or after it, as a clock that was ahead may have made', async () => {
    const { addMonitor, addAttempt, claimed } = await start();
    const table = [
      ['an hour before', { started_at: startMs - hourMs }, 0, true],
      ['less than an hour before', { started_at: startMs - hourMs + 1 }, 0, false],
      ['less than an hour after', { started_at: startMs + hourMs - 1 }, 0, false],
      ['an hour after', { started_at: startMs + hourMs }, 0, true],
      ['now, as a retry', { kind: 'retry' }, 0, true],
      ['now, as a test', { kind: 'test' }, 0, true],
      ['now, although the last event was an hour ago', {}, hourMs, true],
    ] as const;
    for (const [id, attempt, sinceEventMs] of table) {
      const latest_event_at = sinceEventMs === 0 ? startMs - hourMs + 1 : startMs - sinceEventMs;
      await addMonitor('a', id, { latest_event_at });
      await addAttempt(`evt_1 ${id}`, { monitor_id: id, ...attempt });
    }
    expect(await claimed()).toEqual(table.flatMap(([id, , , isClaimed]) => (isClaimed ? [id] : [])).toSorted());
  });

  it('includes a monitor with delivery off only if its application reads the feed', async () => {
    const { addMonitor, claim, claimed, readFeed, events } = await start();
    const off = { off_since: 1, off_reason: 'the callback URL returned 410 Gone' };
    await addMonitor('a', 'off', off);
    await addMonitor('a', 'disabled', { ...off, off_reason: disabledReason });
    await addMonitor('b', 'unread', off);
    expect(await claimed()).toEqual([]);
    await readFeed('a', startMs - 30 * 24 * hourMs);
    expect(await claimed()).toEqual([]);
    await readFeed('a', startMs - 30 * 24 * hourMs + 1);
    expect(await claim({ room: 9 })).toEqual({ count: 1, held: [] });
    expect(await events()).toMatchObject([{ monitor_id: 'off', state: 'feed-only', due_at: null, held_by: null }]);
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

  it('has its place in the feed after those before it, what triggered it in its cell, and how far away that is', async () => {
    const { addMonitor, outbox, events } = await start();
    await addMonitor('a', 'm1');
    await addMonitor('b', 'm2', { cell: 'y' });
    await outbox.claim(['x', 'y'], startMs, {
      triggers: new Map([['x', { source: 'metar:LIMF', place: { lat: 45, lng: 7 } }]]),
    });
    await addMonitor('a', 'm3');
    await outbox.claim(['x'], startMs);
    const found = (await events()).toSorted((one, other) => one.monitor_id.localeCompare(other.monitor_id));
    expect(new Set(found.map(({ feed_position }) => feed_position))).toEqual(new Set([1, 2, 3]));
    const triggered_by = expect.stringMatching(
      /^\{"source":"metar:LIMF","place":\{"lat":45,"lng":7\},"km":\d+(\.\d)?\}$/,
    ) as string;
    expect(found).toMatchObject([{ triggered_by }, { triggered_by: null }, { triggered_by: null, feed_position: 3 }]);
  });

  // The key of the queue: scheme, name, and port.
  test.each([
    ['http://a.example', 'http://a.example'],
    ['https://A.Example:8443/Rain?x#y', 'https://a.example:8443'],
    ['https://a.example?x/y', 'https://a.example'],
    ['http://[::1]:80/x', 'http://[::1]:80'],
    ['http://a#x', 'http://a'],
  ])('for %s is in the queue of %s', (uri, host) => {
    expect(hostOf(uri)).toBe(host);
  });
});
