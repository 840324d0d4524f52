// Which point a key on the timeline leads to.
import { describe, expect, it } from 'vitest';
import { timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { keyTarget } from '#renderer/features/forecast/timeline/timeline-keys.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { forecastOf, pointsOf, start } from './forecast-points.ts';

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
