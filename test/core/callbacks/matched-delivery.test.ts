// The service's log says when an attempt began and how long it took; the callback, when it was received and answered.
import { describe, expect, test } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { matchAttempt, type MatchedCallback } from '#core/callbacks/matched-delivery.ts';

const startMs = Date.parse('2026-11-22T14:00:00.000Z');
const at = (ms: number) => new Date(startMs + ms).toISOString();

const attempt = (id: string, startedMs: number, latencyMs = 40): AppDelivery => ({
  id,
  eventId: 'evt_1',
  attempt: Number(id),
  kind: id === '1' ? 'first' : 'retry',
  startedAt: at(startedMs),
  latencyMs,
  httpStatus: 200,
  error: null,
  answer: '',
});

function received(ms: number, answeredAfterMs: number | null, more: Partial<MatchedCallback> = {}): MatchedCallback {
  const signedSeconds = Math.floor((startMs + ms) / 1000);
  return {
    receivedAt: startMs + ms,
    headers: [
      ['webhook-id', 'evt_1'],
      ['webhook-timestamp', String(signedSeconds)],
    ],
    isImported: false,
    outcome: { kind: 'answered', at: null, afterMs: answeredAfterMs, bytesSent: null },
    ...more,
  };
}

const match = (callback: MatchedCallback, attempts: AppDelivery[], aheadMs = 0, taken: string[] = []) =>
  matchAttempt(callback, attempts, { aheadMs, isTaken: (id) => taken.includes(id) });

describe('the delivery attempt of a callback', () => {
  test('arrives between its start and its response, however the clocks differ', () => {
    const attempts = [attempt('1', 0, 31)];
    // Clocks that seem 35 ms apart made it arrive 4 ms after its own response.
    expect(match(received(0, 3), attempts, 35)).toMatchObject({ arrivedAfterMs: 28 });
    expect(match(received(0, 3), attempts, -20)).toMatchObject({ arrivedAfterMs: 0 });
    expect(match(received(12, 3), attempts)).toMatchObject({ arrivedAfterMs: 12 });
  });

  test('is the one that was signed at this time, not the nearest start by clocks that differ', () => {
    const attempts = [attempt('2', 30_000, 40), attempt('1', 0, 40)];
    expect(match(received(30_010, 3), attempts)).toMatchObject({ attempt: { id: '2' }, isCopy: false });
    expect(match(received(10, 3), attempts)).toMatchObject({ attempt: { id: '1' }, isCopy: false });
  });

  test('is unknown while only an earlier attempt is in the log', () => {
    expect(match(received(30_010, 3), [attempt('1', 0, 40)])).toBeUndefined();
  });

  test('is repeated by a second callback with its signature, by a late one, and by a replay', () => {
    const attempts = [attempt('1', 0, 40)];
    expect(match(received(10, 3), attempts, 0, ['1'])).toMatchObject({ isCopy: true, arrivedAfterMs: null });
    const late = received(10, 3, { receivedAt: startMs + 600_000 });
    expect(match(late, attempts)).toMatchObject({ isCopy: true, arrivedAfterMs: null });
    const { headers } = received(10, 3);
    const replay = received(10, 3, { headers: [...headers, ['x-rainbell-replay', '1']] });
    expect(match(replay, attempts)).toMatchObject({ isCopy: true });
  });

  test('has no arrival if the clock of the service was moved before the log was read', () => {
    expect(match(received(10, 3), [attempt('1', 0, 40)], -7_200_000)).toMatchObject({
      attempt: { id: '1' },
      arrivedAfterMs: null,
      isCopy: false,
    });
  });
});

describe('the attempt of a callback', () => {
  const recordOf = (
    receivedMs: number,
    attempts: AppDelivery[],
    {
      signedMs,
      aheadMs = 0,
      taken = '',
      isImported = false,
      afterMs = 0,
      headers = [],
    }: {
      signedMs?: number;
      aheadMs?: number;
      taken?: string;
      isImported?: boolean;
      afterMs?: number | null;
      headers?: [string, string][];
    } = {},
  ) => {
    const record = matchAttempt(
      {
        headers: [
          ['Webhook-Id', 'evt_1'],
          ...(signedMs === undefined
            ? []
            : [['webhook-timestamp', String((startMs + signedMs) / 1000)] as [string, string]]),
          ...headers,
        ],
        receivedAt: startMs + receivedMs,
        isImported,
        outcome: { kind: 'answered', at: null, afterMs, bytesSent: null },
      },
      attempts,
      { aheadMs, isTaken: (id) => id === taken },
    );
    return record && [record.attempt.id, record.arrivedAfterMs, record.isCopy];
  };

  test.each<[string, Parameters<typeof recordOf>, ReturnType<typeof recordOf>]>([
    ['within its time', [30, [attempt('1', 0)]], ['1', 30, false]],
    ['of another event', [30, [{ ...attempt('1', 0), eventId: 'evt_2' }]], undefined],
    ['2.5 s before it by clocks that differ', [-2500, [attempt('1', 0)]], ['1', 0, false]],
    ['longer before it', [-2501, [attempt('1', 0)]], undefined],
    ['2.5 s after it', [2540, [attempt('1', 0)]], ['1', 40, false]],
    ['longer after it', [2541, [attempt('1', 0)]], undefined],
    ['signed 2.5 s after its start', [30, [attempt('1', 0)], { signedMs: 2500 }], ['1', 30, false]],
    ['signed later', [30, [attempt('1', 0)], { signedMs: 2501 }], undefined],
    ['signed 2.5 s before', [30, [attempt('1', 0)], { signedMs: -2500 }], ['1', 30, false]],
    ['signed earlier', [30, [attempt('1', 0)], { signedMs: -2501 }], undefined],
    ['nearest to its start', [1000, [attempt('1', 0), attempt('2', 900), attempt('3', 2000)]], ['2', 40, false]],
    ['nearest before its start', [1000, [attempt('1', 0, 2000), attempt('2', 1300, 400)]], ['2', 0, false]],
    ['before the response was sent', [30, [attempt('1', 0)], { afterMs: 25 }], ['1', 15, false]],
    ['with a response that took longer than the attempt', [30, [attempt('1', 0)], { afterMs: 99 }], ['1', 0, false]],
    ['without a response', [30, [attempt('1', 0)], { afterMs: null }], ['1', 30, false]],
    ['by a clock that is ahead', [-1000, [attempt('1', 0)], { aheadMs: 1010 }], ['1', 10, false]],
    ['by a clock that was moved', [30, [attempt('1', 0)], { signedMs: 0, aheadMs: -2531 }], ['1', null, false]],
    ['by a clock that was moved a little', [30, [attempt('1', 0)], { signedMs: 0, aheadMs: -2530 }], ['1', 0, false]],
    ['that came before', [30, [attempt('1', 0)], { taken: '1' }], ['1', null, true]],
    ['long after its end', [2541, [attempt('1', 0)], { signedMs: 0 }], ['1', null, true]],
    ['an import', [30, [attempt('1', 0)], { isImported: true }], ['1', null, true]],
    [
      'an import of another time',
      [9e6, [attempt('2', 60_000), attempt('1', 0)], { isImported: true }],
      ['1', null, true],
    ],
    ['a replay', [30, [attempt('1', 0)], { headers: [['X-Rainbell-Replay', '1']] }], ['1', null, true]],
    [
      'a forward of another time',
      [9e6, [attempt('1', 0)], { headers: [['x-rainbell-forwarded', '1']] }],
      ['1', null, true],
    ],
    ['an import of an event that is not in the log', [30, [], { isImported: true }], undefined],
  ])('%s', (_, given, expected) => {
    expect(recordOf(...given)).toEqual(expected);
  });
});
