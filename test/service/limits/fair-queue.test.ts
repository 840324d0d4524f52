// The queue for password hashes: a sender of many requests delays only itself.
import { describe, expect, test } from 'vitest';
import { createFairQueue } from '#service/limits/fair-queue.ts';

/** A queue with one worker that is busy until `open`; `order` lists what ran, `refused` what was turned away. */
function startQueue(waitingLimit = 100) {
  const queue = createFairQueue({ atOnce: 1, waitingLimit, busy: 'busy' });
  const order: string[] = [];
  const refused: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const running = queue.run('busy', () => opened);
  const jobs: Promise<unknown>[] = [running];
  const add = (network: string) => {
    const job = queue.run(network, async () => void order.push(network));
    jobs.push(job.catch((error: { code: string }) => refused.push(`${network} ${error.code}`)));
  };
  return { add, order, refused, finish: () => (open(), Promise.all(jobs)) };
}

describe('the password queue', () => {
  test('serves the network that was served least', async () => {
    const { add, order, finish } = startQueue();
    for (let count = 0; count < 3; count += 1) add('a');
    add('b');
    await finish();
    expect(order).toEqual(['a', 'b', 'a', 'a']);
  });

  test('lets one network fill it if there is no other', async () => {
    const { add, order, refused, finish } = startQueue(75);
    for (let count = 0; count < 75; count += 1) add('a');
    await finish();
    expect([order.length, refused]).toEqual([75, []]);
  });

  test('gives a newcomer the place of the sender with the most waiting', async () => {
    const { add, order, refused, finish } = startQueue(4);
    for (let count = 0; count < 4; count += 1) add('a');
    add('b');
    expect(order).toEqual([]);
    add('a');
    await finish();
    expect(order).toContain('b');
    expect(refused).toEqual(['a temporarily_unavailable', 'a temporarily_unavailable']);
  });

  test('gives a newcomer a place and the next turn when a flood from many networks has filled it', async () => {
    const flood = ['a', 'b', 'c', 'd'];
    const queue = createFairQueue({ atOnce: 1, waitingLimit: flood.length, busy: 'busy' });
    const order: string[] = [];
    const work = (network: string) => queue.run(network, async () => void order.push(network));
    // Then it is not the turn of the one that has waited longest.
    await Promise.all([...flood, 'e'].map(work));
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const running = queue.run('busy', () => opened);
    const again = Promise.allSettled(flood.map(work));
    const newcomer = work('newcomer');
    open();
    await Promise.all([running, newcomer]);
    expect(order[flood.length + 1]).toBe('newcomer');
    expect((await again).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  test('goes on after work that fails', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingLimit: 1, busy: 'busy' });
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('a', () => Promise.resolve('fine'))).toBe('fine');
  });
});
