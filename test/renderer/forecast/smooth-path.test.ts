// The timeline's curves, compared with d3-shape's curveMonotoneX, whose shape they have.
import { curveMonotoneX, line } from 'd3-shape';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PathPoint, smoothLine } from '#renderer/features/forecast/timeline/smooth-path.ts';
import '#test/property-seed.ts';

const points = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -400, max: 400 })), {
    minLength: 3,
    maxLength: 40,
  })
  .map((steps) => steps.map(([, y], index): PathPoint => [sum(steps.slice(0, index + 1).map(([x]) => x)), y / 7]));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const numbers = (path: string) => [...path.matchAll(/-?\d+(\.\d+)?/g)].map(([text]) => Number(text));

describe('a smooth line', () => {
  it('follows d3’s monotone curve', () => {
    const oracle = line().curve(curveMonotoneX);
    fc.assert(
      fc.property(points, (path) => {
        const expected = numbers(oracle(path.map(([x, y]) => [x, y])) ?? '');
        const seen = numbers(smoothLine(path));
        expect(seen).toHaveLength(expected.length);
        expect(Math.max(...seen.map((value, index) => Math.abs(value - (expected[index] ?? NaN))))).toBeLessThan(0.002);
      }),
    );
  });

  it('is straight between two points, a dot at one, and nothing without', () => {
    expect(
      smoothLine([
        [0, 0],
        [3, 6],
      ]),
    ).toBe('M0,0C1,2,2,4,3,6');
    expect(smoothLine([[4, 5]])).toBe('M4,5Z');
    expect(smoothLine([])).toBe('');
  });
});
