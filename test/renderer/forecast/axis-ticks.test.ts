// The ticks of an axis, worked out by hand.
import { expect, it } from 'vitest';
import { axisOf } from '#renderer/features/forecast/common/axis-ticks.ts';

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
