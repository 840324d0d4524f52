// Long bodies in files of their own beside app.sqlite.
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function callback(body: ReceivedCallback['body']): ReceivedCallback {
  const facts = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1', remoteAddress: '', rawHeaders: [] };
  return { ...facts, body, truncated: false, answeredStatus: 200 };
}

function openStore(folder = temporaryFolder()) {
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  const writer = createCallbackWriter(database.db);
  const close = () => {
    writer.close();
    database.close();
  };
  onTestFinished(close);
  const files = () => readdirSync(`${database.file}-bodies`).toSorted();
  return { folder, db: database.db, writer, pages: createCallbackPages(database.db), files, close };
}

test('long bodies come back to the byte, in pieces or whole, beside short ones in one batch', () => {
  const { writer, pages, db } = openStore();
  const [long, short, pieces] = [
    randomBytes(100_000),
    randomBytes(4096),
    Array.from({ length: 1500 }, () => randomBytes(7)),
  ];
  writer.append([callback(long), callback(short), callback({ chunks: pieces, length: 10_500 })]);
  writer.append([callback(randomBytes(5000))]);
  expect(pages.get(1)?.body.equals(long)).toBe(true);
  expect(pages.get(2)?.body.equals(short)).toBe(true);
  expect(pages.get(3)?.body.equals(Buffer.concat(pieces))).toBe(true);
  expect(pages.toValidate(1)?.body.equals(long.subarray(0, 65_537))).toBe(true);
  expect(
    db
      .prepare('SELECT length(body) AS size FROM callbacks ORDER BY id')
      .all()
      .map(({ size }) => size),
  ).toEqual([0, 4096, 0, 0]);
  expect([...pages.rows({})].map(({ id, sizeBytes }) => [id, sizeBytes])).toEqual([
    [4, 5000],
    [3, 10_500],
    [2, 4096],
    [1, 100_000],
  ]);
  expect(writer.counters).toMatchObject({ total: 4, bytes: 100_000 + 4096 + 10_500 + 5000 });
});

test('a restart begins a new file, and a file goes with its last callback', () => {
  const first = openStore();
  first.writer.append([callback(randomBytes(9000)), callback(randomBytes(9000))]);
  first.close();
  const second = openStore(first.folder);
  second.writer.append([callback(randomBytes(9000))]);
  expect(second.files()).toEqual(['1.bodies', '2.bodies']);
  second.writer.remove([1]);
  expect(second.files()).toEqual(['1.bodies', '2.bodies']);
  second.writer.remove([2]);
  expect(second.files()).toEqual(['2.bodies']);
  expect(second.pages.get(3)?.body).toHaveLength(9000);
});

test('what a crash left without a row is removed at the start, and any other file stays', () => {
  const first = openStore();
  first.writer.append([callback(randomBytes(9000))]);
  for (const name of ['7.bodies', '8.bodies.new']) {
    writeFileSync(join(first.folder, 'app.sqlite-bodies', name), 'orphan');
  }
  first.close();
  expect(openStore(first.folder).files()).toEqual(['1.bodies', '7.bodies']);
});

test('a body whose file is gone is reported as incomplete, and the rest of the list is read', () => {
  const { writer, pages, folder } = openStore();
  writer.append([callback(randomBytes(9000))]);
  rmSync(join(folder, 'app.sqlite-bodies', '1.bodies'));
  expect(pages.get(1)).toMatchObject({ truncated: true, sizeBytes: 9000, body: Buffer.alloc(0) });
});
