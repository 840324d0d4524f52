// How many attempts run at once, what a process takes and holds, and how it ends (docs/delivery.md S12 to S14), without a database or network.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import { Delivery } from '#service/monitors/delivery/deliver.ts';
import type { FullLine, Outbox } from '#service/monitors/delivery/outbox.ts';
import type { SendResult } from '#service/monitors/delivery/send-callback.ts';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-21T06:00:00Z');

/** An event on a host of its own. */
function waitingEvent(id: string, changes: Partial<WaitingEvent> = {}): WaitingEvent {
  return {
    id,
    monitor_id: `monitor of ${id}`,
    application_id: 'app',
    kind: 'precipitation',
    occurred_at: startMs,
    triggered_by: null,
    callback_uri: `https://${id}.example/hook`,
    is_guarded: 0,
    host: `https://${id}.example`,
    body: `{"id":"${id}"}`,
    attempts: 0,
    is_resend: 0,
    account_id: changes.application_id ?? 'app',
    ...changes,
  };
}

const many = (count: number, changes: Partial<WaitingEvent> = {}) =>
  Array.from({ length: count }, (_, index) => waitingEvent(`e${index}`, changes));

function sendResult(status: number | null, changes: Partial<SendResult> = {}): SendResult {
  const error = status === null ? 'timeout' : status < 300 ? null : `http ${status}`;
  return { status, error, latencyMs: 12, answer: '', retryAfterSeconds: undefined, ...changes };
}

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** The test decides what is due, and how and when each send ends. */
async function start(due: WaitingEvent[] = [], options: Partial<ConstructorParameters<typeof Delivery>[0]> = {}) {
  const clock = createManualClock(startMs);
  const records: AttemptRecord[] = [];
  const state = {
    due,
    claimed: { count: 0, held: [] as WaitingEvent[] },
    record: async (written: readonly AttemptRecord[]) => void records.push(...written),
    secrets: async () => [`whsec_${'A'.repeat(32)}`],
  };
  const calls = {
    take: [] as { after: number; limit: number; full: readonly FullLine[] }[],
    claim: [] as unknown[],
    hold: [] as (readonly string[])[],
    release: [] as (readonly string[])[],
    expire: [] as number[],
    replan: [] as number[],
    closed: 0,
  };
  const logged: string[] = [];
  const sent: string[] = [];
  const open = new Map<string, (result: SendResult) => void>();
  const outbox: Outbox = {
    async claim(_cells, _now, { room, onHeld } = {}) {
      calls.claim.push(room);
      onHeld?.(state.claimed.held);
      return state.claimed.count;
    },
    async take(now, limit, full) {
      calls.take.push({ after: now - startMs, limit, full });
      const isFull = ({ application_id, host }: WaitingEvent) =>
        full.some((line) => line.application_id === application_id && (line.host ?? host) === host);
      const taken = state.due.filter((event) => !isFull(event)).slice(0, limit);
      const ids = new Set(taken.map(({ id }) => id));
      state.due = state.due.filter(({ id }) => !ids.has(id));
      return taken;
    },
    hold: async (ids) => void calls.hold.push(ids),
    release: async (ids) => void calls.release.push(ids),
    expire: async (now) => void calls.expire.push(now - startMs),
    replan: async (now) => void calls.replan.push(now() - startMs),
    record: (written) => state.record(written),
  };
  const delivery = new Delivery({
    clock,
    machineClock: clock,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    outbox,
    sender: {
      send(_uri, _body, { 'webhook-id': id }) {
        sent.push(id);
        return new Promise((resolve) => void open.set(id, resolve));
      },
      async close() {
        calls.closed += 1;
        for (const end of open.values()) end(sendResult(null, { error: 'aborted' }));
        open.clear();
      },
    },
    secrets: { activeFor: () => state.secrets() },
    credentialsOf: async () => undefined,
    addressOf: (host) => host,
    rules: { retries: 4, timeoutMs: 10_000, random: () => 0.5 },
    ...options,
  });
  /** Ends sends that are open, all with the same result. */
  async function answer(ids: Iterable<string>, result = sendResult(200)): Promise<void> {
    for (const id of ids) {
      const end = open.get(id);
      open.delete(id);
      end?.(result);
    }
    await settle();
  }
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settle();
  }
  /** Makes events due, and returns the IDs that are then sent. */
  async function offer(...events: WaitingEvent[]): Promise<string[]> {
    const before = sent.length;
    state.due.push(...events);
    delivery.wake();
    await settle();
    return sent.slice(before);
  }
  await settle();
  return { clock, delivery, outbox, state, calls, records, logged, sent, open, answer, pass, offer };
}

describe('an attempt', () => {
  it.each([
    ['the last one', { attempts: 4 }, 'failed', undefined],
    ['one after which the next would end after its hour', { occurred_at: startMs - 3_579_000 }, 'failed', undefined],
    ['one before', { occurred_at: startMs - 3_578_999 }, 'waiting', 9_000],
    ['a resend', { is_resend: 1 }, 'failed', undefined],
    ['a test event', { kind: 'test' }, 'failed', undefined],
  ] as const)(
    'that fails is stored with the next one, if there is one: %s',
    async (_which, changes, state, pauseMs) => {
      const event = waitingEvent('a', changes);
      const { records, answer, pass } = await start([event]);
      const result = sendResult(500);
      await answer(['a'], result);
      await pass(25);
      const nextAttemptAt = pauseMs === undefined ? undefined : startMs + pauseMs;
      expect(records).toEqual([{ event, startedAt: startMs, result, state, nextAttemptAt }]);
    },
  );

  it('after an internal error is logged, and left to the next process that takes it', async () => {
    const { state, records, calls, logged, offer, pass } = await start();
    const { secrets } = state;
    state.secrets = () => Promise.reject(new Error('no key'));
    const event = waitingEvent('a');
    await offer(event);
    expect(JSON.parse(logged.join())).toMatchObject({ event: 'a', err: { message: 'no key' } });
    await pass(2_000);
    expect([records, calls.hold.at(-1)]).toEqual([[], []]);
    state.secrets = secrets;
    expect(await offer(event)).toEqual(['a']);
  });
});

describe('a process sends', () => {
  it('128 events at a time, others after 100 ms, and up to 2,048 slow ones of an account', async () => {
    const { offer, pass, sent } = await start();
    await offer(...many(2_100));
    await pass(99);
    expect(sent).toHaveLength(128);
    await pass(1);
    expect(sent).toHaveLength(256);
    for (let round = 0; round < 20; round += 1) await pass(125);
    expect(sent).toHaveLength(2_048);
    expect(await offer(waitingEvent('honest', { application_id: 'other' }))).toContain('honest');
  });

  it('no more while 200 results are not stored', async () => {
    const { state, offer, answer, open, sent } = await start();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    state.record = () => promise;
    await offer(...many(300));
    while (open.size > 0) await answer(open.keys());
    expect(sent).toHaveLength(200);
    resolve(undefined);
    await settle();
    expect(sent.length).toBeGreaterThan(200);
  });
});

describe('a process takes events', () => {
  it('at its start, when it is woken, and every 2 s, also after an error', async () => {
    const { calls, outbox, logged, offer, pass, sent } = await start();
    expect(calls.take[0]).toEqual({ after: 0, limit: 1_024, full: [] });
    expect(await offer(waitingEvent('a'))).toEqual(['a']);
    const before = calls.take.length;
    await pass(1_999);
    expect(calls.take).toHaveLength(before);
    await pass(1);
    expect(calls.take.at(-1)?.after).toBe(2_000);
    const { take } = outbox;
    outbox.take = () => Promise.reject(new Error('database is gone'));
    expect(await offer(waitingEvent('b'))).toEqual([]);
    expect(logged.join()).toContain('database is gone');
    outbox.take = take;
    await pass(2_000);
    expect(sent).toEqual(['a', 'b']);
  });

  it('again when it was woken during a query', async () => {
    const { outbox, state, delivery, sent } = await start();
    const { take } = outbox;
    const query = Promise.withResolvers<WaitingEvent[]>();
    outbox.take = () => query.promise;
    delivery.wake();
    await settle();
    delivery.wake();
    state.due.push(waitingEvent('a'));
    outbox.take = take;
    query.resolve([]);
    await settle();
    expect(sent).toEqual(['a']);
  });

  it('of a host with a long queue only once it is short', async () => {
    const { calls, delivery, offer, answer, open, pass } = await start();
    const before = calls.take.length;
    expect(await offer(...many(70, { host: 'a' }))).toHaveLength(4);
    expect(calls.take.slice(before)).toMatchObject([{ full: [] }]);
    delivery.wake();
    await pass(0);
    expect(calls.take.slice(before + 1)).toMatchObject([{ full: [{ application_id: 'app', host: 'a' }] }]);
    const answerOldest = () => answer([...open.keys()].slice(0, 1));
    for (let left = 66; left > 16; left -= 1) await answerOldest();
    expect(calls.take).toHaveLength(before + 2);
    await answerOldest();
    expect(calls.take.slice(before + 2)).toMatchObject([{ full: [] }]);
    // Nothing was left out, so finding nothing would read the whole backlog for nothing.
    await offer(...many(70, { host: 'b' }).map((event) => ({ ...event, id: `b${event.id}` })));
    const taken = calls.take.length;
    while (open.size > 0) await answer(open.keys());
    expect(calls.take).toHaveLength(taken);
  });

  it('up to 1,024 of an application, and more when fewer than 512 wait, but those of others at once', async () => {
    const limits = { fresh: 64, open: 128, perHost: 4, unrecorded: 100_000 };
    const { calls, delivery, state, sent, offer, answer, open, pass } = await start([], { limits });
    const before = calls.take.length;
    // 64 of the first group are sent, and 960 wait.
    expect(await offer(...many(3_000))).toHaveLength(64);
    expect(calls.take.slice(before).map(({ full }) => full)).toEqual([[], [{ application_id: 'app' }]]);
    state.due.push(waitingEvent('last', { application_id: 'other' }));
    delivery.wake();
    await pass(0);
    const answerOldest = () => answer([...open.keys()].slice(0, 1));
    await answerOldest();
    await answerOldest();
    expect(sent.at(-1)).toBe('last');
    const taken = calls.take.length;
    for (let left = 959; left > 512; left -= 1) await answerOldest();
    expect(calls.take).toHaveLength(taken);
    await answerOldest();
    expect(calls.take.slice(taken)[0]).toMatchObject({ full: [] });
  });

  it('that its own claim leases, as many as 16,384, and others through the outbox', async () => {
    const limits = { fresh: 1, open: 9, perHost: 4, unrecorded: 99 };
    let left = 0;
    const { delivery, state, calls, sent } = await start([], { limits, onLeft: () => (left += 1) });
    const takes = calls.take.length;
    const held = ['a', 'b', 'c'].map((id) => waitingEvent(id));
    state.claimed = { count: 3, held };
    expect(await delivery.claim(['cell'], 5)).toBe(3);
    await settle();
    expect([sent, left, calls.take.length]).toEqual([['a'], 0, takes]);
    state.claimed = { count: 2, held: [waitingEvent('d')] };
    await delivery.claim(['cell'], 6);
    await settle();
    expect([calls.claim, left, calls.take.length]).toEqual([[16_384, 16_382], 1, takes + 1]);
  });
});

it('a claim waits for corrections after a clock jump', async () => {
  const { delivery, outbox, calls, clock } = await start();
  const correction = Promise.withResolvers<void>();
  outbox.replan = () => correction.promise;
  clock.jump(-60_000);
  await settle();
  const claimed = delivery.claim([], 5);
  await settle();
  expect(calls.claim).toEqual([]);
  correction.resolve();
  await claimed;
  expect(calls.claim).toHaveLength(1);
});

describe('periodically a process', () => {
  it('renews the leases of all events that it has taken, every 2 s, and takes others even if that fails', async () => {
    const { calls, outbox, logged, pass, offer, answer } = await start();
    await offer(waitingEvent('a'), waitingEvent('b', { host: 'https://a.example', monitor_id: 'monitor of a' }));
    await pass(1_999);
    expect(calls.hold).toEqual([[]]);
    await pass(1);
    expect(calls.hold).toEqual([[], ['a', 'b']]);
    await answer(['a']);
    await pass(25);
    const { hold } = outbox;
    outbox.hold = () => Promise.reject(new Error('no database'));
    const takes = calls.take.length;
    await pass(1_975);
    expect(logged.join()).toContain('no database');
    expect(calls.take).toHaveLength(takes + 1);
    outbox.hold = hold;
    await pass(2_000);
    expect(calls.hold.at(-1)).toEqual(['b']);
  });

  it('expires events at its start, every 30 s, and after a clock jump', async () => {
    const { calls, clock, pass } = await start();
    for (let seconds = 0; seconds < 62; seconds += 2) await pass(2_000);
    expect(calls.expire).toEqual([0, 30_000, 60_000]);
    clock.jump(1_000_000);
    await pass(2_000);
    expect(calls.expire.at(-1)).toBe(1_064_000);
  });

  it('corrects scheduled times at its start, after an hour, and after a clock jump, even if that fails', async () => {
    const { calls, outbox, logged, clock, pass } = await start();
    await pass(hourMs - 1);
    expect(calls.replan).toEqual([0]);
    await pass(1);
    clock.jump(-5_000);
    await settle();
    expect(calls.replan).toEqual([0, hourMs, hourMs - 5_000]);
    // The hour starts again.
    await pass(1_000);
    const { replan } = outbox;
    outbox.replan = () => Promise.reject(new Error('no database'));
    const takes = calls.take.length;
    clock.jump(0);
    await settle();
    expect(logged.join()).toContain('no database');
    expect(calls.take).toHaveLength(takes + 1);
    outbox.replan = replan;
    await pass(hourMs - 1);
    expect(calls.replan).toHaveLength(3);
    await pass(1);
    expect(calls.replan).toHaveLength(4);
  });
});

describe('a process that closes', () => {
  it('releases waiting events at once, stores what ends in time, and aborts and releases the rest', async () => {
    const limits = { fresh: 2, open: 9, perHost: 4, unrecorded: 99 };
    const { delivery, calls, clock, records, answer, pass, sent } = await start(many(3), { limits });
    const closing = delivery.close(1_000);
    await settle();
    expect([calls.release, calls.closed]).toEqual([[['e2']], 0]);
    await answer(['e0']);
    await pass(999);
    expect(calls.closed).toBe(0);
    await pass(1);
    await closing;
    expect(records).toMatchObject([{ event: { id: 'e0' }, state: 'delivered' }]);
    expect([calls.release, calls.closed]).toEqual([[['e2'], ['e1', 'e2']], 1]);
    expect([sent, clock.timers()]).toEqual([['e0', 'e1'], 0]);
  });

  it('waits for nothing if nothing is sent, and does nothing afterward', async () => {
    const { delivery, calls, clock, pass, offer } = await start();
    await delivery.close(1_000);
    const count = () => [calls.take, calls.hold, calls.replan, calls.expire].map(({ length }) => length);
    const before = count();
    expect(await offer(waitingEvent('a'))).toEqual([]);
    clock.jump(60_000);
    await pass(2 * hourMs);
    expect([count(), clock.timers()]).toEqual([before, 0]);
    await delivery.claim(['cell'], 5);
    expect(calls.claim).toEqual([0]);
  });

  it('waits for a renewal of leases that is under way, because the database is closed next', async () => {
    const { delivery, outbox, pass } = await start();
    const renewal = Promise.withResolvers<void>();
    outbox.hold = () => renewal.promise;
    await pass(2_000);
    let isClosed = false;
    const closing = delivery.close(1_000).then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    renewal.resolve();
    await closing;
  });

  it('releases what a query returns meanwhile', async () => {
    const { delivery, outbox, calls, sent } = await start();
    const query = Promise.withResolvers<WaitingEvent[]>();
    outbox.take = () => query.promise;
    delivery.wake();
    await settle();
    const closing = delivery.close(1_000);
    query.resolve([waitingEvent('a')]);
    await closing;
    expect([sent, calls.release]).toEqual([[], [['a'], ['a']]]);
  });
});

describe('an event of a host that does not respond (docs/delivery.md S12)', () => {
  const host = 'https://a.example';
  const eventOf = (id: string, changes = {}) => waitingEvent(id, { host, ...changes });

  /** A host that failed so often in a row, each time after the pause. */
  async function startSilent(failures: number, error = 'timeout') {
    const started = await start();
    const fail = async (...ids: string[]) => {
      await started.offer(...ids.map((id) => eventOf(id)));
      await started.answer(ids, sendResult(null, { error }));
    };
    await fail('x1', 'x2', 'x3');
    for (let count = 4; count <= failures; count += 1) {
      await started.pass(60_000);
      await fail(`x${count}`);
    }
    await started.pass(25);
    // The pause is by the monotonic clock.
    started.clock.jump(60_000);
    started.records.length = 0;
    return started;
  }

  it('is the only one sent after the pause, and others after its response', async () => {
    const { offer, answer, pass, sent } = await startSilent(3);
    await pass(975);
    expect(await offer(eventOf('d'), eventOf('e'))).toEqual(['d']);
    await answer(['d'], sendResult(500));
    expect(sent.at(-1)).toBe('e');
  });

  it('is sent after forbidden attempts, which say nothing about the host', async () => {
    const { offer } = await startSilent(3, 'forbidden');
    expect(await offer(eventOf('d'), eventOf('e'))).toEqual(['d', 'e']);
  });

  it.each([
    ['a first attempt', {}, 3, 'waiting'],
    ['a manual attempt', { is_resend: 1 }, 10, undefined],
    ['a test event', { kind: 'test' }, 10, undefined],
    ['the last attempt to a host that may recover', { attempts: 4 }, 9, undefined],
    ['the last attempt to a dead host', { attempts: 4 }, 10, 'failed'],
  ])('is postponed, unless it is made by hand or the last one: %s', async (_name, changes, failures, state) => {
    const { offer, pass, records } = await startSilent(failures);
    expect(await offer(eventOf('a', changes))).toEqual(state === undefined ? ['a'] : []);
    await pass(25);
    const result = { status: null, error: 'host-silent', latencyMs: 0, answer: '', retryAfterSeconds: undefined };
    expect(records).toMatchObject(state === undefined ? [] : [{ result, state }]);
  });
});
