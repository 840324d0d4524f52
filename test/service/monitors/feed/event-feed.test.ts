// The pages of the feed: which events they contain, their order, and when they report a gap (docs/feed.md); its cursor and its readers.
import { describe, expect, it } from 'vitest';
import { firstIdAt } from '#service/monitors/delivery/tables.ts';
import { createEventFeed, formatFeedCursor, parseFeedCursor } from '#service/monitors/feed/feed.ts';
import { type EventChanges, insertEvent } from '#test/service/monitors/delivery/event-rows.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

async function start() {
  const rows = await openDeliveryRows();
  const { db, clock, database } = rows;
  const asked: string[] = [];
  const feed = createEventFeed({
    database,
    clock,
    secrets: {
      async activeFor(applicationId) {
        asked.push(applicationId);
        return ['whsec_AAAA'];
      },
    },
  });
  await rows.addApplication('app');
  await rows.addApplication('other');
  const add = (id: string, position: number, changes: EventChanges = {}) =>
    insertEvent(db, id, startMs, {
      monitor_id: `monitor of ${id}`,
      application_id: 'app',
      callback_uri: 'https://hooks.example/a',
      body: `{"id":"${id}"}`,
      state: 'delivered',
      feed_position: position,
      ...changes,
    });
  const cursor = (position: number, id: string, completeAt = startMs) => ({ position, id, completeAt });
  /** The IDs of a page, and whether there are more, and a gap. */
  async function read(after: ReturnType<typeof cursor> | undefined, limit = 10) {
    const { objects, meta } = await feed.read('app', after, limit);
    const flags = [meta.has_more && 'more', meta.has_gap && 'gap'].filter((flag) => flag !== false);
    return [...objects.map(({ id }) => id), ...flags];
  }
  return { ...rows, feed, asked, add, cursor, read };
}

describe('a page of the feed', () => {
  it('continues after its cursor, by position', async () => {
    const { add, cursor, read, feed } = await start();
    await add('evt_c', 1);
    await add('evt_b', 3);
    await add('evt_a', 2);
    await add('evt_0', 4);
    await add('evt_x', 1, { application_id: 'other' });
    expect(await read(undefined)).toEqual(['evt_c', 'evt_a', 'evt_b', 'evt_0']);
    expect(await read(undefined, 3)).toEqual(['evt_c', 'evt_a', 'evt_b', 'more']);
    expect(await read(undefined, 4)).toEqual(['evt_c', 'evt_a', 'evt_b', 'evt_0']);
    expect(await read(cursor(2, 'evt_a'))).toEqual(['evt_b', 'evt_0']);
    expect(await read(cursor(3, 'evt_b'), 1)).toEqual(['evt_0']);
    const { meta } = await feed.read('app', undefined, 2);
    expect(parseFeedCursor(meta.cursor)).toMatchObject({ position: 2, id: 'evt_a' });
    expect(await feed.end('app')).toEqual(cursor(4, 'evt_0'));
    expect(await feed.end('none')).toEqual(cursor(0, ''));
  });

  it('keeps the place of the cursor if it is empty, and needs no secret', async () => {
    const { feed, asked, add, cursor, clock } = await start();
    clock.advance(hourMs);
    const first = await feed.read('app', undefined, 10);
    expect(first.objects).toEqual([]);
    expect(parseFeedCursor(first.meta.cursor)).toEqual({ position: 0, id: '', completeAt: startMs + hourMs });
    await add('evt_a', 7);
    const last = await feed.read('app', cursor(7, 'evt_a'), 10);
    expect(parseFeedCursor(last.meta.cursor)).toEqual({ position: 7, id: 'evt_a', completeAt: startMs + hourMs });
    expect(asked).toEqual([]);
    await feed.read('app', undefined, 10);
    expect(asked).toEqual(['app']);
  });
});

describe('a gap', () => {
  const idAt = (instant: number) => `${firstIdAt('evt_', instant)}${'0'.repeat(20)}`;

  it('is reported for a cursor of the start that is older than 30 days, but not after a known event, however old', async () => {
    const { add, cursor, read } = await start();
    await add('evt_a', 1, { occurred_at: 0 });
    await add('evt_b', 2);
    expect(await read(cursor(0, '', startMs - monthMs))).toEqual(['evt_a', 'evt_b']);
    expect(await read(cursor(0, '', startMs - monthMs - 1))).toEqual(['evt_a', 'evt_b', 'gap']);
    expect(await read(cursor(1, 'evt_a', 0))).toEqual(['evt_b']);
  });

  it('is reported with all events since an hour before the unknown event of the cursor', async () => {
    const { add, cursor, read } = await start();
    const lost = startMs - 5 * hourMs;
    await add('evt_a', 1, { occurred_at: lost - hourMs - 1 });
    await add('evt_b', 2, { occurred_at: lost - hourMs });
    await add('evt_c', 3, { occurred_at: startMs });
    expect(await read(cursor(900, idAt(lost)))).toEqual(['evt_b', 'evt_c', 'gap']);
    // Known, but at another position, or of another application.
    await add(idAt(lost), 4, { occurred_at: lost });
    expect(await read(cursor(4, idAt(lost)))).toEqual([]);
    expect(await read(cursor(5, idAt(lost)))).toEqual(['evt_b', 'evt_c', idAt(lost), 'gap']);
    await add(idAt(lost + 1), 5, { application_id: 'other' });
    expect(await read(cursor(5, idAt(lost + 1)))).toEqual(['evt_c', idAt(lost), 'gap']);
  });

  it('is not reported for an event that has expired, unless the cursor has too', async () => {
    const { add, cursor, read } = await start();
    await add('evt_a', 1);
    await add('evt_b', 9);
    // Housekeeping may have deleted it an hour before it is 30 days old.
    const oldest = startMs - monthMs + hourMs;
    expect(await read(cursor(5, idAt(oldest - 1)))).toEqual(['evt_b']);
    expect(await read(cursor(5, idAt(oldest)))).toEqual(['evt_a', 'evt_b', 'gap']);
    expect(await read(cursor(5, idAt(oldest - 1), startMs - monthMs))).toEqual(['evt_b']);
    expect(await read(cursor(5, idAt(oldest - 1), startMs - monthMs - 1))).toEqual(['evt_a', 'evt_b', 'gap']);
  });

  it('leaves the cursor at the start if nothing remains', async () => {
    const { feed, cursor } = await start();
    const { meta } = await feed.read('app', cursor(5, idAt(startMs)), 10);
    expect(meta.has_gap).toBe(true);
    expect(parseFeedCursor(meta.cursor)).toMatchObject({ position: 0, id: '' });
  });
});

it('finds the readers that have events', async () => {
  const { feed, add } = await start();
  await add('evt_b', 5);
  const reader = (key: number, applicationId: string, position: number, id: string) => ({
    key,
    applicationId,
    place: { position, id },
  });
  const readers = [
    reader(1, 'app', 0, ''),
    reader(2, 'app', 4, 'evt_a'),
    reader(3, 'app', 5, 'evt_b'),
    reader(4, 'app', 6, ''),
    reader(5, 'other', 0, ''),
  ];
  expect(await feed.findReady(readers)).toEqual([1, 2]);
  expect(await feed.findReady([])).toEqual([]);
});

describe('a cursor', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('returns the position and event, and the full hour of its time', () => {
    const text = formatFeedCursor({ position: 12, id: 'evt_a', completeAt: 5 * hourMs + 1 });
    expect(text).toBe(encode([1, 12, 'evt_a', 5 * hourMs]));
    expect(parseFeedCursor(text)).toEqual({ position: 12, id: 'evt_a', completeAt: 5 * hourMs });
    expect(parseFeedCursor(formatFeedCursor({ position: 0, id: '', completeAt: 6 * hourMs - 1 })).completeAt).toBe(
      5 * hourMs,
    );
    expect(parseFeedCursor(formatFeedCursor({ position: 0, id: '', completeAt: -1 })).completeAt).toBe(0);
  });

  it.each([
    ['no base64', '???'],
    ['no JSON', Buffer.from('[1,').toString('base64url')],
    ['another version', encode([2, 0, '', 0])],
    ['a negative position', encode([1, -1, '', 0])],
    ['a fraction', encode([1, 0.5, '', 0])],
    ['a long ID', encode([1, 0, 'x'.repeat(65), 0])],
    ['a negative time', encode([1, 0, '', -1])],
    ['a fifth part', encode([1, 0, '', 0, 0])],
    ['a missing part', encode([1, 0, ''])],
    ['an empty text', ''],
    // Still valid JSON, but 303 characters.
    ['a long text', Buffer.from(JSON.stringify([1, 0, '', 0]).padEnd(227)).toString('base64url')],
  ])('rejects %s', (_name, text) => {
    expect(() => parseFeedCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('accepts 300 characters, and an ID of 64', () => {
    const text = Buffer.from(JSON.stringify([1, 3, '', 0]).padEnd(225)).toString('base64url');
    expect([text.length, parseFeedCursor(text).position]).toEqual([300, 3]);
    expect(parseFeedCursor(encode([1, 0, 'x'.repeat(64), 0])).id).toHaveLength(64);
  });
});

it('readers are noted once an hour, also after a clock was set back', async () => {
  const { db, clock, feed } = await start();
  const readAt = async () =>
    (await db.selectFrom('applications').select('feed_read_at').orderBy('id').execute()).map((row) => row.feed_read_at);
  await feed.noteReader('app');
  clock.advance(hourMs - 1);
  await feed.noteReader('app');
  await feed.noteReader('other');
  expect(await readAt()).toEqual([startMs, startMs + hourMs - 1]);
  clock.advance(1);
  await feed.noteReader('app');
  expect(await readAt()).toEqual([startMs + hourMs, startMs + hourMs - 1]);
  clock.jump(-2 * hourMs);
  await feed.noteReader('app');
  expect((await readAt())[0]).toBe(startMs - hourMs);
});
