// What the delivery log forgets (docs/delivery.md S11): attempts and finished events after 30 days, and all but the last 200
// attempts of a monitor.
import { describe, expect, it } from 'vitest';
import { deleteOldDeliveries } from '#service/delivery/outbox/retention.ts';
import { createFeedReaders, readsFeed } from '#service/delivery/schema/feed-readers.ts';
import { attemptPrefix, eventPrefixes, firstIdAt } from '#service/delivery/schema/ordered-ids.ts';
import { openDeliveryRows, startMs } from '../delivery-rows.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
const monthMs = 30 * 24 * hourMs;

async function start() {
  const rows = await openDeliveryRows();
  const { db, database } = rows;
  let count = 0;
  const attemptAt = (startedAt: number, monitor = 'm1', attempt = 1) => ({
    id: `${firstIdAt(attemptPrefix, startedAt)}${String((count += 1)).padStart(20, '0')}`,
    event_id: 'evt_1',
    monitor_id: monitor,
    attempt,
    kind: 'first' as const,
    started_at: startedAt,
    latency_ms: 1,
    http_status: 200,
    error: null,
    answer: '',
  });
  async function addAttempts(...attempts: ReturnType<typeof attemptAt>[]): Promise<void> {
    for (let from = 0; from < attempts.length; from += 500) {
      await db
        .insertInto('deliveries')
        .values(attempts.slice(from, from + 500))
        .execute();
    }
  }
  async function addEvent(prefix: string, occurredAt: number, state: 'waiting' | 'delivered' = 'delivered') {
    await db
      .insertInto('events')
      .values({
        id: `${firstIdAt(prefix, occurredAt)}${'0'.repeat(19)}${(count += 1) % 10}`,
        monitor_id: 'm1',
        application_id: 'a',
        kind: 'precipitation',
        occurred_at: occurredAt,
        callback_uri: 'http://127.0.0.1:9/',
        host: 'http://127.0.0.1:9',
        body: '',
        state,
        attempts: 0,
        next_attempt_at: null,
        is_resend: 0,
        held_until: 0,
        held_by: null,
        feed_position: null,
      })
      .execute();
  }
  const attempts = async (monitor = 'm1') =>
    (
      await db.selectFrom('deliveries').select('started_at').where('monitor_id', '=', monitor).orderBy('id').execute()
    ).map((row) => row.started_at);
  const events = async () =>
    (await db.selectFrom('events').select(['occurred_at', 'state']).orderBy('id').execute()).map((row) => [
      row.occurred_at,
      row.state,
    ]);
  const clean = (since = startMs) => deleteOldDeliveries(database, startMs, since);
  return { ...rows, attemptAt, addAttempts, addEvent, attempts, events, clean };
}

describe('attempts', () => {
  it('are deleted after 30 days', async () => {
    const { attemptAt, addAttempts, attempts, clean } = await start();
    const before = startMs - monthMs;
    await addAttempts(attemptAt(0), attemptAt(before - 1), attemptAt(before), attemptAt(startMs));
    await clean();
    expect(await attempts()).toEqual([before, startMs]);
  });

  it('are deleted even if they are more than one batch', async () => {
    const { attemptAt, addAttempts, attempts, clean } = await start();
    await addAttempts(...Array.from({ length: 1_001 }, (_, index) => attemptAt(1_000 + index)));
    await clean();
    expect(await attempts()).toEqual([]);
  });

  it('are limited to the newest 200 of a monitor', async () => {
    const { attemptAt, addAttempts, attempts, clean } = await start();
    const now = startMs - minuteMs;
    await addAttempts(...Array.from({ length: 900 }, (_, index) => attemptAt(now + index)));
    await addAttempts(...Array.from({ length: 200 }, (_, index) => attemptAt(now + index, 'm2')));
    // Two of the same time: the second attempt is newer.
    await addAttempts(attemptAt(now + 2_000, 'm3', 2));
    await addAttempts(...Array.from({ length: 199 }, (_, index) => attemptAt(now + 3_000 + index, 'm3')));
    await addAttempts(attemptAt(now + 2_000, 'm3', 1));
    await clean();
    expect(await attempts()).toEqual(Array.from({ length: 200 }, (_, index) => now + 700 + index));
    expect(await attempts('m2')).toHaveLength(200);
    expect(await attempts('m3')).toHaveLength(200);
    expect((await attempts('m3'))[0]).toBe(now + 2_000);
  });

  it('are counted only for monitors with one since ten minutes before the last run', async () => {
    const { attemptAt, addAttempts, attempts, clean } = await start();
    const since = startMs - hourMs;
    const [early, late] = [since - 10 * minuteMs - 1, since - 10 * minuteMs];
    await addAttempts(...Array.from({ length: 201 }, () => attemptAt(early)));
    await addAttempts(...Array.from({ length: 200 }, () => attemptAt(early, 'm2')), attemptAt(late, 'm2'));
    await clean(since);
    expect(await attempts()).toHaveLength(201);
    expect(await attempts('m2')).toHaveLength(200);
    await clean(0);
    expect(await attempts()).toHaveLength(200);
  });
});

describe('events', () => {
  it.each(Object.entries(eventPrefixes))(
    'of kind %s are deleted after 30 days, unless they wait',
    async (_, prefix) => {
      const { addEvent, events, clean } = await start();
      const before = startMs - monthMs;
      await addEvent(prefix, 1);
      await addEvent(prefix, before - 2, 'waiting');
      await addEvent(prefix, before - 1);
      await addEvent(prefix, before);
      await clean();
      expect(await events()).toEqual([
        [before - 2, 'waiting'],
        [before, 'delivered'],
      ]);
    },
  );
});

describe('readers of the feed', () => {
  it('are noted once an hour, and forgotten after 30 days without reading', async () => {
    const { db, clock, database, addApplication, addMonitor } = await start();
    await addApplication('a');
    await addApplication('b');
    await addMonitor('a', 'm1');
    await addMonitor('b', 'm2');
    const note = createFeedReaders({ db, clock });
    const readAt = async () =>
      (await db.selectFrom('feed_readers').selectAll().orderBy('application_id').execute()).map((row) => row.read_at);
    const readers = async (now: number) => {
      const monitors = db.selectFrom('monitors').select('id').orderBy('id');
      const found = await monitors.where((where) => where.exists(readsFeed(now))).execute();
      return found.map(({ id }) => id);
    };
    await note('a');
    clock.advance(hourMs - 1);
    await note('a');
    await note('b');
    expect(await readAt()).toEqual([startMs, startMs + hourMs - 1]);
    clock.advance(1);
    await note('a');
    expect(await readAt()).toEqual([startMs + hourMs, startMs + hourMs - 1]);
    const end = startMs + hourMs + monthMs;
    expect(await readers(end - 2)).toEqual(['m1', 'm2']);
    expect(await readers(end - 1)).toEqual(['m1']);
    expect(await readers(end)).toEqual([]);
    await deleteOldDeliveries(database, end - 1, 0);
    expect(await readAt()).toEqual([startMs + hourMs]);
    // A clock that was set back does not stop the notes.
    clock.jump(-2 * hourMs);
    await note('a');
    expect(await readAt()).toEqual([startMs - hourMs]);
  });
});
