// For how many turns of the event loop a commit waits for more, what it reports, and that senders that connect together share one.
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createGroupCommit } from '#core/receiver/server/group-commit.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { systemClock } from '#shared/time/clock.ts';
import { closedAccess } from '#core/receiver/access/listen-access.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiverServer } from '#core/receiver/server/receiver-server.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';

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

test('waits for as many callbacks as the last batch had, in at most 100 turns', async () => {
  const { add, batches } = start();
  add(200);
  await setImmediate();
  expect(batches).toEqual([200]);
  let turns = 0;
  for (; batches.length === 1 && turns < 500; turns += 1) {
    add();
    await setImmediate();
  }
  expect([turns, batches]).toEqual([101, [200, 101]]);
  // Then it waits again.
  add();
  await setImmediate();
  expect(batches).toEqual([200, 101]);
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

const senders = 60;
const commitMs = 20;

test('senders that connect during a commit share the next one, so that no one waits for a commit per connection', async () => {
  const batches: number[] = [];
  const commit = createGroupCommit({
    append(batch) {
      batches.push(batch.length);
      // Blocks the thread, as a write to the disk does.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitMs);
      return 1;
    },
    batchRows: receiverLimits.batchRows,
    batchBytes: receiverLimits.batchBytes,
    onCommitted: () => {},
  });
  const plan = createResponsePlan({ rules: [], pause: 'off' }, { clock: systemClock, random: () => 0 });
  const server = createReceiverServer({
    clock: systemClock,
    limits: () => receiverLimits,
    commit,
    plan: () => plan,
    isDamaged: () => false,
    access: closedAccess,
    record: () => {},
    onHeld: () => {},
    refuse: () => {},
  });
  onTestFinished(server.close);
  const port = await server.listen(0);
  const responses = Array.from({ length: senders }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    const [head] = await once(socket, 'data');
    socket.destroy();
    return String(head).slice(0, 15);
  });
  expect(await Promise.all(responses)).toEqual(Array(senders).fill('HTTP/1.1 200 OK'));
  expect(batches.reduce((sum, size) => sum + size, 0)).toBe(senders);
  expect(batches.length).toBeLessThanOrEqual(5);
});
