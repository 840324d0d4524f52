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
    randomBytes(16_384),
    Array.from({ length: 2500 }, () => randomBytes(7)),
  ];
  writer.append([callback(long), callback(short), callback({ chunks: pieces, length: 17_500 })]);
  writer.append([callback(randomBytes(16_385))]);
  expect(pages.get(1)?.body.equals(long)).toBe(true);
  expect(pages.get(2)?.body.equals(short)).toBe(true);
  expect(pages.get(3)?.body.equals(Buffer.concat(pieces))).toBe(true);
  expect(
    db
      .prepare('SELECT length(body) AS size FROM callbacks ORDER BY id')
      .all()
      .map(({ size }) => size),
  ).toEqual([0, 16_384, 0, 0]);
  expect([...pages.rows({})].map(({ id, sizeBytes }) => [id, sizeBytes])).toEqual([
    [4, 16_385],
    [3, 17_500],
    [2, 16_384],
    [1, 100_000],
  ]);
  expect(writer.counters).toMatchObject({ total: 4, bytes: 100_000 + 16_384 + 17_500 + 16_385 });
});

test('a restart begins a new file, and a file goes with its last callback', () => {
  const first = openStore();
  first.writer.append([callback(randomBytes(17_000)), callback(randomBytes(17_000))]);
  first.close();
  const second = openStore(first.folder);
  second.writer.append([callback(randomBytes(17_000))]);
  expect(second.files()).toEqual(['1.bodies', '3.bodies']);
  second.writer.remove([1]);
  expect(second.files()).toEqual(['1.bodies', '3.bodies']);
  second.writer.remove([2]);
  expect(second.files()).toEqual(['3.bodies']);
  expect(second.pages.get(3)?.body).toHaveLength(17_000);
});

test('what a crash left without a row is removed at the start', () => {
  const first = openStore();
  first.writer.append([callback(randomBytes(17_000))]);
  writeFileSync(join(first.folder, 'app.sqlite-bodies', '7.bodies'), 'orphan');
  first.close();
  expect(openStore(first.folder).files()).toEqual(['1.bodies']);
});

test('a body whose file is gone is reported as incomplete, and the rest of the list is read', () => {
  const { writer, pages, folder } = openStore();
  writer.append([callback(randomBytes(17_000))]);
  rmSync(join(folder, 'app.sqlite-bodies', '1.bodies'));
  expect(pages.get(1)).toMatchObject({ truncated: true, sizeBytes: 17_000, body: Buffer.alloc(0) });
});
