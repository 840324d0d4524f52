// What is read of a monitor's delivery log, how much of it is known, and which requests about deliveries are sent.
import { describe, expect, test } from 'vitest';
import { now, startDeliveries as start, statesOf, status } from './scripted-deliveries.ts';

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
