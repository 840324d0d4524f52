// How stored callbacks are read: whole, as rows of a list, to be validated, and by conditions of the database.
import { expect, test } from 'vitest';
import { everyRow } from '#core/receiver/records/callback-pages.ts';
import { noon, openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

const progress = { connectionId: 'a', source: 'b', cursor: 'c' };

test('reads what is special about a callback', () => {
  const { pages, writer } = openCallbackStore([
    receivedCallback({ isImported: true }),
    receivedCallback({ refusal: 'timeout', receivedAt: noon + 1000 }),
  ]);
  writer.appendFeed([receivedCallback({ feedEvent: { id: 'e', occurredAt: 7 } })], progress);
  writer.addRefusals([{ reason: 'timeout', count: 4, lastAt: noon + 5000 }]);
  const refusal = { reason: 'timeout', count: 5, lastAt: new Date(noon + 5000).toISOString() };
  const feed = { connectionId: 'a', eventId: 'e', occurredAt: 7 };
  const whole = [1, 2, 3].map((id) => pages.get(id));
  expect([...pages.rows({}, 'oldestFirst')].map((row) => ({ ...row }))).toEqual(
    whole.map((row) => ({ ...row, answer: expect.any(Function), head: expect.any(Function) })),
  );
  expect(whole).toMatchObject([
    { isImported: true, isByFeed: false, refusal: null, feed: undefined, note: '' },
    { isImported: false, isByFeed: false, refusal, feed: undefined },
    { isImported: false, isByFeed: true, refusal: null, feed },
  ]);
});

test('leaves out hidden callbacks everywhere', () => {
  const prepare = "INSERT INTO callback_deletions (callback_id, deletion) VALUES (2, 'one'), (4, 'one')";
  const { pages } = openCallbackStore(
    [1, 2, 3, 4].map((seconds) => receivedCallback({ receivedAt: noon + seconds * 1000 })),
    {
      prepare,
    },
  );
  expect(pages.counts()).toEqual({ newestId: 4, total: 2 });
  expect(pages.page({ beforeId: undefined, limit: 9 }).map(({ id }) => id)).toEqual([3, 1]);
  expect([...pages.rows({})].map(({ id }) => id)).toEqual([3, 1]);
  expect(pages.get(2)).toBeUndefined();
  expect([pages.count({}, everyRow), pages.ids({}, everyRow, 'id DESC'), pages.ids({}, everyRow, 'id')]).toEqual([
    2,
    [3, 1],
    [1, 3],
  ]);
});

test('reads ranges without their ends', () => {
  const { pages } = openCallbackStore(Array.from({ length: 6 }, () => receivedCallback()));
  const range = { afterId: 1, beforeId: 5 };
  const none = { sql: 'method = ?', values: ['GET'] };
  expect(pages.page({ beforeId: 4, limit: 2 }).map(({ id }) => id)).toEqual([3, 2]);
  expect([...pages.rows(range)].map(({ id }) => id)).toEqual([4, 3, 2]);
  expect([...pages.rows(range, 'oldestFirst')].map(({ id }) => id)).toEqual([2, 3, 4]);
  expect([...pages.rows(range, 'oldestFirst', none)]).toEqual([]);
  expect([pages.count(range, everyRow), pages.count(range, none)]).toEqual([3, 0]);
  expect([pages.ids(range, everyRow, 'id DESC'), pages.ids(range, none, 'id')]).toEqual([[4, 3, 2], []]);
  expect(pages.ids(range, everyRow, 'method')).toEqual([4, 3, 2]);
});

test('finds earlier callbacks of a monitor', () => {
  const { pages, writer } = openCallbackStore(Array.from({ length: 25 }, () => receivedCallback()));
  writer.append([receivedCallback({ id: 'other' })]);
  writer.appendFeed([receivedCallback({ feedEvent: { id: 'e', occurredAt: 1 } })], progress);
  const monitorId = 'precipitation_1';
  expect(pages.earlierOf({ id: 24, monitorId })).toEqual(Array.from({ length: 20 }, (_, index) => 23 - index));
  expect(pages.earlierOf({ id: 28, monitorId }).slice(0, 2)).toEqual([27, 25]);
  expect([pages.earlierOf({ id: 1, monitorId }), pages.earlierOf({ id: 9, monitorId: null })]).toEqual([[], []]);
});
