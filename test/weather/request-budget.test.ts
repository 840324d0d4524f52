// We count our own requests, so that a free weather host never has to refuse us.
import { describe, expect, it } from 'vitest';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

describe('a budget of requests', () => {
  it('is spent by the minute and by the hour, says when it fills again, and counts no refusal', () => {
    const clock = createManualClock(Date.parse('2026-11-21T06:00:20Z'));
    const budget = createRequestBudget(clock, [
      { seconds: 60, most: 2 },
      { seconds: 3600, most: 3 },
    ]);
    expect([budget.take(), budget.take()]).toEqual([undefined, undefined]);
    expect(budget.take()).toEqual({ waitSeconds: 40 });
    clock.advance(40_000);
    expect(budget.take()).toBeUndefined();
    expect(budget.take()).toEqual({ waitSeconds: 59 * 60 });
    clock.advance(59 * 60_000);
    expect(budget.take()).toBeUndefined();
  });

  it('without limits is never spent', () => {
    const budget = createRequestBudget(createManualClock(), []);
    expect(Array.from({ length: 1000 }, () => budget.take()).every((spent) => spent === undefined)).toBe(true);
  });
});
