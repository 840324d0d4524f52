// The service's log says when an attempt began and how long it took; the callback, when it was received and answered.
import { expect, test } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { matchAttempt } from '#core/callbacks/matched-delivery.ts';

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

type Options = {
  signedMs?: number;
  aheadMs?: number;
  taken?: string;
  isImported?: boolean;
  afterMs?: number | null;
  headers?: [string, string][];
};

const recordOf = (receivedMs: number, attempts: AppDelivery[], options: Options = {}) => {
  const { signedMs, aheadMs = 0, taken = '', isImported = false, afterMs = 0, headers = [] } = options;
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
  [
    'signed at its start, not nearest to the arrival',
    [1000, [attempt('1', 0), attempt('2', 900)], { signedMs: 0 }],
    ['1', 40, false],
  ],
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
])('finds the attempt of a callback: %s', (_, given, expected) => {
  expect(recordOf(...given)).toEqual(expected);
});
