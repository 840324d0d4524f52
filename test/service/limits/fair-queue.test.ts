// The queue for password hashes: a sender of many requests delays only itself.
import { describe, expect, test } from 'vitest';
import { createFairQueue } from '#service/limits/fair-queue.ts';

/** A queue with one worker that is busy until `open`; `order` lists what ran, `refused` what was turned away. */
function startQueue(waitingLimit = 100) {
  const queue = createFairQueue({ atOnce: 1, waitingLimit, busy: 'busy' });
  const order: string[] = [];
  const refused: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const running = queue.run({ network: 'busy', name: '' }, () => opened);
  const jobs: Promise<unknown>[] = [running];
  const add = (network: string, name = 'ann') => {
    const label = `${network} ${name}`;
    const job = queue.run({ network, name }, async () => void order.push(label));
    jobs.push(job.catch((error: { code: string }) => refused.push(`${label} ${error.code}`)));
  };
  return { add, order, refused, finish: () => (open(), Promise.all(jobs)) };
}

describe('the password queue', () => {
  test('serves the network that was served least, and the names of a network in turns', async () => {
    const { add, order, finish } = startQueue();
    for (let count = 0; count < 3; count += 1) add('a');
    add('a', 'bob');
    add('b');
    await finish();
    expect(order).toEqual(['a ann', 'b ann', 'a bob', 'a ann', 'a ann']);
  });

  test('lets one network fill it if there is no other', async () => {
    const { add, order, refused, finish } = startQueue(75);
    for (let count = 0; count < 75; count += 1) add('a');
    await finish();
    expect([order.length, refused]).toEqual([75, []]);
  });

  test('gives a newcomer the place of the sender with the most waiting', async () => {
    const { add, order, refused, finish } = startQueue(4);
    for (const name of ['ann', 'ann', 'bob', 'ann']) add('a', name);
    add('b');
    // The third of a's own: "ann" has most.
    expect(order).toEqual([]);
    add('a', 'ann');
    await finish();
    expect(order).toContain('b ann');
    expect(refused).toEqual(['a ann temporarily_unavailable', 'a ann temporarily_unavailable']);
  });

  test('gives a neighbor at the same address the place of the name that has most waiting', async () => {
    const { add, order, refused, finish } = startQueue(4);
    for (let count = 0; count < 4; count += 1) add('a', 'mallory');
    add('a', 'ann');
    await finish();
    expect(order).toContain('a ann');
    expect(refused).toEqual(['a mallory temporarily_unavailable']);
  });

  test('gives a newcomer a place and the next turn when a flood from many networks has filled it', async () => {
    const flood = ['a', 'b', 'c', 'd'];
    const queue = createFairQueue({ atOnce: 1, waitingLimit: flood.length, busy: 'busy' });
    const order: string[] = [];
    const work = (network: string) => queue.run({ network, name: 'ann' }, async () => void order.push(network));
    // Then it is not the turn of the one that has waited longest.
    await Promise.all([...flood, 'e'].map(work));
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const running = queue.run({ network: 'busy', name: '' }, () => opened);
    const again = Promise.allSettled(flood.map(work));
    const newcomer = work('newcomer');
    open();
    await Promise.all([running, newcomer]);
    expect(order[flood.length + 1]).toBe('newcomer');
    expect((await again).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  test('goes on after work that fails', async () => {
    const queue = createFairQueue({ atOnce: 1, waitingLimit: 1, busy: 'busy' });
    const requester = { network: 'a', name: 'ann' };
    await expect(queue.run(requester, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(requester, () => Promise.resolve('fine'))).toBe('fine');
  });
});
