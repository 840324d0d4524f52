// What is read of the delivery states of a service's monitors, and when they are unavailable or fail.
import { describe, expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { startDeliveries as start, statesOf, status } from './scripted-deliveries.ts';

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
    ['of the body', { now: '2026-11-23T13:00:00' }, [['Date', 'Mon, 23 Nov 2026 14:00:00 GMT']], 3_600_000],
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
