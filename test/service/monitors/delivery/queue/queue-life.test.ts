// The claims, periodic work, and shutdown of the delivery queue (docs/delivery.md S13 and S14).
import { describe, expect, it } from 'vitest';
import { sendResult, settle, startQueue, waitingEvent } from './queue-harness.ts';

describe('a claim', () => {
  it('sends what this process holds, up to 16,384 waiting events', async () => {
    const limits = { fresh: 1, open: 9, perHost: 4, unrecorded: 99 };
    let left = 0;
    const { queue, state, calls, ids } = await startQueue([], { limits, onLeft: () => (left += 1) });
    state.claimed = { count: 3, held: ['a', 'b', 'c'].map((id) => waitingEvent(id)) };
    const triggers = new Map([['cell', {}]]);
    const takes = calls.take.length;
    expect(await queue.claim(['cell'], 5, triggers)).toBe(3);
    await settle();
    expect(ids()).toEqual(['a']);
    state.claimed = { count: 0, held: [] };
    expect(await queue.claim([], 6)).toBe(0);
    expect(calls.claim).toEqual([
      [['cell'], 5, 16_384, triggers],
      [[], 6, 16_382, undefined],
    ]);
    expect([left, calls.take.length]).toEqual([0, takes]);
  });

  it('reports and takes what this process does not hold', async () => {
    let left = 0;
    const { queue, state, calls } = await startQueue([], { onLeft: () => (left += 1) });
    state.claimed = { count: 2, held: [waitingEvent('a')] };
    const takes = calls.take.length;
    await queue.claim(['cell'], 5);
    await settle();
    expect([left, calls.take.length]).toEqual([1, takes + 1]);
  });

  it('waits for corrections after a clock jump', async () => {
    const { queue, outbox, calls, clock } = await startQueue();
    let finish = () => {};
    outbox.replan = () => new Promise<void>((resolve) => (finish = resolve));
    clock.jump(-60_000);
    await settle();
    const claimed = queue.claim([], 5);
    await settle();
    expect(calls.claim).toEqual([]);
    finish();
    await claimed;
    expect(calls.claim).toHaveLength(1);
  });
});

describe('periodically the queue', () => {
  it('renews the leases of all events that it has taken, every 2 s', async () => {
    const { calls, pass, offer, answer } = await startQueue();
    await offer(waitingEvent('a'), waitingEvent('b', { host: 'https://a.example', monitor_id: 'monitor of a' }));
    await pass(1_999);
    expect(calls.hold).toEqual([[]]);
    await pass(1);
    expect(calls.hold).toEqual([[], ['a', 'b']]);
    await answer('a', sendResult(200));
    await pass(25);
    await pass(1_975);
    expect(calls.hold.at(-1)).toEqual(['b']);
  });

  it('expires events at its start, every 30 s, and after a clock jump', async () => {
    const { calls, clock, pass } = await startQueue();
    expect(calls.expire).toEqual([0]);
    for (let seconds = 0; seconds < 62; seconds += 2) await pass(2_000);
    expect(calls.expire).toEqual([0, 30_000, 60_000]);
    clock.jump(1_000_000);
    await pass(2_000);
    expect(calls.expire.at(-1)).toBe(1_064_000);
  });

  it('continues after an error', async () => {
    const { outbox, calls, logged, pass } = await startQueue();
    const { hold } = outbox;
    outbox.hold = async () => {
      throw new Error('no database');
    };
    const takes = calls.take.length;
    await pass(2_000);
    expect(logged.join()).toContain('no database');
    expect(calls.take).toHaveLength(takes + 1);
    outbox.hold = hold;
    await pass(2_000);
    expect(calls.hold).toHaveLength(2);
  });

  it('corrects scheduled times at its start, after an hour, and after a clock jump', async () => {
    const { calls, clock, pass } = await startQueue();
    expect(calls.replan).toEqual([0]);
    await pass(3_599_999);
    expect(calls.replan).toEqual([0]);
    await pass(1);
    expect(calls.replan).toEqual([0, 3_600_000]);
    clock.jump(-5_000);
    await settle();
    expect(calls.replan.at(-1)).toBe(3_595_000);
    // The hour starts again.
    await pass(1_000);
    clock.jump(0);
    await pass(3_599_999);
    expect(calls.replan).toHaveLength(4);
    await pass(1);
    expect(calls.replan).toHaveLength(5);
  });

  it('takes events after a failed correction', async () => {
    const { outbox, calls, logged, clock } = await startQueue();
    outbox.replan = async () => {
      throw new Error('no database');
    };
    const takes = calls.take.length;
    clock.jump(5_000);
    await settle();
    expect(logged.join()).toContain('no database');
    expect(calls.take).toHaveLength(takes + 1);
  });
});

describe('a queue that closes', () => {
  const limits = { fresh: 1, open: 9, perHost: 4, unrecorded: 99 };

  it('releases waiting events at once, and stores the result of a send that ends in time', async () => {
    const { queue, calls, records, answer, ids } = await startQueue([waitingEvent('a'), waitingEvent('b')], { limits });
    const closing = queue.close(1_000);
    await settle();
    expect([calls.release, calls.closed]).toEqual([[['b']], 0]);
    await answer('a', sendResult(200));
    await closing;
    expect(records).toMatchObject([{ event: { id: 'a' }, state: 'delivered' }]);
    expect([calls.release, calls.closed]).toEqual([[['b'], ['b']], 1]);
    expect(ids()).toEqual(['a']);
  });

  it('aborts a send that takes too long, and releases it without a result', async () => {
    const { queue, calls, records, attempts, pass } = await startQueue([waitingEvent('a')]);
    const closing = queue.close(1_000);
    await settle();
    await pass(999);
    expect(calls.closed).toBe(0);
    await pass(1);
    await closing;
    expect(calls.closed).toBe(1);
    expect([records, attempts]).toEqual([[], []]);
    expect(calls.release).toEqual([[], ['a']]);
  });

  it('waits for nothing if nothing is sent, and does nothing afterward', async () => {
    const { queue, calls, clock, pass, offer } = await startQueue();
    await queue.close(1_000);
    const count = () => [calls.take, calls.hold, calls.replan, calls.expire].map(({ length }) => length);
    const before = count();
    expect(await offer(waitingEvent('a'))).toEqual([]);
    clock.jump(60_000);
    await pass(7_200_000);
    expect(count()).toEqual(before);
    await queue.claim(['cell'], 5);
    expect(calls.claim).toEqual([[['cell'], 5, 0, undefined]]);
  });

  it('waits for a renewal of leases that is under way, because the database is closed next', async () => {
    const { queue, outbox, pass } = await startQueue();
    const renewal = Promise.withResolvers<void>();
    outbox.hold = () => renewal.promise;
    await pass(2_000);
    let isClosed = false;
    const closing = queue.close(1_000).then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    renewal.resolve();
    await closing;
  });

  it('leaves no timer behind, whatever it waited for', async () => {
    const { queue, clock, answer, pass } = await startQueue([waitingEvent('a'), waitingEvent('b')]);
    await answer('a', sendResult(500));
    const closing = queue.close(1_000);
    await settle();
    await answer('b', sendResult(500));
    await closing;
    expect(clock.timers()).toBe(0);
    await pass(60_000);
    expect(clock.timers()).toBe(0);
  });

  it('releases what a query returns meanwhile', async () => {
    const { queue, outbox, calls, sent } = await startQueue();
    let finish = () => {};
    outbox.take = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return [waitingEvent('a')];
    };
    queue.wake();
    await settle();
    const closing = queue.close(1_000);
    finish();
    await closing;
    expect([sent, calls.release]).toEqual([[], [['a'], ['a']]]);
  });
});
