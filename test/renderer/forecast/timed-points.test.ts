// The points of a forecast in time: their spans, gaps, and flaws, and the present time of the service.
import { describe, expect, it } from 'vitest';
import { groupNeighbors, isTouching, pointAt, timedForecast } from '#renderer/features/forecast/common/timed-points.ts';
import {
  dataAge,
  oldSince,
  pointNow,
  serviceNow,
  timelineModel,
} from '#renderer/features/forecast/common/timeline-model.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { forecastOf, hour, pointsOf, start, sunny, timed } from './forecast-points.ts';

describe('points in time', () => {
  const shifted = (offsets: readonly (number | null)[]) =>
    pointsOf(
      start,
      offsets.map(() => 'sunny'),
      (point, index) => {
        const offset = offsets[index];
        return {
          ...point,
          at: offset === null || offset === undefined ? null : new Date(start + offset * hour).toISOString(),
        };
      },
    );
  const spans = (offsets: readonly (number | null)[]) => {
    const found = timedForecast(shifted(offsets));
    return found && found.points.map(({ at, until }) => [(at - start) / hour, (until - start) / hour]);
  };
  const flags = (offsets: readonly (number | null)[]) => timedForecast(shifted(offsets))?.flags;

  it('have their spans, and gaps from 1.6 usual steps on', () => {
    expect(spans([])).toBeNull();
    expect(spans([null])).toBeNull();
    expect(spans([0])).toEqual([[0, 1]]);
    expect(spans([0, 1, 2.6, 3.6])).toEqual([
      [0, 1],
      [1, 2.6],
      [2.6, 3.6],
      [3.6, 4.6],
    ]);
    expect(spans([0, 1, 2.61, 3.61])?.[1]).toEqual([1, 2]);
    expect(spans([0, 2, 5, 7])?.at(-1)).toEqual([7, 9]);
    expect(timedForecast(shifted([1, 3]))).toMatchObject({ from: start + hour, to: start + 5 * hour });
  });

  it('have what is wrong with them counted', () => {
    expect(flags([0, 1, 2])).toEqual([]);
    expect(flags([0, null, 1])).toEqual(['1 point without a readable timestamp: not drawn']);
    expect(flags([1, 0, 2])).toEqual([]);
    expect(flags([0, 1, 1, 2])).toEqual(['1 point with the same time as another: not drawn']);
    expect(flags([0, 1, 2, 9])).toEqual(['1 gap between points: left empty']);
    const one = timed(shifted([0, 0]).map((point, index) => ({ ...point, status: `s${index}` })));
    expect(one.points.map(({ point }) => point.status)).toEqual(['s0']);
  });

  it('are found by a time', () => {
    const { points: some } = timed(shifted([0, 1, 2, 9]));
    const at = (hours: number) => pointAt(some, start + hours * hour);
    expect([-5, 0, 0.99, 1, 2.5, 3, 5, 6, 9.5, 99].map(at)).toEqual([0, 0, 0, 1, 2, 2, 2, 3, 3, 3]);
    expect(at(5.5)).toBe(2);
    expect(pointAt([], 0)).toBe(0);
    expect(groupNeighbors(some, isTouching).map((run) => run.length)).toEqual([3, 1]);
  });

  it('have the time since the fetch added to now', () => {
    const forecast = { ...forecastOf(pointsOf(start, ['sunny'])), fetchedAt: new Date(start + 5 * hour).toISOString() };
    expect(serviceNow(forecast, start + 6 * hour)).toBe(start + hour);
    expect(serviceNow(forecast, start + 4 * hour)).toBe(start);
    // The service's clock says that its first point is six hours old.
    const date = ['Date', 'Sat, 21 Nov 2026 06:00:00 GMT'] as [string, string];
    const old = { ...forecast, response: { ...forecast.response, headers: [date] } };
    expect(serviceNow(old, start + 6 * hour)).toBe(start + 7 * hour);
    expect(oldSince(old, start + 7 * hour)).toBe(start);
    expect(oldSince(forecast, start + hour)).toBeNull();
    const hours = forecastOf(pointsOf(start, ['sunny', 'rainy', 'foggy']));
    const model = timelineModel(hours, zonedTimes('UTC'));
    expect([0, 1.4, 1.6, 2.5].map((after) => pointNow(hours, model, start + after * hour)?.status)).toEqual([
      'sunny',
      'sunny',
      'rainy',
      'foggy',
    ]);
    // Also in parts of the screen that appeared later than others.
    expect([0, 4999, 5000].map((after) => dataAge(hours, start + hour + after).ageMs)).toEqual([
      hour,
      hour,
      hour + 5000,
    ]);
    expect(dataAge(forecast, start).ageMs).toBe(0);
    expect(serviceNow(forecastOf([]), 7)).toBe(7);
    expect(serviceNow(forecastOf([{ ...sunny, at: null }]), 7)).toBe(7);
  });
});
