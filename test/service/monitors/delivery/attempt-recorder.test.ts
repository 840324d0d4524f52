// When results of attempts are written, in which groups, and what happens if the database is away (docs/delivery.md S13).
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createAttemptRecorder } from '#service/monitors/delivery/attempt-recorder.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const recordOf = (id: string) => ({ event: { id } }) as AttemptRecord;
const idsOf = (records: readonly AttemptRecord[]) => records.map(({ event }) => event.id).join(' ');
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

function start() {
  const clock = createManualClock();
  const state = { write: async () => {} };
  const tried: string[] = [];
  const done: string[] = [];
  const logged: string[] = [];
  const recorder = createAttemptRecorder({
    write: (records) => {
      tried.push(idsOf(records));
      return state.write();
    },
    onDone: (records) => void done.push(idsOf(records)),
    groupSize: 3,
    clock,
    log: pino({ level: 'error' }, { write: (line) => void logged.push(line) }),
  });
  const add = (...ids: string[]) => ids.forEach((id) => recorder.add(recordOf(id)));
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settle();
  }
  /** Writing from now on ends when the test says so. */
  function hold() {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    state.write = () => promise;
    return { resolve, reject };
  }
  return { clock, recorder, state, tried, done, logged, add, pass, hold };
}

const locked = Object.assign(new Error('database is locked'), { errcode: 5 });

describe('results are written', () => {
  it('25 ms after the first one, together', async () => {
    const { add, pass, tried, done } = start();
    add('a');
    await pass(24);
    add('b');
    expect(tried).toEqual([]);
    await pass(1);
    expect([tried, done]).toEqual([['a b'], ['a b']]);
    await pass(1_000);
    expect(tried).toEqual(['a b']);
  });

  it('at once if there are as many as a group holds', async () => {
    const { add, pass, tried } = start();
    add('a', 'b');
    expect(tried).toEqual([]);
    add('c');
    expect(tried).toEqual(['a b c']);
    await pass(0);
    // The timer of the first group does not end the next one early.
    await pass(20);
    add('d');
    await pass(24);
    expect(tried).toEqual(['a b c']);
    await pass(1);
    expect(tried).toEqual(['a b c', 'd']);
  });

  it('after those that are being written', async () => {
    const { add, pass, hold, tried, done } = start();
    const { resolve } = hold();
    add('a', 'b', 'c');
    add('d', 'e', 'f', 'g');
    await pass(1_000);
    expect([tried, done]).toEqual([['a b c'], []]);
    resolve();
    await pass(0);
    expect([tried, done]).toEqual([
      ['a b c', 'd e f g'],
      ['a b c', 'd e f g'],
    ]);
  });
});

describe('results that cannot be written', () => {
  it('are tried again every 250 ms for 30 s while the database may recover, and then the next ones are tried', async () => {
    const { state, add, pass, tried, done, logged } = start();
    state.write = () => Promise.reject(locked);
    add('a', 'b', 'c');
    await pass(0);
    await pass(249);
    expect(tried).toHaveLength(1);
    await pass(1);
    expect(tried).toHaveLength(2);
    for (let waited = 250; waited < 29_750; waited += 250) await pass(250);
    expect(done).toEqual([]);
    await pass(250);
    // 30 s after the first one, and every 250 ms before.
    expect([tried.length, done]).toEqual([121, ['a b c']]);
    expect(JSON.parse(logged.join())).toMatchObject({ events: 3, err: { message: 'database is locked' } });
    add('d');
    await pass(25);
    state.write = async () => {};
    await pass(250);
    expect([done, logged.length]).toEqual([['a b c', 'd'], 1]);
  });

  it('are given up at once if a retry cannot help', async () => {
    const { state, add, pass, tried, done, logged } = start();
    state.write = () => Promise.reject(new Error('a column is missing'));
    add('a');
    await pass(25);
    expect([tried, done]).toEqual([['a'], ['a']]);
    expect(logged.join()).toContain('a column is missing');
  });
});

describe('a shutdown', () => {
  it('waits for what is being written, and writes the rest at once', async () => {
    const { recorder, state, add, hold, tried, done } = start();
    const { resolve } = hold();
    add('a', 'b', 'c');
    add('d');
    let isFlushed = false;
    const flushed = recorder.flush().then(() => (isFlushed = true));
    await settle();
    expect([tried, isFlushed]).toEqual([['a b c'], false]);
    state.write = async () => {};
    resolve();
    await flushed;
    expect([tried, done]).toEqual([
      ['a b c', 'd'],
      ['a b c', 'd'],
    ]);
  });

  it('does not try again, and ends at once if there is nothing to write', async () => {
    const { recorder, state, add, tried, done, logged } = start();
    await recorder.flush();
    expect(tried).toEqual([]);
    state.write = () => Promise.reject(locked);
    add('a');
    await recorder.flush();
    expect([tried, done, logged.length]).toEqual([['a'], ['a'], 1]);
  });
});
