// When outcomes of responses are written.
import { expect, test } from 'vitest';
import { createOutcomeQueue } from '#core/receiver/server/run-receiver.ts';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createManualClock } from '../manual-clock.ts';

function start() {
  const clock = createManualClock();
  const seen = { written: [] as number[], isDiskFull: false };
  const queue = createOutcomeQueue(clock, (outcomes) => {
    if (seen.isDiskFull) throw new Error('disk full');
    seen.written.push(outcomes.length);
  });
  const add = (count: number) => {
    for (let callbackId = 1; callbackId <= count; callbackId += 1)
      queue.add({
        callbackId,
        kind: 'answered',
        planned: receivedResponse,
        startedAfterMs: 0,
        endedAfterMs: 1,
        bytesSent: 100,
        isKeptAlive: true,
      });
  };
  return { clock, queue, seen, add };
}

test('outcomes are written together, within 50 ms', () => {
  const { clock, seen, add } = start();
  add(1);
  clock.advance(30);
  add(2);
  expect(seen.written).toEqual([]);
  clock.advance(20);
  expect(seen.written).toEqual([3]);
  clock.advance(1000);
  expect(seen.written).toEqual([3]);
});

test('outcomes that could not be written are written later, the newest 20,000, or at the end', () => {
  const { clock, queue, seen, add } = start();
  seen.isDiskFull = true;
  add(20_001);
  clock.advance(1000);
  seen.isDiskFull = false;
  clock.advance(1000);
  expect(seen.written).toEqual([20_000]);
  add(2);
  queue.close();
  expect(seen.written).toEqual([20_000, 2]);
});
