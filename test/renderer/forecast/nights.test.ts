// When the sun rises and sets between the hours of a forecast, and the nights in it.
import { describe, expect, it } from 'vitest';
import { nights, sunEvents, sunSamples } from '#renderer/features/forecast/common/nights.ts';
import { hour, pointsOf, start, timed } from './forecast-points.ts';

describe('the sun', () => {
  const sample = (hours: number, altitude: number) => ({ at: hours * hour, altitude });

  it('rises and sets where its altitude crosses the horizon', () => {
    const day = [sample(0, -10), sample(1, 10), sample(2, 10), sample(3, -30)];
    expect(sunEvents(day)).toEqual([
      { kind: 'rises', at: 0.5 * hour },
      { kind: 'sets', at: 2.25 * hour },
    ]);
    expect(nights(day, 4 * hour)).toEqual([
      { from: 0, until: 0.5 * hour },
      { from: 2.25 * hour, until: 4 * hour },
    ]);
    expect(sunEvents([sample(0, 0), sample(1, 10)])).toEqual([{ kind: 'rises', at: 0 }]);
    expect(sunEvents([sample(0, 10), sample(1, 0)])).toEqual([{ kind: 'sets', at: hour }]);
    expect(sunEvents([sample(0, -1), sample(3, 1)])).toEqual([{ kind: 'rises', at: 1.5 * hour }]);
    expect(sunEvents([sample(0, -1), sample(3.1, 1)])).toEqual([]);
    expect(nights([sample(0, -1), sample(3.1, 1)], 4 * hour)).toEqual([]);
    expect(nights([sample(0, -1), sample(5, -1)], 6 * hour)).toEqual([{ from: 0, until: 6 * hour }]);
    expect(nights([sample(0, 1), sample(1, 2)], 2 * hour)).toEqual([]);
    const some = timed(
      pointsOf(start, ['sunny', 'sunny'], (point, index) => (index === 0 ? point : { ...point, sunAltitude: null })),
    );
    expect(sunSamples(some.points)).toEqual([{ at: start, altitude: 10 }]);
  });
});
