// A budget of requests that processes share, and what is left of it.
import { describe, expect, it } from 'vitest';
import type { FleetCounters } from '#service/limits/fleet-counters.ts';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.parse('2026-11-21T06:00:20Z');
const minuteEnd = Date.parse('2026-11-21T06:01:00Z');
const hourEnd = Date.parse('2026-11-21T07:00:00Z');
const limits = [
  { seconds: 60, max: 2 },
  { seconds: 3_600, max: 5 },
];

/** Counts in memory what processes would count in one database. */
function startCounters() {
  const totals = new Map<string, number>();
  const added: [key: string, count: number, endsAt: number][] = [];
  let isAway = false;
  const counters: FleetCounters = {
    async add(key, count, endsAt) {
      added.push([key, count, endsAt]);
      if (isAway) return undefined;
      const total = (totals.get(key) ?? 0) + count;
      totals.set(key, total);
      return total;
    },
    addSince: async () => undefined,
    async read(key) {
      const used = isAway ? undefined : totals.get(key);
      return used === undefined ? undefined : { used, leftMs: 1 };
    },
    clear: () => {},
    forgetOld: async () => {},
  };
  return { counters, added, totals, leave: () => (isAway = true) };
}

describe('a budget of one process', () => {
  it('counts several requests at once, and none of those it rejects', async () => {
    const budget = createRequestBudget({ clock: createManualClock(now) }, 'host', limits);
    expect(await budget.take(3)).toEqual({ waitSeconds: 40 });
    expect(await budget.take(2)).toBeUndefined();
    expect(await budget.take(0)).toBeUndefined();
    expect(await budget.take()).toEqual({ waitSeconds: 40 });
  });

  it('says what is left of each limit, all of it in the next window', async () => {
    const clock = createManualClock(now);
    const budget = createRequestBudget({ clock }, 'host', limits);
    const left = async () => (await budget.left()).map((limit) => limit.left);
    expect(await budget.left()).toEqual([
      { name: 'host', seconds: 60, left: 2 },
      { name: 'host', seconds: 3_600, left: 5 },
    ]);
    await budget.take(2);
    expect(await left()).toEqual([0, 3]);
    clock.advance(39_999);
    expect(await left()).toEqual([0, 3]);
    clock.advance(1);
    expect(await left()).toEqual([2, 3]);
    clock.jump(-7_200_000);
    expect(await left()).toEqual([0, 3]);
  });
});

describe('a budget of several processes', () => {
  it('is spent together, and says what is left for all', async () => {
    const { counters, added } = startCounters();
    const clock = createManualClock(now);
    const [one, other] = [0, 1].map(() => createRequestBudget({ clock, counters }, 'host', limits));
    expect(await one?.take()).toBeUndefined();
    expect(added).toEqual([
      ['requests host 60', 1, minuteEnd],
      ['requests host 3600', 1, hourEnd],
    ]);
    expect(await other?.take()).toBeUndefined();
    expect(await other?.left()).toEqual([
      { name: 'host', seconds: 60, left: 0 },
      { name: 'host', seconds: 3_600, left: 3 },
    ]);
  });

  it('counts nothing if another process has spent it', async () => {
    const { counters, totals } = startCounters();
    const clock = createManualClock(now);
    const [one, other] = [0, 1].map(() => createRequestBudget({ clock, counters }, 'host', limits));
    await one?.take(2);
    expect(await other?.take()).toEqual({ waitSeconds: 40 });
    expect(Object.fromEntries(totals)).toEqual({ 'requests host 60': 2, 'requests host 3600': 2 });
    totals.clear();
    // Its own count is as before the rejection.
    expect(await other?.take(2)).toBeUndefined();
  });

  it('is never less than nothing', async () => {
    const { counters, totals } = startCounters();
    totals.set('requests host 60', 9);
    const budget = createRequestBudget({ clock: createManualClock(now), counters }, 'host', limits);
    expect((await budget.left())[0]?.left).toBe(0);
  });

  it('is that of each process while the counters are unavailable', async () => {
    const { counters, leave } = startCounters();
    const clock = createManualClock(now);
    const [one, other] = [0, 1].map(() => createRequestBudget({ clock, counters }, 'host', limits));
    leave();
    expect([await one?.take(2), await other?.take(2)]).toEqual([undefined, undefined]);
    expect(await other?.take()).toEqual({ waitSeconds: 40 });
    expect((await other?.left())?.map(({ left }) => left)).toEqual([0, 3]);
  });
});
