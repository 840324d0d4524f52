// What the delivery log forgets (docs/delivery.md S11): events with their attempts, after 30 days.
import { describe, expect, it } from 'vitest';
import { deleteOldEvents } from '#service/monitors/delivery/delivery-log.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { createFeedReaders } from '#service/monitors/feed/feed.ts';
import { eventPrefix, firstIdAt, testPrefix } from '#service/monitors/delivery/tables.ts';
import type { EventChanges } from '#test/service/monitors/delivery/event-rows.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

async function start() {
  const rows = await openDeliveryRows();
  let count = 0;
  async function addEvent(prefix: string, occurred_at: number, changes: EventChanges = { state: 'delivered' }) {
    const id = `${firstIdAt(prefix, occurred_at)}${String((count += 1)).padStart(20, '0')}`;
    await rows.addEvent(id, { occurred_at, ...changes });
    await rows.addAttempt(id);
  }
  const events = async () => (await rows.events()).map((row) => [row.occurred_at, row.state]);
  const clean = () => deleteOldEvents(rows.database, startMs);
  return { ...rows, addEvent, events, clean };
}

describe('events', () => {
  it.each([
    ['precipitation', eventPrefix],
    ['test', testPrefix],
  ] as const)(
    'of kind %s are deleted after 30 days, with their attempts, unless they are sent once more',
    async (_, prefix) => {
      const { addEvent, events, attempts, clean } = await start();
      const before = startMs - monthMs;
      await addEvent(prefix, 1);
      await addEvent(prefix, before - 2, { is_resend: 1 });
      await addEvent(prefix, before - 1);
      await addEvent(prefix, before);
      await clean();
      expect(await events()).toEqual([
        [before - 2, 'waiting'],
        [before, 'delivered'],
      ]);
      expect(await attempts()).toHaveLength(2);
    },
  );

  it('are deleted even if they are more than one batch', async () => {
    const { addEvent, events, attempts, clean } = await start();
    for (let index = 0; index < 1_001; index += 1) await addEvent('evt_', 1_000 + index);
    await clean();
    expect([await events(), await attempts()]).toEqual([[], []]);
  });
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
    const off = { off_since: 1, off_reason: 'gone', gate_opens_at: 0, latest_event_at: 0 };
    /** Those whose monitors get events although delivery is off. */
    const readers = async (now: number) => {
      await db.updateTable('monitors').set(off).execute();
      await db.deleteFrom('events').execute();
      await createOutbox(database, 'claims').claim(['x'], now);
      return (await db.selectFrom('events').select('monitor_id').orderBy('monitor_id').execute()).map(
        ({ monitor_id }) => monitor_id,
      );
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
    await deleteOldEvents(database, end - 1);
    expect(await readAt()).toEqual([startMs + hourMs]);
    // A clock that was set back does not stop the notes.
    clock.jump(-2 * hourMs);
    await note('a');
    expect(await readAt()).toEqual([startMs - hourMs]);
  });
});
