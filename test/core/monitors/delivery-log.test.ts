// What is read of a service's deliveries, and when the user is notified of a callback that fails.
import { describe, expect, test } from 'vitest';
import type { DeliveryStates, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createDeliveries } from '#core/monitors/deliveries.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import type { UserNotice } from '#core/ports/host.ts';
import { createManualClock } from '../manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 12);
const at = (ms: number) => new Date(now + ms).toISOString();

type Answer = { value?: unknown; headers?: [string, string][]; tookMs?: number } | Error;

function start() {
  const clock = createManualClock(now);
  const asked: unknown[] = [];
  const answers: Answer[] = [];
  const counts = { changed: 0, logRead: 0 };
  const noted: DeliveryStates[] = [];
  const connection = (id: string) =>
    ({
      id,
      api: {
        async call(call: unknown) {
          asked.push(call);
          const answer = answers.shift() ?? {};
          if (answer instanceof Error) throw answer;
          clock.advance(answer.tookMs ?? 0);
          return {
            status: 200,
            headers: answer.headers ?? [],
            request: { url: 'https://a.example/' },
            json: async () => ({ value: answer.value ?? {} }),
          };
        },
      },
    }) as unknown as Connection;
  const [one, other] = [connection('one'), connection('other')];
  const state = { active: one as Connection | undefined };
  const deliveries = createDeliveries({
    activeConnection: { present: () => state.active, current: async () => state.active ?? one } as never,
    clock,
    onChanged: () => (counts.changed += 1),
    onStates: (states) => void noted.push(states),
    onLogRead: () => (counts.logRead += 1),
  });
  return { clock, asked, answers, counts, noted, deliveries, state, one, other };
}

const status = (httpStatus: number) => new AppFailure('NOT_FOUND', '', { httpStatus });

const stateOf = (changes = {}) => ({
  monitor_id: 'precipitation_1',
  last_event_at: '2026-11-23T11:00:00',
  next_event_allowed_at: '2026-11-23T12:00:00.5',
  delivered: 1,
  failed: 2,
  failed_in_a_row: 3,
  is_on: false,
  off_since: '2026-11-23T11:30:00',
  off_reason: 'gone',
  created_at: '2026-11-22T00:00:00',
  recent_events: '..x',
  last_attempt: { started_at: '2026-11-23T11:00:01', attempt: 2, http_status: 503, error: 'http 503' },
  ...changes,
});
const statesOf = (meta: object | undefined, ...objects: object[]) => ({ objects, ...(meta ? { meta } : {}) });

describe('the delivery states', () => {
  test('are read as a whole', async () => {
    const { deliveries, answers, asked, noted, counts } = start();
    const meta = {
      now: '2026-11-23T12:00:10',
      plan: { name: 'Free', monitor_limit: 10 },
      extensions: ['nowcast', 'backtest'],
    };
    const bare = stateOf({
      monitor_id: 'precipitation_2',
      last_event_at: null,
      next_event_allowed_at: null,
      off_since: null,
      off_reason: null,
      created_at: undefined,
      recent_events: 'a'.repeat(201),
      last_attempt: undefined,
    });
    answers.push({ value: statesOf(meta, stateOf(), bare), tookMs: 1000 });
    const states = await deliveries.states();
    expect(asked).toEqual([{ method: 'GET', path: '/v2/delivery/', isBackground: true }]);
    expect(states).toMatchObject({
      isAvailable: true,
      // Half a second passed since the request when the service read its clock.
      aheadMs: 9500,
      states: [
        {
          monitorId: 'precipitation_1',
          lastEventAt: '2026-11-23T11:00:00.000Z',
          nextAllowedAt: '2026-11-23T12:00:00.500Z',
          delivered: 1,
          failed: 2,
          failedInARow: 3,
          isOn: false,
          offSince: '2026-11-23T11:30:00.000Z',
          offReason: 'gone',
          createdAt: '2026-11-22T00:00:00.000Z',
          recentEvents: '..x',
          lastAttempt: { startedAt: '2026-11-23T11:00:01.000Z', attempt: 2, httpStatus: 503, error: 'http 503' },
        },
        {
          monitorId: 'precipitation_2',
          lastEventAt: null,
          nextAllowedAt: null,
          delivered: 1,
          failed: 2,
          failedInARow: 3,
          isOn: false,
          offSince: null,
          offReason: null,
          createdAt: null,
          recentEvents: '',
          lastAttempt: null,
        },
      ],
      plan: { name: 'Free', monitorLimit: 10 },
    });
    expect(noted).toEqual([states]);
    expect([counts, deliveries.hasDeliveryLog()]).toEqual([{ changed: 0, logRead: 1 }, true]);
  });

  test.each([
    [['nowcast'], true, false],
    [['backtest'], false, true],
    [[], false, false],
    [undefined, false, false],
    ['nonsense', false, false],
    [Array(101).fill('nowcast'), false, false],
    [['nowcast', 'a'.repeat(101)], false, false],
    [['nowcast', ...Array(98).fill('a'.repeat(100)), 'backtest'], true, true],
  ])('offer the extensions %j', async (extensions, hasRadarMinutes, hasBacktest) => {
    const { deliveries, answers } = start();
    answers.push({ value: statesOf({ extensions }) });
    expect(await deliveries.states()).toMatchObject({ hasRadarMinutes, hasBacktest, plan: null, states: [] });
  });

  test.each([
    ['of the body', { now: '2026-11-23T13:00:00' }, [['Date', 'Mon, 23 Nov 2026 14:00:00 GMT']], 3_600_000],
    ['of the header', {}, [['Date', 'Mon, 23 Nov 2026 14:00:00 GMT']], 7_200_000],
    ['of the header without meta', undefined, [['date', 'Mon, 23 Nov 2026 14:00:00 GMT']], 7_200_000],
    [
      'of the header, because the body’s is none',
      { now: 'soon' },
      [['Date', 'Mon, 23 Nov 2026 14:00:00 GMT']],
      7_200_000,
    ],
    ['that is unknown', {}, [['Date', 'soon']], 0],
    ['that is not sent', {}, [], 0],
  ] as const)('follow the time %s', async (_, meta, headers, aheadMs) => {
    const { deliveries, answers } = start();
    answers.push({ value: statesOf(meta), headers: headers.map(([name, value]) => [name, value]) });
    expect(await deliveries.states()).toMatchObject({
      aheadMs,
      hasRadarMinutes: false,
      hasBacktest: false,
      plan: null,
    });
  });

  test.each([404, 405, 501])('are not available where the service returns %i', async (httpStatus) => {
    const { deliveries, answers, noted, counts } = start();
    answers.push(status(httpStatus));
    expect(await deliveries.states()).toEqual({ isAvailable: false });
    expect([noted, deliveries.hasDeliveryLog(), counts.logRead]).toEqual([[{ isAvailable: false }], false, 0]);
  });

  test.each([status(500), status(403), new AppFailure('NETWORK', ''), new TypeError('bug')])(
    'fail with %s',
    async (error) => {
      const { deliveries, answers, noted } = start();
      answers.push(error);
      await expect(deliveries.states()).rejects.toBe(error);
      expect(noted).toEqual([]);
    },
  );

  test.each([
    [statesOf({}, stateOf({ last_event_at: 'soon' }))],
    [statesOf({}, stateOf({ last_attempt: { started_at: 'soon', attempt: 1, http_status: null, error: null } }))],
    [statesOf({}, { monitor_id: 1 })],
    [{}],
  ])('fail for what is none (%#)', async (value) => {
    const { deliveries, answers } = start();
    answers.push({ value });
    await expect(deliveries.states()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  test('are of one connection', async () => {
    const { deliveries, answers, counts, state, other } = start();
    answers.push({ value: statesOf({}) }, { value: statesOf({}) }, status(404));
    await deliveries.states();
    await deliveries.states();
    expect([deliveries.hasDeliveryLog(), counts.logRead]).toEqual([true, 1]);
    state.active = other;
    expect(deliveries.hasDeliveryLog()).toBe(false);
    await deliveries.states();
    expect([deliveries.hasDeliveryLog(), counts.logRead]).toEqual([false, 1]);
    answers.push({ value: statesOf({}) }, status(404));
    await deliveries.states();
    expect([deliveries.hasDeliveryLog(), counts.logRead]).toEqual([true, 2]);
    await deliveries.states();
    expect([deliveries.hasDeliveryLog(), counts.logRead]).toEqual([false, 3]);
    state.active = undefined;
    expect(deliveries.hasDeliveryLog()).toBe(false);
  });
});

const attempt = (id: string, eventId: string, startedAt: string, changes = {}) => ({
  id,
  monitor_id: 'precipitation_1',
  event_id: eventId,
  attempt: 1,
  kind: 'first',
  started_at: startedAt,
  latency_ms: 40,
  http_status: 204,
  error: null,
  answer: 'ok',
  ...changes,
});

describe('the delivery log of a monitor', () => {
  test('is read as a whole', async () => {
    const { deliveries, answers, asked, counts } = start();
    const objects = [attempt('2', 'evt_1', '2026-11-23T11:00:30', { attempt: 2, kind: 'retry', outcome: 'nonsense' })];
    answers.push({ value: { objects, meta: { verification: 'nonsense' } } });
    const { signal } = new AbortController();
    expect(await deliveries.logOf('a/b', { signal, isBackground: true })).toEqual({
      deliveries: [
        {
          id: '2',
          eventId: 'evt_1',
          attempt: 2,
          kind: 'retry',
          startedAt: '2026-11-23T11:00:30.000Z',
          latencyMs: 40,
          httpStatus: 204,
          error: null,
          answer: 'ok',
          outcome: null,
        },
      ],
      verification: null,
    });
    expect(asked).toEqual([{ method: 'GET', path: '/v2/monitors/a%2Fb/deliveries/', signal, isBackground: true }]);
    // Nothing is known of the service's clock yet.
    expect([deliveries.knownLog('a/b'), counts.logRead]).toEqual([undefined, 0]);
  });

  test('is known in this machine’s time, by the first attempt of each event', async () => {
    const { deliveries, answers, counts, state, other } = start();
    const log = {
      value: {
        objects: [
          attempt('9', 'test_1', '2026-11-23T12:59:00', { kind: 'test' }),
          attempt('3', 'evt_2', '2026-11-23T12:30:00'),
          attempt('2', 'evt_1', '2026-11-23T12:00:30', { attempt: 2, kind: 'retry' }),
          attempt('1', 'evt_1', '2026-11-23T12:00:00'),
        ],
      },
    };
    answers.push({ value: statesOf({ now: '2026-11-23T13:00:00' }) }, log, log, { value: { objects: [] } });
    await deliveries.states();
    expect(counts.logRead).toBe(1);
    expect(await deliveries.of('precipitation_1')).toHaveLength(4);
    expect(deliveries.knownLog('precipitation_1')).toEqual({
      events: new Map([
        ['evt_2', now - 1_800_000],
        ['evt_1', now - 3_600_000],
      ]),
      from: now - 3_600_000,
      to: now - 20_000,
    });
    expect(counts.logRead).toBe(2);
    await deliveries.of('precipitation_1');
    expect(counts.logRead).toBe(2);
    await deliveries.of('precipitation_1');
    expect(counts.logRead).toBe(3);
    expect(deliveries.knownLog('precipitation_1')).toEqual({ events: new Map(), from: now, to: now - 20_000 });
    expect(deliveries.knownLog('precipitation_2')).toBeUndefined();
    state.active = other;
    expect(deliveries.knownLog('precipitation_1')).toBeUndefined();
  });

  test('is unknown for a service that reports no states', async () => {
    const { deliveries, answers } = start();
    answers.push(status(404), { value: { objects: [] } });
    await deliveries.states();
    await deliveries.of('precipitation_1');
    expect(deliveries.knownLog('precipitation_1')).toBeUndefined();
  });

  test('is known of 500 monitors', async () => {
    const { deliveries, answers } = start();
    answers.push({ value: statesOf({}) });
    await deliveries.states();
    const readLog = (index: number) => {
      answers.push({ value: { objects: [] } });
      return deliveries.of(`precipitation_${index}`);
    };
    // oxlint-disable-next-line no-await-in-loop
    for (let index = 1; index <= 500; index += 1) await readLog(index);
    expect(deliveries.knownLog('precipitation_1')).toBeDefined();
    await readLog(501);
    expect(deliveries.knownLog('precipitation_1')).toBeUndefined();
    expect(deliveries.knownLog('precipitation_501')).toBeDefined();
  });
});

describe('a request about deliveries', () => {
  test('is sent to the monitor', async () => {
    const { deliveries, answers, asked, counts } = start();
    await deliveries.resend('a/b', 'evt/1');
    expect(counts.changed).toBe(1);
    answers.push({ value: { event_id: 'test_1' } });
    expect(await deliveries.sendTest('a/b')).toEqual({ event_id: 'test_1' });
    expect(counts.changed).toBe(2);
    await deliveries.turnOn('a/b');
    expect(counts.changed).toBe(3);
    answers.push(status(404));
    expect(await deliveries.explain('a/b', { isBackground: true })).toBeUndefined();
    answers.push(status(500));
    await expect(deliveries.explain('a/b')).rejects.toMatchObject({ details: { httpStatus: 500 } });
    expect(asked).toEqual([
      { method: 'POST', path: '/v2/monitors/a%2Fb/events/evt%2F1/resend/' },
      { method: 'POST', path: '/v2/monitors/a%2Fb/test-event/' },
      { method: 'PATCH', path: '/v2/monitors/a%2Fb/delivery/', json: { is_on: true } },
      { method: 'GET', path: '/v2/monitors/a%2Fb/explanation/', isBackground: true },
      { method: 'GET', path: '/v2/monitors/a%2Fb/explanation/' },
    ]);
    expect(counts).toEqual({ changed: 3, logRead: 0 });
  });
});

const minute = 60_000;

describe('the watch over deliveries', () => {
  const good: MonitorDelivery = {
    monitorId: 'precipitation_1',
    lastEventAt: null,
    nextAllowedAt: null,
    delivered: 0,
    failed: 0,
    failedInARow: 0,
    isOn: true,
    offSince: null,
    offReason: null,
    createdAt: null,
    recentEvents: '',
    lastAttempt: null,
  };
  const failing = { ...good, failedInARow: 2 };
  const off = { ...good, isOn: false };
  const answer = (...states: MonitorDelivery[]): DeliveryStates => ({
    isAvailable: true,
    aheadMs: 0,
    states,
    plan: null,
    hasRadarMinutes: false,
    hasBacktest: false,
  });

  function startWatch(frontSize: number | null = null) {
    const clock = createManualClock(now);
    const notices: UserNotice[] = [];
    const reads: number[] = [];
    const state = {
      connection: 'one',
      canLook: true,
      mayNotify: true,
      answer: answer(good) as DeliveryStates | Error,
      unwanted: '',
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
      tell: (states) => ({ states: states.filter(({ monitorId }) => monitorId !== state.unwanted), frontSize }),
      notify: (notice) => void notices.push(notice),
      clock,
    });
    const pass = async (minutes: number) => {
      for (let half = 0; half < minutes * 2; half += 1) {
        clock.advance(minute / 2);
        // oxlint-disable-next-line no-await-in-loop
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
    ['not of what is known from the start', [[failing, { ...off, monitorId: 'b' }], failing], [0, 0]],
    ['of one failure in a row: never', [good, { ...good, failedInARow: 1 }], [0, 0]],
    ['not of what is off and then fails', [off, failing], [0, 0]],
    ['of a monitor that is new and fails', [good, [good, { ...failing, monitorId: 'b' }]], [0, 1]],
    ['once in an hour of what fails on and off', [good, failing, good, failing, good], [0, 1, 0, 0, 0]],
    ['of what is switched off on and off', [good, off, good, off], [0, 1, 0, 1]],
  ])('notifies %s', (_, states, notices) => {
    expect(startWatch().after(...states)).toEqual(notices);
  });

  test('notifies again after an hour', () => {
    const { after, clock } = startWatch();
    expect(after(good, failing, good)).toEqual([0, 1, 0]);
    clock.advance(58 * minute - 1);
    expect(after(failing, good)).toEqual([0, 0]);
    expect(after(failing)).toEqual([1]);
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
    expect(after([off, { ...failing, monitorId: 'b' }])).toEqual([1]);
    expect(notices[0]).toMatchObject({ target: { kind: 'monitor', id: 'b' } });
  });

  const last = { startedAt: at(0), attempt: 1, httpStatus: null, error: null };
  test.each([
    [failing, /^\S.* precipitation_1 /, /^2 events/],
    [
      { ...failing, failedInARow: 7, lastAttempt: { ...last, httpStatus: 503 } },
      /precipitation_1/,
      /^7 events.*: 503\.$/,
    ],
    [{ ...failing, lastAttempt: { ...last, error: 'timeout' } }, /precipitation_1/, /^2 events.*: timeout\.$/],
    [{ ...failing, lastAttempt: last }, /precipitation_1/, /^2 events[^.]*\.$/],
    [{ ...failing, offReason: 'It is gone.' }, /precipitation_1/, /^2 events[^.]*\. It is gone\.$/],
    [{ ...off, offReason: 'It is gone.' }, /precipitation_1.*off$/, /^It is gone\. \S/],
    [off, /precipitation_1.*off$/, /^\S[^.]*\.$/],
    [{ ...off, monitorId: 'a\u202E' }, /a\\u202E/, /./],
  ])('describes one monitor (%#)', (state, title, body) => {
    const { after, notices } = startWatch();
    after(good, { ...good, monitorId: state.monitorId }, state);
    expect(notices).toEqual([
      {
        title: expect.stringMatching(title),
        body: expect.stringMatching(body),
        target: { kind: 'monitor', id: state.monitorId },
      },
    ]);
  });

  test.each([
    [null, /\b2 monitors\b/],
    [5, /\b2 of 5 monitors\b/],
  ])('describes several monitors of a front of %s', (frontSize, title) => {
    const { after, notices } = startWatch(frontSize);
    after(good, [failing, { ...off, monitorId: 'b' }]);
    expect(notices).toEqual([
      {
        title: expect.stringMatching(title),
        body: expect.stringMatching(/^precipitation_1\b.*\bb$/),
        target: { kind: 'monitor', id: 'precipitation_1' },
      },
    ]);
  });
});
