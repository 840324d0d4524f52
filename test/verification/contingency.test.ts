import { describe, expect, it } from 'vitest';
import { estimateMedian, estimateShare, scoreTable } from '#service/verification/contingency.ts';

describe('scores of a contingency table', () => {
  it('are those published for Finley’s tornado forecasts', () => {
    // https://www.cawcr.gov.au/projects/verification/Finley/Finley_Tornados.html: 28 hits, 72 false alarms, 23 misses.
    const { pod, far, csi } = scoreTable({ hits: 28, falseAlarms: 72, misses: 23 });
    expect(pod).toMatchObject({ value: expect.closeTo(0.549, 3), count: 51 });
    expect(far).toMatchObject({ value: expect.closeTo(0.72, 3), count: 100 });
    expect(csi).toMatchObject({ value: expect.closeTo(0.228, 3), count: 123 });
  });

  it('are undefined without cases, and no guess', () => {
    expect(scoreTable({ hits: 0, falseAlarms: 0, misses: 0 })).toEqual({
      pod: undefined,
      far: undefined,
      csi: undefined,
    });
    expect(scoreTable({ hits: 0, falseAlarms: 2, misses: 0 }).pod).toBeUndefined();
  });

  // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('give %i of %i the interval that Newcombe published', (successes, count, low, high) => {
    const estimate = estimateShare(successes, count);
    expect(estimate?.low).toBeCloseTo(low, 4);
    expect(estimate?.high).toBeCloseTo(high, 4);
  });

  it('mirror the interval for the complement', () => {
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
