// The service's log says when an attempt began and how long it took; the callback, when it was received and answered.
import { describe, expect, test } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { matchAttempt, type MatchedCallback } from '#core/callbacks/matched-delivery.ts';

const startMs = Date.parse('2026-11-22T14:00:00.000Z');
const at = (ms: number) => new Date(startMs + ms).toISOString();

const attempt = (id: string, startedMs: number, latencyMs: number): AppDelivery => ({
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
    receivedAt: at(ms),
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
    const late = received(10, 3, { receivedAt: at(600_000) });
    expect(match(late, attempts)).toMatchObject({ isCopy: true, arrivedAfterMs: null });
    const replay = received(10, 3);
    replay.headers = [...replay.headers, ['x-rainbell-replay', '1']];
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
