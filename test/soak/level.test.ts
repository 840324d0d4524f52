// The soak's judgement is able to say no.
import { describe, expect, it } from 'vitest';
import { levelOf, median } from './level.ts';

const noise = { slack: 10, share: 0.1 };

describe('a quantity has levelled off', () => {
  it('when it grew in the first third only', () => {
    const values = [100, 200, 300, 400, 400, 401, 400, 399, 402];
    expect(levelOf(values, noise)).toEqual({ early: 400, late: 400, isLevel: true });
  });

  it('when it varies by no more than its noise', () => {
    expect(levelOf([50, 50, 50, 50, 50, 60, 60, 60, 60], noise).isLevel).toBe(true);
  });

  it('not when it goes on growing', () => {
    expect(levelOf([100, 120, 140, 160, 180, 200, 220, 240, 260], noise).isLevel).toBe(false);
  });

  it('not if there are too few samples', () => {
    expect(levelOf([1, 1, 1, 1, 1], noise).isLevel).toBe(false);
  });

  it('not when it was never measured', () => {
    expect(levelOf([], noise).isLevel).toBe(false);
  });
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
