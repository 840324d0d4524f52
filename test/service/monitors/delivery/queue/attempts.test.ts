// One attempt of the delivery queue: what it sends, and what it stores for each result (docs/delivery.md S3).
import { describe, expect, it } from 'vitest';
import { sendResult, startMs, startQueue, waitingEvent } from './queue-harness.ts';

const atOf = (pauseMs: number | undefined) => (pauseMs === undefined ? undefined : startMs + pauseMs);

describe('an attempt', () => {
  it('sends the body with the time of the attempt', async () => {
    const { sent, offer, pass } = await startQueue();
    await pass(1_999);
    await offer(waitingEvent('a'));
    expect(sent).toEqual([
      { id: 'a', uri: 'https://a.example/hook', body: '{"id":"a"}', at: String(startMs / 1_000 + 1) },
    ]);
  });

  it.each([
    [200, {}, 'delivered', undefined],
    [299, {}, 'delivered', undefined],
    [410, {}, 'gone', undefined],
    [400, {}, 'failed', undefined],
    [404, {}, 'waiting', 60_000],
    [404, { attempts: 1 }, 'failed', undefined],
    [500, {}, 'waiting', 9_000],
    [500, { attempts: 1 }, 'waiting', 59_000],
    [null, { attempts: 2 }, 'waiting', 299_000],
    [500, { attempts: 3 }, 'waiting', 1_199_000],
    [500, { attempts: 4 }, 'failed', undefined],
    [500, { is_resend: 1 }, 'failed', undefined],
    [500, { kind: 'test' }, 'failed', undefined],
    [200, { is_resend: 1 }, 'delivered', undefined],
    // The pause of 9 s, 2 s until the next poll, and the attempt of 10 s end with the window of an hour.
    [500, { occurred_at: startMs - 3_579_000 }, 'failed', undefined],
    [500, { occurred_at: startMs - 3_578_999 }, 'waiting', 9_000],
  ] as const)('with status %s of %o is %s', async (status, changes, state, pauseMs) => {
    const event = waitingEvent('a', changes);
    const { records, attempts, answer, pass } = await startQueue([event]);
    const result = sendResult(status);
    await answer('a', result);
    expect(attempts).toEqual([[state, 12]]);
    await pass(25);
    expect(records).toEqual([{ event, startedAt: startMs, result, state, nextAttemptAt: atOf(pauseMs) }]);
  });

  it('to a forbidden address fails', async () => {
    const { records, answer, pass } = await startQueue([waitingEvent('a')]);
    await answer('a', sendResult(null, { error: 'forbidden' }));
    await pass(25);
    expect(records).toMatchObject([{ state: 'failed', nextAttemptAt: undefined }]);
  });

  it('waits as long as Retry-After says, from its end', async () => {
    const { records, answer, pass } = await startQueue([waitingEvent('a')]);
    await pass(300);
    await answer('a', sendResult(429, { retryAfterSeconds: 120 }));
    await pass(25);
    expect(records).toMatchObject([{ startedAt: startMs, nextAttemptAt: startMs + 120_300 }]);
  });

  it('sends credentials only for a monitor that has some', async () => {
    const { sent } = await startQueue([waitingEvent('a', { is_guarded: 1 }), waitingEvent('b')]);
    const authorizationOf = (id: string) => sent.find((one) => one.id === id)?.authorization;
    expect(sent).toHaveLength(2);
    expect([authorizationOf('a'), authorizationOf('b')]).toEqual(['Basic monitor of a', undefined]);
  });

  it('of a deleted application sends and stores nothing', async () => {
    const { state, sent, attempts, records, calls, logged, offer, pass } = await startQueue();
    state.secrets = async () => [];
    await offer(waitingEvent('a'));
    await pass(2_000);
    expect([sent, attempts, records, logged]).toEqual([[], [], [], []]);
    expect(calls.hold.at(-1)).toEqual([]);
  });

  it('after an internal error is logged, and left to the next process that takes it', async () => {
    const { state, attempts, records, calls, logged, offer, pass } = await startQueue();
    state.secrets = async () => {
      throw new Error('no key');
    };
    const event = waitingEvent('a');
    await offer(event);
    expect(JSON.parse(logged.join())).toMatchObject({ event: 'a', err: { message: 'no key' } });
    await pass(2_000);
    expect([attempts, records, calls.hold.at(-1)]).toEqual([[], [], []]);
    state.secrets = async () => ['whsec_AAAA'];
    expect(await offer(event)).toEqual(['a']);
  });
});
