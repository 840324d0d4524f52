// What the timeline calculates: where its keys lead, its tracks, whose heights are worked out by hand, the nights, and round ticks.
import { describe, expect, it } from 'vitest';
import { timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { keyTarget } from '#renderer/features/forecast/timeline/timeline-keys.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { forecastOf, pointsOf, start, timed, hour } from './forecast-points.ts';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { nights, sunEvents, sunSamples } from '#renderer/features/forecast/common/nights.ts';
import { axisOf } from '#renderer/features/forecast/timeline/track-scales.ts';

describe('keys on the timeline', () => {
  // 0–2 sunny, 3–4 rainy, 5–53 sunny.
  const statuses = Array.from({ length: 54 }, (_, index) => (index === 3 || index === 4 ? 'rainy' : 'sunny'));
  const model = timelineModel(forecastOf(pointsOf(start, statuses)), zonedTimes('UTC'))!;

  it.each<[string, number, number, boolean?]>([
    ['ArrowLeft', 5, 4],
    ['ArrowDown', 5, 4],
    ['ArrowRight', 5, 6],
    ['ArrowUp', 5, 6],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 53, 53],
    ['ArrowRight', 0, 3, true],
    ['ArrowUp', 3, 5, true],
    ['ArrowUp', 5, 53, true],
    ['ArrowLeft', 4, 3, true],
    ['ArrowDown', 3, 0, true],
    ['ArrowLeft', 5, 3, true],
    ['ArrowLeft', 0, 0, true],
    ['ArrowLeft', 2, 0, true],
    ['PageDown', 1, 25],
    ['PageUp', 25, 1],
    ['PageUp', 3, 0],
    ['PageDown', 30, 53],
    ['PageDown', 29, 53],
    ['PageDown', 99, 99],
    ['Home', 5, 0],
    ['End', 5, 53],
  ])('%s leads from %i to %i', (key, from, to, isShift = false) => {
    expect(keyTarget(model, from, key, isShift)).toBe(to);
  });

  it('have no other function', () => {
    expect(keyTarget(model, 5, 'a', false)).toBeUndefined();
  });

  it('keep the hour of the day when the clocks change', () => {
    // In New York, 2026-11-01 has 25 hours, so 20:00 of the day before is 25 hours before 20:00.
    const newYork = zonedTimes('America/New_York');
    const from = Date.UTC(2026, 9, 31, 4);
    const around = timelineModel(
      forecastOf(
        pointsOf(
          from,
          Array.from({ length: 73 }, () => 'sunny'),
        ),
      ),
      newYork,
    )!;
    expect(keyTarget(around, 20, 'PageDown', false)).toBe(45);
    expect(keyTarget(around, 45, 'PageUp', false)).toBe(20);
  });
});

const layers = (...names: string[]) => new Set(names);

describe('the tracks of the timeline', () => {
  const measured = { temperature: 280, humidity: 50, pressure: 1_000, wind_speed: 1 };
  const all = timed(
    pointsOf(start, ['sunny', 'sunny'], (point, index) => ({ ...point, measured, sources: [`s${index}`] })),
  ).points;
  const everything = layers('temperature', 'humidity', 'pressure', 'precipitation', 'wind');

  it('share the height by their weights', () => {
    // 700 − (34 + 22 + 6) − 22 − 5 × 24 = 496, shared by 46, 20, 20, 29, and 25 of 140.
    expect(timelineLayout(all, { height: 700.9, shown: everything })).toEqual({
      icons: { top: 0, height: 34 },
      band: { top: 34, height: 22 },
      plots: {
        temperature: { top: 80, height: 162 },
        humidity: { top: 266, height: 70 },
        pressure: { top: 360, height: 70 },
        rain: { top: 454, height: 102 },
        wind: { top: 580, height: 88 },
      },
      axis: { top: 674, height: 22 },
      height: 696,
    });
  });

  const tracks = (height: number, shown = everything, of = all) =>
    Object.keys(timelineLayout(of, { height, shown }).plots);

  it('are dropped one after the other when the height gets short', () => {
    // 84 + 5 × (24 + 34) = 374; then four, and three tracks.
    expect(tracks(374)).toEqual(['temperature', 'humidity', 'pressure', 'rain', 'wind']);
    expect(tracks(373)).toEqual(['temperature', 'humidity', 'pressure', 'rain']);
    expect(tracks(316)).toContain('pressure');
    expect(tracks(315)).toEqual(['temperature', 'humidity', 'rain']);
    expect(tracks(258)).toContain('humidity');
    expect(tracks(257)).toEqual(['temperature', 'rain']);
    expect(timelineLayout(all, { height: 10, shown: everything })).toEqual(
      timelineLayout(all, { height: 240, shown: everything }),
    );
    expect(tracks(240, layers('wind'))).toEqual(['wind']);
    expect(tracks(560, layers())).toEqual([]);
  });

  it('are those that are selected and were sent', () => {
    for (const name of ['temperature', 'humidity', 'pressure', 'wind'])
      expect(tracks(700, layers(name))).toEqual([name]);
    const bare = timed(pointsOf(start, ['sunny'])).points;
    expect(tracks(700, everything, bare)).toEqual(['rain']);
  });
});

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

it.each<[number, number, number, number[]]>([
  [0, 10, 5, [0, 2, 4, 6, 8, 10]],
  [0, 10, 4, [0, 2.5, 5, 7.5, 10]],
  [1.2, 8.7, 4, [0, 2, 4, 6, 8, 10]],
  [-3, 3, 3, [-4, -2, 0, 2, 4]],
  [5, 5, 4, [5, 6]],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
  [0, 100, 0, [0, 100]],
  [0, 3, 1, [0, 5]],
])('an axis from %d to %d in at most %i steps has round ticks', (low, high, max, ticks) => {
  expect(axisOf(low, high, max)).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
});
