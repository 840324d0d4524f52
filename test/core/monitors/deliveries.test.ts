// What is read of the delivery states of a service's monitors and of a monitor's delivery log, when they are unavailable or fail, and
// which requests about deliveries are sent: core's deliveries with two connections whose responses are the test's.
import { describe, expect, test } from 'vitest';
import type { DeliveryStates } from '#contract/app-rpc/monitors.ts';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createDeliveries } from '#core/monitors/deliveries.ts';
import { activeConnectionDouble, connectionDouble, responseDouble } from '../connection-double.ts';
import { createManualClock } from '../manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 12);

type Answer = { value?: unknown; tookMs?: number } | Error;

function start() {
  const clock = createManualClock(now);
  const asked: unknown[] = [];
  const answers: Answer[] = [];
  const counts = { changed: 0, logRead: 0 };
  const noted: DeliveryStates[] = [];
  const connection = (id: string) =>
    connectionDouble(id, {
      async respond(call) {
        asked.push(call);
        const answer = answers.shift() ?? {};
        if (answer instanceof Error) throw answer;
        clock.advance(answer.tookMs ?? 0);
        return responseDouble(answer);
      },
    });
  const [one, other] = [connection('one'), connection('other')];
  const state = { active: one as Connection | undefined };
  const deliveries = createDeliveries({
    activeConnection: activeConnectionDouble(() => state.active, one),
    clock,
    onChanged: () => (counts.changed += 1),
    onStates: (states) => void noted.push(states),
    onLogRead: () => (counts.logRead += 1),
  });
  return { clock, asked, answers, counts, noted, deliveries, state, one, other };
}

const status = (httpStatus: number) => new AppFailure('NOT_FOUND', '', { httpStatus });

const statesOf = (meta: object | undefined, ...objects: object[]) => ({ objects, ...(meta ? { meta } : {}) });

const stateOf = (changes = {}) => ({
  monitor_id: 'precipitation_1',
  last_event_at: '2026-11-23T11:00:00',
  next_event_allowed_at: '2026-11-23T12:00:00.5',
  failed_in_a_row: 3,
  is_on: false,
  off_since: '2026-11-23T11:30:00',
  off_reason: 'gone',
  created_at: '2026-11-22T00:00:00',
  last_attempt: { started_at: '2026-11-23T11:00:01', attempt: 2, http_status: 503, error: 'http 503' },
  ...changes,
});

describe('the delivery states', () => {
  test('are read as a whole', async () => {
    const { deliveries, answers, asked, noted, counts } = start();
    const meta = {
      now: '2026-11-23T12:00:10',
      plan: { name: 'Free', monitor_limit: 10 },
      extensions: ['nowcast', 'backtest'],
    };
    const rest = { last_event_at: null, next_event_allowed_at: null, created_at: undefined, last_attempt: undefined };
    const bare = stateOf({ monitor_id: 'precipitation_2', off_since: null, off_reason: null, ...rest });
    answers.push({ value: statesOf(meta, stateOf(), bare), tookMs: 1000 });
    const states = await deliveries.states();
    expect(asked).toEqual([{ method: 'GET', path: '/v2/delivery/', isBackground: true }]);
    expect(states).toMatchObject({
      isAvailable: true,
      // Half a second passed since the request when the service read its clock.
      aheadMs: 9500,
      states: [
        {
          monitor_id: 'precipitation_1',
          last_event_at: '2026-11-23T11:00:00.000Z',
          next_event_allowed_at: '2026-11-23T12:00:00.500Z',
          failed_in_a_row: 3,
          is_on: false,
          off_since: '2026-11-23T11:30:00.000Z',
          off_reason: 'gone',
          created_at: '2026-11-22T00:00:00.000Z',
          last_attempt: { started_at: '2026-11-23T11:00:01.000Z', attempt: 2, http_status: 503, error: 'http 503' },
        },
        { monitor_id: 'precipitation_2', last_event_at: null, created_at: null, last_attempt: null },
      ],
      plan: { name: 'Free', monitorLimit: 10 },
    });
    expect(noted).toEqual([states]);
    expect([counts, deliveries.hasDeliveryLog()]).toEqual([{ changed: 0, logRead: 1 }, true]);
  });

  test.each([
    [['nowcast'], true, false],
    [['backtest'], false, true],
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
    ['of the service', { now: '2026-11-23T13:00:00' }, 3_600_000],
    ['that is unknown', { now: 'soon' }, 0],
    ['that is not sent', {}, 0],
    ['of a list without meta', undefined, 0],
  ] as const)('follow the time %s', async (_, meta, aheadMs) => {
    const { deliveries, answers } = start();
    answers.push({ value: statesOf(meta) });
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
    state.active = undefined;
    expect(deliveries.hasDeliveryLog()).toBe(false);
  });
});

const attempt = (startedAt: string, changes = {}) => ({
  attempt: 1,
  kind: 'first',
  started_at: startedAt,
  latency_ms: 40,
  request: null,
  http_status: 204,
  error: null,
  answer: 'ok',
  ...changes,
});

const event = (id: string, attempts: object[]) => ({
  id,
  monitor_id: 'precipitation_1',
  type: 'precipitation',
  occurred_at: '2026-11-23T11:00:00',
  state: 'delivered',
  callback_uri: 'https://hooks.example/',
  host: 'hooks.example',
  episode_id: null,
  trigger: null,
  attempts,
  outcome: null,
});

const pageOf = (objects: object[], next: string | null = null) => ({ value: { objects, meta: { next } } });

describe('the delivery log of a monitor', () => {
  test('is read as a whole', async () => {
    const { deliveries, answers, asked, counts } = start();
    answers.push(pageOf([event('evt_1', [attempt('2026-11-23T11:00:30', { attempt: 2, kind: 'retry' })])]));
    const { signal } = new AbortController();
    expect(await deliveries.of('a/b', { signal, isBackground: true })).toEqual([
      {
        id: 'evt_1.2',
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
    ]);
    expect(asked).toEqual([{ method: 'GET', path: '/v2/events/?monitor=a%2Fb', signal, isBackground: true }]);
    // Nothing is known of the service's clock yet.
    expect([deliveries.knownLog('a/b'), counts.logRead]).toEqual([undefined, 0]);
  });

  test('is known in this machine’s time, by the first attempt of each event', async () => {
    const { deliveries, answers, counts, state, other } = start();
    const objects = [
      event('test_1', [attempt('2026-11-23T12:59:00', { kind: 'test' })]),
      event('evt_2', [attempt('2026-11-23T12:30:00')]),
      event('evt_1', [attempt('2026-11-23T12:00:00'), attempt('2026-11-23T12:00:30', { attempt: 2, kind: 'retry' })]),
    ];
    const log = pageOf(objects);
    answers.push({ value: statesOf({ now: '2026-11-23T13:00:00' }) }, log, log, pageOf([]));
    await deliveries.states();
    expect(counts.logRead).toBe(1);
    const read = await deliveries.of('precipitation_1');
    expect(read.map(({ id }) => id)).toEqual(['test_1.1', 'evt_2.1', 'evt_1.2', 'evt_1.1']);
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

  test('proves nothing of the events that a first page leaves out', async () => {
    const { deliveries, answers } = start();
    answers.push({ value: statesOf({}) }, pageOf([event('evt_2', [attempt('2026-11-23T11:00:00')])], '7'));
    await deliveries.states();
    await deliveries.of('precipitation_1');
    const { from = 0, to = 0 } = deliveries.knownLog('precipitation_1') ?? {};
    expect(from).toBeGreaterThan(to);
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
    await deliveries.setOn('a/b', true);
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
