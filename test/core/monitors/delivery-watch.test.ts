// When deliveries are read in the background, and when the user is notified of a callback that fails.
import { describe, expect, test } from 'vitest';
import type { DeliveryStates, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import type { UserNotice } from '#core/ports/host.ts';
import { createManualClock } from '../manual-clock.ts';
import { deliveryOf } from './monitor-delivery.ts';

const now = Date.UTC(2026, 10, 23, 12);
const minute = 60_000;

describe('the watch over deliveries', () => {
  const good = deliveryOf('precipitation_1');
  const failing = { ...good, failed_in_a_row: 2 };
  const off = { ...good, is_on: false };
  const answer = (...states: MonitorDelivery[]): DeliveryStates => ({
    isAvailable: true,
    aheadMs: 0,
    states,
    plan: null,
    hasRadarMinutes: false,
    hasBacktest: false,
  });

  function startWatch() {
    const clock = createManualClock(now);
    const notices: UserNotice[] = [];
    const reads: number[] = [];
    const state = {
      connection: 'one',
      canLook: true,
      mayNotify: true,
      answer: answer(good) as DeliveryStates | Error,
      unwanted: '',
      hosts: {} as Record<string, string>,
    };
    const watch = createDeliveryWatch({
      async readStates() {
        reads.push(clock.elapsed() / minute);
        if (state.answer instanceof Error) throw state.answer;
        return state.answer;
      },
      canLook: () => state.canLook,
      connectionId: () => state.connection,
      mayNotify: () => state.mayNotify,
      isQuiet: (monitorId) => monitorId === state.unwanted,
      callbackOf: (monitorId) => state.hosts[monitorId] && `https://${state.hosts[monitorId]}/hook`,
      notify: (notice) => void notices.push(notice),
      clock,
    });
    const pass = async (minutes: number) => {
      for (let half = 0; half < minutes * 2; half += 1) {
        clock.advance(minute / 2);
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    };
    /** How many notices each of these causes, one after the other, a minute apart. */
    const after = (...all: (MonitorDelivery | MonitorDelivery[])[]) =>
      all.map((one) => {
        const before = notices.length;
        watch.look(answer(...[one].flat()));
        clock.advance(minute);
        return notices.length - before;
      });
    return { clock, notices, reads, state, watch, pass, after };
  }

  test('reads each minute, and each five minutes without monitors', async () => {
    const { reads, pass, state, watch } = startWatch();
    await pass(3);
    expect(reads).toEqual([1, 2, 3]);
    state.answer = answer();
    await pass(11);
    expect(reads).toEqual([1, 2, 3, 4, 9, 14]);
    state.answer = { isAvailable: false };
    await pass(10);
    expect(reads.slice(6)).toEqual([19, 24]);
    watch.close();
    await pass(10);
    expect(reads).toHaveLength(8);
  });

  test('goes on after a failure, and reads nothing without need', async () => {
    const { reads, pass, state, watch, clock } = startWatch();
    state.answer = new Error('no');
    await pass(2);
    state.canLook = false;
    await pass(2);
    state.canLook = true;
    state.mayNotify = false;
    await pass(2);
    state.mayNotify = true;
    await pass(1);
    expect(reads).toEqual([1, 2, 7]);
    state.answer = answer(good);
    // A screen read them half a minute ago, and then a moment less ago.
    clock.advance(minute / 2);
    watch.look(answer(good));
    await pass(0.5);
    expect(reads).toEqual([1, 2, 7, 8]);
    clock.advance(minute / 2 + 1);
    watch.look(answer(good));
    clock.advance(minute / 2 - 1);
    await pass(0.5);
    expect(reads).toEqual([1, 2, 7, 8]);
    await pass(1);
    expect(reads).toHaveLength(5);
  });

  test('ends while it reads', async () => {
    const { reads, pass, watch, clock } = startWatch();
    clock.advance(minute);
    watch.close();
    await pass(5);
    expect(reads).toEqual([1]);
  });

  test.each<[string, (MonitorDelivery | MonitorDelivery[])[], number[]]>([
    ['of what gets worse', [good, failing, failing, off, off], [0, 1, 0, 1, 0]],
    ['not of what is known from the start', [[failing, { ...off, monitor_id: 'b' }], failing], [0, 0]],
    ['of one failed event: never', [good, { ...good, failed_in_a_row: 1 }], [0, 0]],
    ['not of what is off and then fails', [off, failing], [0, 0]],
    ['of a monitor that is new and fails', [good, [good, { ...failing, monitor_id: 'b' }]], [0, 1]],
    ['once in an hour of what fails on and off', [good, failing, good, failing, good], [0, 1, 0, 0, 0]],
    ['of what is switched off on and off', [good, off, good, off], [0, 1, 0, 1]],
  ])('notifies %s', (_, states, notices) => {
    expect(startWatch().after(...states)).toEqual(notices);
  });

  test('notifies again after an hour', () => {
    // It failed two minutes before the clock moves.
    for (const [ms, notified] of [
      [58 * minute - 1, 0],
      [58 * minute, 1],
    ] as const) {
      const { after, clock } = startWatch();
      expect(after(good, failing, good)).toEqual([0, 1, 0]);
      clock.advance(ms);
      expect(after(failing)).toEqual([notified]);
    }
  });

  test('compares the states of one connection', () => {
    const { after, state } = startWatch();
    expect(after(good)).toEqual([0]);
    state.connection = 'other';
    expect(after(failing)).toEqual([0]);
    state.connection = 'one';
    expect(after(failing, off)).toEqual([0, 1]);
  });

  test('notifies when quiet hours are over', () => {
    const { after, state } = startWatch();
    expect(after(good)).toEqual([0]);
    state.mayNotify = false;
    expect(after(failing, failing)).toEqual([0, 0]);
    state.mayNotify = true;
    expect(after(failing)).toEqual([1]);
  });

  test('leaves out what the user does not want to hear', () => {
    const { after, state, notices } = startWatch();
    state.unwanted = 'precipitation_1';
    expect(after(good, failing)).toEqual([0, 0]);
    expect(after([off, { ...failing, monitor_id: 'b' }])).toEqual([1]);
    expect(notices[0]).toMatchObject({ target: { kind: 'monitor', id: 'b' } });
  });

  const last = { started_at: new Date(now).toISOString(), attempt: 1, http_status: null, error: null };
  test.each([
    [failing, /^\S.* precipitation_1 /, /^2 events/],
    [
      { ...failing, failed_in_a_row: 7, last_attempt: { ...last, http_status: 503 } },
      /precipitation_1/,
      /^7 events.*: 503\.$/,
    ],
    [{ ...failing, last_attempt: { ...last, error: 'timeout' } }, /precipitation_1/, /^2 events.*: timeout\.$/],
    [{ ...off, off_reason: 'It is gone.' }, /precipitation_1.*off$/, /^It is gone\. \S/],
    [off, /precipitation_1.*off$/, /^\S[^.]*\.$/],
    [{ ...off, monitor_id: 'a\u202E' }, /a\\u202E/, /./],
  ])('describes one monitor (%#)', (state, title, body) => {
    const { after, notices } = startWatch();
    after(good, { ...good, monitor_id: state.monitor_id }, state);
    expect(notices).toEqual([
      {
        title: expect.stringMatching(title),
        body: expect.stringMatching(body),
        target: { kind: 'monitor', id: state.monitor_id },
      },
    ]);
  });

  const tried = { started_at: new Date(now).toISOString(), attempt: 1, http_status: 503, error: 'http 503' };
  const named = (count: number, changes: Partial<MonitorDelivery>, from = 0) =>
    Array.from({ length: count }, (_, index) => deliveryOf(`m${from + index}`, changes));

  test('reports a host once two of its events failed, with what else is in trouble, and new failures after an hour', () => {
    const { watch, clock, notices, state } = startWatch();
    state.hosts = { m0: 'a.example', m1: 'b.example', m2: 'b.example', m3: 'b.example', m4: 'b.example' };
    const look = (minutes: number, ...states: MonitorDelivery[]) => {
      watch.look(answer(...states));
      clock.advance(minutes * minute);
      return notices.length;
    };
    const failed = { failed_in_a_row: 1, last_attempt: tried };
    expect(look(20, ...named(5, {}))).toBe(0);
    // One failed event of a host is nothing yet, however long.
    expect(look(20, ...named(2, failed), ...named(3, {}, 2))).toBe(0);
    expect(look(1, ...named(3, failed), ...named(1, { last_attempt: tried }, 3), ...named(1, {}, 4))).toBe(1);
    expect(notices[0]).toMatchObject({
      title: 'Callbacks to b.example are failing: 3 monitors so far',
      body: 'Monitors: m1, m2, m3. Last response: 503.',
    });
    // Another one of the same host, after an hour.
    expect(look(1, ...named(4, failed), ...named(1, {}, 4))).toBe(1);
    expect(look(58, ...named(5, failed))).toBe(1);
    expect(look(1, ...named(5, failed))).toBe(2);
    expect(notices[1]?.title).toBe('Callbacks for m4 are failing');
  });

  test('reports ten monitors of one host at their first attempt, once, with the host', () => {
    const { watch, notices, state, after } = startWatch();
    state.hosts = Object.fromEntries(named(400, {}).map(({ monitor_id: id }) => [id, 'hooks.example']));
    after([...named(400, {})]);
    watch.look(answer(...named(9, { last_attempt: tried }), ...named(391, {}, 9)));
    expect(notices).toEqual([]);
    watch.look(answer(...named(10, { last_attempt: tried }), ...named(390, {}, 10)));
    watch.look(answer(...named(400, { last_attempt: tried })));
    expect(notices).toMatchObject([
      {
        title: 'Callbacks to hooks.example are failing: 10 monitors so far',
        body: 'Monitors: m0, m1, m2 and 7 more. Last response: 503.',
      },
    ]);
  });

  test.each([
    ['failing monitors', [failing, failing], /^Callbacks for 2 monitors are failing$/],
    ['monitors whose delivery is off', [off, off], /^Delivery for 2 monitors is off$/],
  ])('describes several %s', (_what, [first = good, second = good], title) => {
    const { after, notices } = startWatch();
    after(good, [first, { ...second, monitor_id: 'b' }]);
    expect(notices).toEqual([
      {
        title: expect.stringMatching(title),
        body: expect.stringMatching(/^precipitation_1\b.*\bb\b/),
        target: { kind: 'monitor', id: 'precipitation_1' },
      },
    ]);
  });
});
