import { describe, expect, it } from 'vitest';
import { estimateMedian, estimateShare } from '#service/verification/estimates.ts';

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
    expect(estimateShare(20, 20)).toEqual({ value: 1, low: expect.closeTo(1 - 0.1611, 4), high: 1, count: 20 });
  });
});

describe('median with its interval', () => {
  // Ranks of the 95% interval for a median: D. G. Altman et al., Statistics with Confidence, table 18.4.
  it.each([
    [6, 1, 6],
    [10, 2, 9],
    [20, 6, 15],
    [25, 8, 18],
    [50, 18, 33],
    [100, 40, 61],
  ])('of %i values lies between the ranks that Altman published', (count, low, high) => {
    const ranks = Array.from({ length: count }, (_, i) => count - i);
    expect(estimateMedian(ranks)).toEqual({ value: (count + 1) / 2, low, high, count });
  });

  it('takes all of a few values', () => {
    expect(estimateMedian([3, 1, 2])).toEqual({ value: 2, low: 1, high: 3, count: 3 });
    expect(estimateMedian([])).toBeUndefined();
  });

  it('of very many values stays finite', () => {
    const { low, high } = estimateMedian(Array.from({ length: 20_001 }, (_, i) => i)) ?? {};
    // Normal approximation: n/2 ± 1.96·√n/2.
    expect(low).toBeCloseTo(10_000 - 138.6, -1);
    expect(high).toBeCloseTo(10_000 + 138.6, -1);
  });
});
