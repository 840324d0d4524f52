// Which callbacks count as read, also over a restart, and how many marks are kept.
import { expect, test } from 'vitest';
import { maxUnread } from '#contract/app-rpc/callbacks.ts';
import { createReadMarks } from '#core/callbacks/read-marks.ts';
import { quietLog } from '../core-harness.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

function start(before: number) {
  const store = openCallbackStore(Array.from({ length: before }, () => receivedCallback()));
  let changes = 0;
  const open = () => createReadMarks({ ...store, log: quietLog, onChanged: () => void (changes += 1) });
  const marks = open();
  return {
    ...store,
    marks,
    open,
    receive: (count: number) => void store.writer.append(Array.from({ length: count }, () => receivedCallback())),
    changes: () => changes,
  };
}
const unread = (throughId: number, count: number) => ({ throughId, count, isMore: false });

test('marks a callback and all before it, also over a restart', () => {
  const { marks, open, receive, changes } = start(2);
  expect(marks.unread()).toEqual(unread(2, 0));
  receive(9);
  marks.mark(6);
  expect([marks.unread(), open().unread()]).toEqual([unread(6, 5), unread(6, 5)]);
  // Read already.
  for (const id of [6, 3, 0]) marks.mark(id);
  expect([changes(), marks.unread()]).toEqual([1, unread(6, 5)]);
  // It does not exist yet.
  marks.mark(99);
  receive(1);
  expect(marks.unread()).toEqual(unread(11, 1));
});

test.each([
  [0, false],
  [1, true],
])('counts unread callbacks up to a limit, and %i more', (more, isMore) => {
  const { marks, receive } = start(0);
  receive(maxUnread + more);
  expect(marks.unread()).toEqual({ throughId: 0, count: maxUnread, isMore });
});

test('counts what arrived before the first mark after a restart, but neither refused requests nor deleted callbacks', () => {
  const { db, open, receive } = start(0);
  receive(4);
  expect(open().unread()).toMatchObject({ count: 4 });
  db.exec("UPDATE callbacks SET refusal = 'timeout' WHERE id = 1");
  db.exec(`INSERT INTO callback_deletions (callback_id, deletion) VALUES (2, 'd')`);
  expect(open().unread()).toMatchObject({ count: 2 });
});

test.each(['{', '{"throughId":-1}'])('replaces marks like %s', (json) => {
  const { db, open, receive } = start(1);
  receive(1);
  db.prepare("UPDATE documents SET json = ? WHERE name = 'read callbacks'").run(json);
  expect(open().unread()).toEqual(unread(2, 0));
});
