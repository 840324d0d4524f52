// For how many turns of the event loop a commit waits for more, and what it reports.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGroupCommit } from '#core/receiver/server/group-commit.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';

function start({ batchRows = 512, batchBytes = 1e6, fails = (): unknown => undefined } = {}) {
  const batches: number[] = [];
  const settled: [string | undefined, number][] = [];
  let committed = 0;
  const commit = createGroupCommit({
    append(batch) {
      const failure = fails();
      if (failure !== undefined) throw failure;
      batches.push(batch.length);
      return 41;
    },
    batchRows,
    batchBytes,
    onCommitted: () => (committed += 1),
  });
  return {
    batches,
    commit,
    settled,
    committed: () => committed,
    add(count = 1) {
      for (let index = 0; index < count; index += 1)
        commit.add({
          callback: receivedCallback({ body: 'xy' }),
          settled: (error, id) => void settled.push([error?.message, id]),
        });
    },
  };
}

test('numbers callbacks in their order, and reports each commit once', async () => {
  const { add, batches, committed, settled } = start({ batchRows: 2 });
  add(3);
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  expect(batches).toEqual([2, 1]);
  expect(settled).toEqual([
    [undefined, 41],
    [undefined, 42],
    [undefined, 41],
  ]);
  expect(committed()).toBe(2);
});

test('does not report a commit that failed, with an error or anything else', async () => {
  for (const failure of [new Error('full'), 'full']) {
    const { add, commit, committed, settled } = start({ fails: () => failure });
    add();
    await setImmediate();
    expect([settled.map(([message]) => message), committed(), commit.waitingBytes]).toEqual([['full'], 0, 0]);
  }
});

test('waits for connections in at most 1,000 turns', async () => {
  const { add, batches, commit } = start();
  add();
  let turns = 0;
  for (; batches.length === 0 && turns < 2000; turns += 1) {
    commit.expectMore();
    await setImmediate();
  }
  expect([turns, batches]).toEqual([1001, [1]]);
});

test('fills a batch up to its limit of bytes', () => {
  const { add, batches, commit } = start({ batchBytes: 4 });
  add(3);
  commit.flushAll();
  expect(batches).toEqual([2, 1]);
  const longer = start({ batchBytes: 1 });
  longer.add(2);
  longer.commit.add({ callback: { ...receivedCallback({ body: 'xy' }), headBytes: 5 }, settled: () => {} });
  expect(longer.commit.waitingBytes).toBe(11);
  longer.commit.flushAll();
  expect(longer.batches).toEqual([1, 1, 1]);
});
