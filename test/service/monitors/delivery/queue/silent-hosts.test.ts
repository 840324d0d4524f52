// Events of hosts that do not respond: which the delivery queue postpones, and which it sends anyway (docs/delivery.md S12).
import { describe, expect, it } from 'vitest';
import { sendResult, startMs, startQueue, waitingEvent } from './queue-harness.ts';

const host = 'https://a.example';
const eventOf = (id: string, changes = {}) => waitingEvent(id, { host, ...changes });
const postponed = { status: null, error: 'host-silent', latencyMs: 0, answer: '', retryAfterSeconds: undefined };

async function start() {
  const started = await startQueue([]);
  async function fail(ids: string[], error = 'timeout') {
    await started.offer(...ids.map((id) => eventOf(id)));
    await started.answer(ids, sendResult(null, { error }));
  }
  /** Fails so often in a row, each time after the pause. */
  async function failTimes(failures: number) {
    await fail(['x1', 'x2', 'x3']);
    for (let count = 4; count <= failures; count += 1) {
      await started.pass(60_000);
      await fail([`x${count}`]);
    }
    await started.pass(25);
    started.records.length = 0;
  }
  return { ...started, fail, failTimes };
}

describe('an event of a host without responses', () => {
  it('is postponed after the third one', async () => {
    const { fail, offer, answer, pass, records, attempts } = await start();
    await fail(['a', 'b']);
    expect(await offer(eventOf('c'))).toEqual(['c']);
    await answer('c', sendResult(null));
    await pass(25);
    records.length = 0;
    const event = eventOf('e');
    expect(await offer(event)).toEqual([]);
    expect(attempts.at(-1)).toEqual(['waiting', 0]);
    await pass(25);
    const times = { startedAt: startMs + 25, nextAttemptAt: startMs + 9_025 };
    expect(records).toEqual([{ event, result: postponed, state: 'waiting', ...times }]);
    expect(await offer(waitingEvent('another'))).toEqual(['another']);
  });

  it('is the only one sent after the pause, and others after its response', async () => {
    const { fail, offer, answer, pass, ids } = await start();
    await fail(['a', 'b', 'c']);
    await pass(1_000);
    expect(await offer(eventOf('d'), eventOf('e'))).toEqual(['d']);
    await answer('d', sendResult(500));
    expect(ids().at(-1)).toBe('e');
  });

  it('is sent after forbidden attempts, which say nothing about the host', async () => {
    const { fail, offer } = await start();
    await fail(['a', 'b', 'c'], 'forbidden');
    expect(await offer(eventOf('d'), eventOf('e'))).toEqual(['d', 'e']);
  });

  it.each([
    ['a first attempt', {}, 9, false],
    ['a manual attempt', { is_resend: 1 }, 10, true],
    ['a test event', { kind: 'test' }, 10, true],
    ['the last attempt to a host that may recover', { attempts: 4 }, 9, true],
    ['the last attempt to a dead host', { attempts: 4 }, 10, false],
  ])('is sent or postponed: %s', async (_name, changes, failures, isSent) => {
    const { failTimes, offer, pass, records } = await start();
    await failTimes(failures);
    expect(await offer(eventOf('a', changes))).toEqual(isSent ? ['a'] : []);
    await pass(25);
    const state = 'attempts' in changes ? 'failed' : 'waiting';
    expect(records).toMatchObject(isSent ? [] : [{ result: postponed, state }]);
  });
});
