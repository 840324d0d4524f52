// The order and completeness of what `listen` and `wait` read, where thousands came at once and old ones were dropped.
import { join } from 'node:path';
import { parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';
import { parseTimestamp } from '#shared/time/timestamp.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackWriter, type CallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { createCallbackStore, openRunningStore, type CallbackStore } from '#command-line/session/callback-store.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

function openStore(): { file: string; store: CallbackStore; writer: CallbackWriter } {
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  return { file: database.file, store: createCallbackStore(database.db), writer: createCallbackWriter(database.db) };
}

function receive(writer: CallbackWriter, count: number, monitorId = 'precipitation_1'): void {
  writer.append(
    Array.from({ length: count }, () => ({
      receivedAt: 0,
      method: 'POST',
      target: '/hooks/a',
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
      rawHeaders: [],
      body: Buffer.from(JSON.stringify({ id: monitorId })),
      truncated: false,
      answeredStatus: 200,
    })),
  );
}

const ids = (store: CallbackStore, after: number) => [...store.after(after)].map((callback) => callback.id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('reads each callback once, oldest first, across any number of pages', () => {
  const { store, writer } = openStore();
  receive(writer, 1501);
  expect(ids(store, 0)).toEqual(range(1, 1501));
  expect(ids(store, 1000)).toEqual(range(1001, 1501));
  expect(ids(store, 1501)).toEqual([]);
});

test('a gap where old callbacks were dropped hides none of those that are left', () => {
  const { store, writer } = openStore();
  receive(writer, 2000);
  writer.dropOldest(1700);
  expect(ids(store, 3)).toEqual(range(1701, 2000));
});

test('an instant leads to the callbacks received since, and a query fits what it says', () => {
  const { store, writer } = openStore();
  receive(writer, 600, 'precipitation_7');
  const receivedAt = parseTimestamp(store.get(600)?.receivedAt ?? '') ?? 0;
  expect(store.firstSince(receivedAt + 1)).toBe(600);
  expect(store.firstSince(0)).toBe(0);
  expect(store.fits(parseCallbackQuery('monitor:precipitation_7'), 600)).toBe(true);
  expect(store.fits(parseCallbackQuery('monitor:precipitation_8'), 600)).toBe(false);
  expect(store.fits(parseCallbackQuery(''), 601)).toBe(false);
});

test('a reader beside the writer sees what was stored after it opened', () => {
  const { file, writer } = openStore();
  const beside = openRunningStore(file);
  onTestFinished(() => beside?.close());
  receive(writer, 2);
  expect(beside && ids(beside.store, 0)).toEqual([1, 2]);
});

test('opens no store before one exists', () => {
  expect(openRunningStore(join(temporaryFolder(), 'app.sqlite'))).toBeUndefined();
});
