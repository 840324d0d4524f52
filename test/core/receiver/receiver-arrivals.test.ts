// Senders that connect together, in front of a disk that takes its time.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createGroupCommit } from '#core/receiver/server/group-commit.ts';
import { closedAccess } from '#core/receiver/access/listen-access.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiverServer } from '#core/receiver/server/receiver-server.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';

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
