// Where each connection's feed goes on, and which events are remembered.
import { expect, test } from 'vitest';
import { createFeedCursors } from '#core/receiver/records/feed-store.ts';
import { noon, openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

const dayMs = 86_400_000;

function start() {
  const { db, pages, writer } = openCallbackStore([]);
  const append = (ids: readonly string[], receivedAt = noon, connectionId = 'a', cursor = 'c') => {
    const rows = ids.map((id) => receivedCallback({ receivedAt, feedEvent: { id, occurredAt: 1 } }));
    writer.appendFeed(rows, { connectionId, source: 's', cursor });
    return pages.counts().newestId;
  };
  return { append, cursors: createFeedCursors(db), writer };
}

test('keeps a cursor for each connection and source', () => {
  const { append, cursors } = start();
  expect(cursors.of('a', 's')).toBeUndefined();
  append([], noon, 'a', '');
  append([], noon, 'b', '7');
  append([], noon, 'b', '8');
  expect([cursors.of('a', 's'), cursors.of('b', 's'), cursors.of('b', 't')]).toEqual(['', '8', undefined]);
});

test('deletes cursors of connections that no longer exist, except those of the command line', () => {
  const { append, cursors } = start();
  for (const id of ['a', 'b', 'command-x']) append([], noon, id);
  cursors.deleteExcept(['b', 'z']);
  expect(['a', 'b', 'command-x'].map((id) => cursors.of(id, 's'))).toEqual([undefined, 'c', 'c']);
});

test('remembers an event for 40 days after its callback was deleted', () => {
  const { append, writer } = start();
  append(['1', '2']);
  writer.remove([1]);
  expect(append(['1', '3'], noon + 40 * dayMs)).toBe(3);
  // Without an event, nothing is forgotten.
  expect(append([], noon + 90 * dayMs)).toBe(3);
  expect(append(['1', '4'], noon + 40 * dayMs + 1)).toBe(4);
  // Now it is forgotten, but not the one whose callback is stored.
  expect(append(['1', '2'], noon + 40 * dayMs + 1)).toBe(5);
});
