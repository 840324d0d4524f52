// Which callbacks count as unread, over a real database: read ones stay read over a restart, and the marks stay bounded.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createReadMarks } from '#core/callbacks/read-marks.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { quietLog } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

function openStore(folder = temporaryFolder()) {
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  onTestFinished(close);
  const { db } = database;
  const insert = db.prepare(
    `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, headers, body)
     VALUES (?, 0, 'POST', '/', '1.1', '127.0.0.1', 200, 0, 0, '[]', x'')`,
  );
  const count = db.prepare('UPDATE callback_counters SET newest_id = ?, total = ?');
  let newest = 0;
  const arrive = (number: number) => {
    db.exec('BEGIN');
    for (let index = 0; index < number; index += 1) insert.run((newest += 1));
    count.run(newest, newest);
    db.exec('COMMIT');
  };
  let changes = 0;
  const pages = createCallbackPages(db);
  const marks = createReadMarks({ db, pages, log: quietLog, onChanged: () => (changes += 1) });
  return { folder, db, marks, arrive, close, changes: () => changes };
}

it('counts what arrived and was not opened, even after a restart', () => {
  const { folder, marks, arrive, close, changes } = openStore();
  expect(marks.unread()).toMatchObject({ count: 0, isMore: false });
  arrive(5);
  marks.mark([2, 4, 4, 99]);
  expect(marks.unread()).toEqual({ count: 3, isMore: false, throughId: 0, ids: [2, 4] });
  marks.mark([1]);
  expect(marks.unread()).toEqual({ count: 2, isMore: false, throughId: 2, ids: [4] });
  marks.mark([4]);
  expect(changes()).toBe(2);
  close();
  const again = openStore(folder);
  expect(again.marks.unread()).toEqual({ count: 2, isMore: false, throughId: 2, ids: [4] });
  again.marks.markAll();
  expect(again.marks.unread()).toEqual({ count: 0, isMore: false, throughId: 5, ids: [] });
});

it('counts a callback that arrived before the first mark, after a restart', () => {
  const { folder, arrive, close } = openStore();
  arrive(1);
  close();
  expect(openStore(folder).marks.unread()).toMatchObject({ count: 1 });
});

it('counts neither refused requests nor deleted callbacks', () => {
  const { db, marks, arrive } = openStore();
  arrive(4);
  db.exec("UPDATE callbacks SET refusal = 'timeout' WHERE id = 1");
  db.exec(`INSERT INTO callback_deletions (callback_id, deletion) VALUES (2, 'd')`);
  expect(marks.unread()).toMatchObject({ count: 2 });
});

it('counts up to 999, and keeps 1,000 single marks, the newest', () => {
  const { marks, arrive } = openStore();
  arrive(3000);
  expect(marks.unread()).toMatchObject({ count: 999, isMore: true });
  marks.mark(Array.from({ length: 1200 }, (_, index) => 2 * index + 2));
  const { throughId, ids, count } = marks.unread();
  expect(ids).toHaveLength(1000);
  expect([throughId, ids[0], ids.at(-1)]).toEqual([400, 402, 2400]);
  expect(count).toBe(999);
});

it('starts over if the IDs do, as after a rescue of the database', () => {
  const { db, marks, arrive } = openStore();
  arrive(9);
  marks.markAll();
  db.exec('DELETE FROM callbacks WHERE id > 3; UPDATE callback_counters SET newest_id = 3, total = 3');
  expect(marks.unread()).toMatchObject({ count: 0, throughId: 3 });
});
