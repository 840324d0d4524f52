// We count our own requests, so that a free weather host never has to refuse us.
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

const limits = [
  { seconds: 60, max: 2 },
  { seconds: 3_600, max: 3 },
];

describe('a budget of requests', () => {
  it('is spent by the minute and by the hour, and says when it fills again', async () => {
    const budget = createRequestBudget(undefined, 'host', limits);
    expect([await budget.take(), await budget.take()]).toEqual([undefined, undefined]);
    vi.advanceTimersByTime(20_000);
    expect(await budget.take()).toEqual({ waitSeconds: 40 });
    vi.advanceTimersByTime(40_000);
    expect(await budget.take()).toBeUndefined();
    expect(await budget.take()).toEqual({ waitSeconds: 59 * 60 });
    vi.advanceTimersByTime(59 * 60_000);
    expect(await budget.take()).toBeUndefined();
  });

  it('says what is left of each limit, all of it in the next window', async () => {
    const budget = createRequestBudget(undefined, 'host', limits);
    const left = async () => (await budget.left()).map((limit) => limit.left);
    expect(await budget.left()).toEqual([
      { name: 'host', seconds: 60, left: 2 },
      { name: 'host', seconds: 3_600, left: 3 },
    ]);
    await budget.take(2);
    expect(await left()).toEqual([0, 1]);
    vi.advanceTimersByTime(59_999);
    expect(await left()).toEqual([0, 1]);
    vi.advanceTimersByTime(1);
    expect(await left()).toEqual([2, 1]);
  });

  it('refuses more at once than are left, without a cost for the hour', async () => {
    const budget = createRequestBudget(undefined, 'host', limits);
    expect(await budget.take(3)).toEqual({ waitSeconds: 60 });
    expect((await budget.left())[1]?.left).toBe(3);
  });

  it('without limits is never spent', async () => {
    const budget = createRequestBudget(undefined, 'host', []);
    const taken = await Promise.all(Array.from({ length: 1000 }, () => budget.take()));
    expect(taken.every((spent) => spent === undefined)).toBe(true);
  });
});
