// We count our own requests, so that a free weather host never has to refuse us.
import { describe, expect, it } from 'vitest';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

describe('a budget of requests', () => {
  it('is spent by the minute and by the hour, says when it fills again, and counts no refusal', async () => {
    const clock = createManualClock(Date.parse('2026-11-21T06:00:20Z'));
    const budget = createRequestBudget({ clock }, 'host', [
      { seconds: 60, max: 2 },
      { seconds: 3600, max: 3 },
    ]);
    expect([await budget.take(), await budget.take()]).toEqual([undefined, undefined]);
    expect(await budget.take()).toEqual({ waitSeconds: 40 });
    clock.advance(40_000);
    expect(await budget.take()).toBeUndefined();
    expect(await budget.take()).toEqual({ waitSeconds: 59 * 60 });
    clock.advance(59 * 60_000);
    expect(await budget.take()).toBeUndefined();
  });

  it('that is spent for the minute and the hour waits for the hour', async () => {
    const clock = createManualClock(Date.parse('2026-11-21T06:00:20Z'));
    const limits = [60, 3600].map((seconds) => ({ seconds, max: 1 }));
    const budget = createRequestBudget({ clock }, 'host', limits);
    expect(await budget.take()).toBeUndefined();
    expect(await budget.take()).toEqual({ waitSeconds: 3580 });
  });

  it('without limits is never spent', async () => {
    const budget = createRequestBudget({ clock: createManualClock() }, 'host', []);
    const taken = await Promise.all(Array.from({ length: 1000 }, () => budget.take()));
    expect(taken.every((spent) => spent === undefined)).toBe(true);
  });
});
