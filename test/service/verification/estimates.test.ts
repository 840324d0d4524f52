import { describe, expect, it } from 'vitest';
import { estimateShare, medianOf } from '#service/verification/estimates.ts';

describe('share with its interval', () => {
  it('is undefined without cases, and no guess', () => {
    expect(estimateShare(0, 0)).toBeUndefined();
  });

  // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives %i of %i the interval that Newcombe published', (successes, count, low, high) => {
    const estimate = estimateShare(successes, count);
    expect(estimate?.low).toBeCloseTo(low, 4);
    expect(estimate?.high).toBeCloseTo(high, 4);
  });

  it('mirrors the interval for the complement', () => {
    expect(estimateShare(20, 20)).toEqual({ value: 1, low: expect.closeTo(1 - 0.1611, 4), high: 1 });
  });
});

it.each([
  [[], undefined],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %s', (values, median) => {
  expect(medianOf(values)).toBe(median);
});
