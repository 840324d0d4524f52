// When the delivery queue takes due events from the outbox, how many, and of which hosts (docs/delivery.md S12).
import { describe, expect, it } from 'vitest';
import { sendResult, startQueue, waitingEvent } from './queue-harness.ts';

const many = (count: number, host?: string) =>
  Array.from({ length: count }, (_, index) => waitingEvent(`e${index}`, host === undefined ? {} : { host }));

describe('the delivery queue takes events', () => {
  it('at its start, when it is woken, and every 2 s', async () => {
    const { calls, offer, pass } = await startQueue();
    expect(calls.take[0]).toEqual({ after: 0, limit: 1_024, full: [] });
    expect(await offer(waitingEvent('a'))).toEqual(['a']);
    const before = calls.take.length;
    await pass(1_999);
    expect(calls.take).toHaveLength(before);
    await pass(1);
    expect(calls.take.at(-1)?.after).toBe(2_000);
    await pass(2_000);
    expect(calls.take.at(-1)?.after).toBe(4_000);
  });

  it('again 2 s after an error', async () => {
    const { outbox, logged, queue, offer, pass, ids } = await startQueue();
    const { take } = outbox;
    let failures = 0;
    outbox.take = async () => {
      failures += 1;
      throw new Error('database is gone');
    };
    expect(await offer(waitingEvent('a'))).toEqual([]);
    expect(failures).toBe(1);
    expect(logged.join()).toContain('database is gone');
    outbox.take = take;
    await pass(2_000);
    expect(ids()).toEqual(['a']);
    queue.wake();
    await pass(0);
    expect(ids()).toEqual(['a']);
  });

  it('again when it was woken during a query', async () => {
    const { outbox, state, queue, pass, ids } = await startQueue();
    const { take } = outbox;
    let finish = () => {};
    outbox.take = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return [];
    };
    queue.wake();
    await pass(0);
    queue.wake();
    state.due.push(waitingEvent('a'));
    outbox.take = take;
    expect(ids()).toEqual([]);
    finish();
    await pass(0);
    expect(ids()).toEqual(['a']);
  });

  it('of a host with a long queue only once it is short', async () => {
    const limits = { fresh: 128, open: 2_048, perHost: 4, unrecorded: 2_000 };
    const { calls, queue, offer, answer, open, pass } = await startQueue([], { limits });
    const before = calls.take.length;
    expect(await offer(...many(70, 'a'))).toHaveLength(4);
    expect(calls.take.slice(before)).toEqual([{ after: 0, limit: 1_024, full: [] }]);
    const answerUntil = async (left: number) => {
      for (let rest = 66; rest > left; rest -= 1) await answer([...open.keys()][0] ?? '', sendResult(200));
    };
    queue.wake();
    await pass(0);
    expect(calls.take.slice(before + 1)).toMatchObject([{ full: [{ application_id: 'app', host: 'a' }] }]);
    await answerUntil(16);
    expect(calls.take).toHaveLength(before + 2);
    await answer([...open.keys()][0] ?? '', sendResult(200));
    expect(calls.take.slice(before + 2)).toMatchObject([{ full: [] }]);
  });

  it('not again when a queue is short, if nothing was left out', async () => {
    const limits = { fresh: 128, open: 2_048, perHost: 4, unrecorded: 2_000 };
    const { calls, offer, answer, open } = await startQueue([], { limits });
    await offer(...many(70, 'a'));
    const before = calls.take.length;
    while (open.size > 0) await answer([...open.keys()], sendResult(200));
    expect(calls.take).toHaveLength(before);
  });

  it('up to 1,024 of an application, and more when fewer than 512 wait, but those of others at once', async () => {
    const limits = { fresh: 64, open: 128, perHost: 4, unrecorded: 100_000 };
    const { calls, queue, state, offer, answer, open, ids, pass } = await startQueue([], { limits });
    const before = calls.take.length;
    // 64 of the first group are sent, and 960 wait.
    expect(await offer(...many(3_000))).toHaveLength(64);
    expect(calls.take.slice(before).map(({ full }) => full)).toEqual([[], [{ application_id: 'app' }]]);
    state.due.push(waitingEvent('last', { application_id: 'other' }));
    queue.wake();
    await pass(0);
    const answerOldest = () => answer([...open.keys()][0] ?? '', sendResult(200));
    await answerOldest();
    await answerOldest();
    expect(ids().at(-1)).toBe('last');
    const taken = calls.take.length;
    for (let left = 959; left > 512; left -= 1) await answerOldest();
    expect(calls.take).toHaveLength(taken);
    await answerOldest();
    expect(calls.take.slice(taken)[0]).toMatchObject({ full: [] });
  });
});

describe('the delivery queue by default sends', () => {
  it('events of another account while all hosts of a greedy one hang', async () => {
    const { offer, pass, sent } = await startQueue();
    const greedy = many(6_000).map((event, index) => ({
      ...event,
      application_id: `greed${index % 10}`,
      account_id: 'greed',
    }));
    await offer(...greedy);
    for (let round = 0; round < 60; round += 1) await pass(125);
    expect(sent.length).toBeGreaterThan(2_000);
    expect(await offer(waitingEvent('honest', { application_id: 'other' }))).toContain('honest');
  });

  it('128 events at a time, and 4 of a host', async () => {
    const { offer, answer, ids } = await startQueue();
    expect(await offer(...many(5, 'a'))).toHaveLength(4);
    await answer(ids(), sendResult(200));
    await answer(ids(), sendResult(200));
    expect(await offer(...many(150).map((event) => ({ ...event, id: `x${event.id}` })))).toHaveLength(128);
  });

  it('no more while 200 results are not stored', async () => {
    const { state, offer, answer, open, sent } = await startQueue();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    state.record = () => promise;
    await offer(...many(300));
    while (open.size > 0) await answer([...open.keys()], sendResult(200));
    expect(sent).toHaveLength(200);
    resolve(undefined);
    await answer([], sendResult(200));
    expect(sent.length).toBeGreaterThan(200);
  });

  it('others after 100 ms, up to 2,048 slow ones', async () => {
    const { offer, pass, sent } = await startQueue();
    await offer(...many(2_100));
    await pass(99);
    expect(sent).toHaveLength(128);
    await pass(1);
    expect(sent).toHaveLength(256);
    for (let round = 0; round < 20; round += 1) await pass(125);
    expect(sent).toHaveLength(2_048);
  });
});
