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
const unread = (throughId: number, ids: readonly number[], count: number) => ({ throughId, ids, count, isMore: false });

test('marks single callbacks, and all up to the first that is unread', () => {
  const { marks, open, receive } = start(2);
  expect(marks.unread()).toEqual(unread(2, [], 0));
  receive(9);
  marks.mark([11, 4, 6]);
  expect(marks.unread()).toEqual(unread(2, [4, 6, 11], 6));
  marks.mark([5]);
  expect(marks.unread()).toEqual(unread(2, [4, 5, 6, 11], 5));
  marks.mark([3]);
  expect(marks.unread()).toEqual(unread(6, [11], 4));
  expect(open().unread()).toEqual(unread(6, [11], 4));
  marks.mark([7, 8, 9, 10]);
  expect(marks.unread()).toEqual(unread(11, [], 0));
});

test('ignores callbacks that are read already, or do not exist', () => {
  const { marks, receive, changes } = start(2);
  receive(3);
  marks.mark([2, 6, 0]);
  expect([changes(), marks.unread()]).toEqual([0, unread(2, [], 3)]);
  marks.mark([4]);
  marks.mark([4]);
  expect(changes()).toBe(1);
  marks.mark([5, 5, 3]);
  expect([changes(), marks.unread()]).toEqual([2, unread(5, [], 0)]);
});

test('marks all', () => {
  const { marks, receive, changes } = start(0);
  receive(3);
  marks.mark([2]);
  marks.markAll();
  expect([changes(), marks.unread()]).toEqual([2, unread(3, [], 0)]);
  receive(1);
  expect(marks.unread()).toEqual(unread(3, [], 1));
});

test.each([
  [0, false],
  [1, true],
])('counts unread callbacks up to a limit, and %i more', (more, isMore) => {
  const { marks, receive } = start(0);
  receive(maxUnread + more);
  expect(marks.unread()).toEqual({ throughId: 0, ids: [], count: maxUnread, isMore });
});

test('keeps 1,000 single marks, the newest', () => {
  const { marks, receive } = start(0);
  receive(3000);
  marks.mark(Array.from({ length: 1200 }, (_, index) => 2 * index + 2));
  const { throughId, ids, count } = marks.unread();
  expect([throughId, ids.length, ids[0], ids.at(-1), count]).toEqual([400, 1000, 402, 2400, maxUnread]);
});

test('counts what arrived before the first mark after a restart, but neither refused requests nor deleted callbacks', () => {
  const { db, open, receive } = start(0);
  receive(4);
  expect(open().unread()).toMatchObject({ count: 4 });
  db.exec("UPDATE callbacks SET refusal = 'timeout' WHERE id = 1");
  db.exec(`INSERT INTO callback_deletions (callback_id, deletion) VALUES (2, 'd')`);
  expect(open().unread()).toMatchObject({ count: 2 });
});

test.each(['{', '{"throughId":-1,"ids":[]}', '{"throughId":1,"ids":["a"]}'])('replaces marks like %s', (json) => {
  const { db, open, receive } = start(1);
  receive(1);
  db.prepare("UPDATE documents SET json = ? WHERE name = 'read callbacks'").run(json);
  expect(open().unread()).toEqual(unread(2, [], 0));
});
