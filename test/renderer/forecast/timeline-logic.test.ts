// What the timeline decides before it draws: days, runs, nights, sentences, keys. Times are fixed; zones are real ones.
import { describe, expect, it } from 'vitest';
import { isRefreshDue, nextRefreshAt } from '#renderer/features/forecast/common/auto-refresh.ts';
import { mergeRuns } from '#renderer/features/forecast/common/runs.ts';
import { hourTicks, midnights, zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { hour, pointsOf, start, timed } from './forecast-points.ts';

const utc = zonedTimes('UTC');

describe('days of a zone', () => {
  it('begin at the zone’s own midnight', () => {
    const days = midnights(zonedTimes('Asia/Kathmandu'), start, start + 48 * hour);
    expect(days.map(({ startsAt }) => new Date(startsAt).toISOString())).toEqual([
      '2026-11-21T18:15:00.000Z',
      '2026-11-22T18:15:00.000Z',
    ]);
  });

  it('have 23 hours when clocks go forward and 25 when they go back', () => {
    const rome = zonedTimes('Europe/Rome');
    const spring = midnights(rome, Date.parse('2026-03-28T12:00:00Z'), Date.parse('2026-03-30T12:00:00Z'));
    const autumn = midnights(rome, Date.parse('2026-10-24T12:00:00Z'), Date.parse('2026-10-26T12:00:00Z'));
    expect(spring.map(({ hours }) => hours)).toEqual([23, 24]);
    expect(autumn.map(({ hours }) => hours)).toEqual([25, 24]);
  });

  it('begin with their first minute if midnight itself is skipped', () => {
    const days = midnights(
      zonedTimes('Africa/Cairo'),
      Date.parse('2026-04-23T12:00:00Z'),
      Date.parse('2026-04-24T12:00:00Z'),
    );
    expect(days.map(({ startsAt }) => [zonedTimes('Africa/Cairo').dayClock(startsAt), startsAt])).toEqual([
      ['Fri 24 Apr, 01:00', Date.parse('2026-04-23T22:00:00Z')],
    ]);
  });

  it('mark a repeated hour on the axis once', () => {
    const ticks = hourTicks(
      zonedTimes('Europe/Rome'),
      Date.parse('2026-10-24T22:00:00Z'),
      Date.parse('2026-10-25T05:00:00Z'),
      2,
    );
    // 02 is at 00:00Z, and again at 01:00Z.
    expect(ticks.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['22:00', '00:00', '03:00', '05:00']);
  });

  it('never write midnight as 24:00', () => {
    expect(utc.clock(start)).toBe('00:00');
  });
});

it('a run calls a sunny night clear, and parts it from the day', () => {
  const { points } = timed(pointsOf(start, ['sunny', 'sunny'], (point, index) => ({ ...point, isDay: index === 1 })));
  expect(mergeRuns(points).map(({ label }) => label)).toEqual(['clear', 'sunny']);
});

describe('the automatic refresh', () => {
  const minute = 60_000;
  const after = (failures: number, code: 'SERVER' | 'RATE_LIMITED' | 'INVALID_INPUT', retryAfterSeconds?: number) =>
    nextRefreshAt(
      {
        state: 'failed',
        at: 0,
        failure: { code, message: '', details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds } },
      },
      failures,
    );

  it('is fetched again after ten minutes, and after failures with growing pauses', () => {
    expect(nextRefreshAt({ state: 'done', at: 5 }, 0)).toBe(10 * minute + 5);
    expect([1, 2, 3, 20].map((failures) => after(failures, 'SERVER'))).toEqual(
      [1, 2, 4, 30].map((minutes) => minutes * minute),
    );
  });

  it('is due again at once after the clock was set back', () => {
    const isDue = (now: number) => isRefreshDue({ state: 'done', at: 1_000_000 }, 0, now);
    expect(isDue(1_000_000 + 10 * minute - 1)).toBe(false);
    expect(isDue(1_000_000 + 10 * minute)).toBe(true);
    expect(isDue(999_999)).toBe(true);
  });

  it('waits for the service’s Retry-After, and forever if only the user can help', () => {
    expect(after(1, 'RATE_LIMITED', 300)).toBe(5 * minute);
    expect(after(1, 'INVALID_INPUT')).toBeUndefined();
  });
});
