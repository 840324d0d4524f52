// How callbacks become transactions.
import { expect, test } from 'vitest';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createGroupCommit } from '#core/receiver/server/group-commit.ts';

function callback(bytes = 10): ReceivedCallback {
  const facts = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1', remoteAddress: '', rawHeaders: [] };
  return { ...facts, body: Buffer.alloc(bytes), truncated: false, answeredStatus: 200 };
}

function start({ fail = false, batchRows = 512, batchBytes = 1000 } = {}) {
  const batches: number[] = [];
  const commit = createGroupCommit({
    append(batch) {
      if (fail) throw new Error('disk full');
      batches.push(batch.length);
      return 1;
    },
    batchRows,
    batchBytes,
    onCommitted: () => {},
  });
  const add = (bytes?: number) =>
    new Promise<Error | undefined>((resolve) => commit.add({ callback: callback(bytes), settled: resolve }));
  return { batches, commit, add };
}

test('waiting entries are committed together, and each is acknowledged after the commit', async () => {
  const { batches, commit, add } = start();
  const results = Promise.all([add(), add(), add()]);
  expect(commit.waitingBytes).toBe(30);
  expect(batches).toEqual([]);
  expect(await results).toEqual([undefined, undefined, undefined]);
  expect(batches).toEqual([3]);
  expect(commit.waitingBytes).toBe(0);
});

test('a transaction has a limit of rows and bytes, and a longer body gets its own transaction', async () => {
  const rows = start({ batchRows: 2 });
  await Promise.all([rows.add(), rows.add(), rows.add()]);
  expect(rows.batches).toEqual([2, 1]);
  const bytes = start();
  await Promise.all([bytes.add(5000), bytes.add(600), bytes.add(300), bytes.add(300)]);
  expect(bytes.batches).toEqual([1, 2, 1]);
});

test('a failed commit is reported to all its senders, and the next entries are tried', async () => {
  const { commit, add } = start({ fail: true });
  const results = await Promise.all([add(), add()]);
  expect(results.map((error) => error?.message)).toEqual(['disk full', 'disk full']);
  expect(commit.waitingBytes).toBe(0);
  expect((await add())?.message).toBe('disk full');
});

test('senders who come again one by one are waited for while they come, and only then', async () => {
  const { batches, add } = start();
  await Promise.all(Array.from({ length: 8 }, () => add()));
  const coming: Promise<unknown>[] = [];
  for (let index = 0; index < 4; index += 1) {
    coming.push(add());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(coming);
  expect(batches).toEqual([8, 4]);
});

test('a lone callback is committed within two turns of the event loop', async () => {
  const { batches, add } = start();
  await Promise.all(Array.from({ length: 8 }, () => add()));
  const lone = add();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([8, 1]);
  await lone;
});

test('closing commits what waits at once', () => {
  const { batches, commit, add } = start();
  void add();
  void add();
  commit.flushAll();
  expect(batches).toEqual([2]);
});
