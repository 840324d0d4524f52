// How a sweep divides its cells, stops, repeats, and survives failures: without a database, on a clock that the test moves.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { latestPlausibleCheck, planCheck, Sweeper } from '#service/monitors/sweep/sweep.ts';
import type { WatchedCells } from '#service/monitors/sweep/watched-cells.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import type { Evidence } from '#service/weather/reading/reading.ts';

const startMs = Date.parse('2026-11-21T06:00:00Z');
const intervalMs = 3_600_000;

type Needs = ConstructorParameters<typeof Sweeper>[0];

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** `cell 0` at latitude 0, `cell 1` at latitude 1, and so on: all are due, and it rains in all. */
function watchCells(count: number, changes: Partial<Needs> = {}) {
  const clock = createManualClock(startMs);
  // A monotonic clock starts anywhere.
  clock.advance(7);
  const dueAt = new Map(Array.from({ length: count }, (_, index) => [`cell ${index}`, 0]));
  const calls = {
    resetAfter: [] as unknown[],
    take: [] as number[],
    markDue: [] as unknown[],
    plan: [] as [cell: string, at: number][][],
    claim: [] as string[][],
    /** The order of batch requests and claims, with the number of cells. */
    order: [] as string[],
    looks: [] as number[],
  };
  const state = { markDue: async () => {} };
  const store: WatchedCells = {
    resetAfter: async (latest, now) => void calls.resetAfter.push([now, latest]),
    async take(now, limit) {
      calls.take.push(limit);
      const taken: string[] = [];
      for (const [cell, at] of dueAt) {
        if (taken.length === limit) break;
        if (at <= now) taken.push(cell);
      }
      for (const cell of taken) dueAt.delete(cell);
      return taken.map((cell) => ({ cell, latitude: Number(cell.slice(5)), longitude: 7 }));
    },
    openMonitors: async () => [],
    async plan(looks) {
      for (const { cell, at } of looks) dueAt.set(cell, at);
      calls.plan.push(looks.map(({ cell, at }) => [cell, at]));
    },
    async markDue(now, area) {
      calls.markDue.push([now, area]);
      await state.markDue();
      for (const cell of dueAt.keys()) dueAt.set(cell, now);
    },
  };
  const { precipitationAt = async () => ({ isPrecipitating: true }), ...others } = changes;
  const logged: { level: number; msg: string }[] = [];
  const watch = new Sweeper({
    clock,
    log: pino(
      { level: 'debug' },
      { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[0]) },
    ),
    store,
    intervalMs,
    precipitationAt(place) {
      calls.looks.push(place.lat);
      return precipitationAt(place);
    },
    prepare: async (places) => void calls.order.push(`prepare ${places.length}`),
    async claim(claimed) {
      calls.claim.push([...claimed]);
      calls.order.push(`claim ${claimed.length}`);
      return claimed.length;
    },
    ...others,
  });
  /** Lets time pass, and waits for the sweeps that it starts. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  const problems = () => logged.filter(({ level }) => level > 30).map(({ level, msg }) => [level, msg]);
  return { clock, watch, calls, dueAt, state, logged, problems, pass };
}

describe('a sweep of many cells', () => {
  it('takes 500 cells at first, 2,000 if the last ones took less than a second, and 500 again if not', async () => {
    const { clock, watch, calls } = watchCells(3_500, {
      async precipitationAt({ lat }) {
        clock.advance(
          new Map([
            [0, 999],
            [500, 1_000],
            [2_500, 1_000],
            [3_000, 999],
          ]).get(lat) ?? 0,
        );
        return { isPrecipitating: false };
      },
    });
    watch.wake();
    await settle();
    expect(calls.take).toEqual([500, 2_000, 500, 500, 2_000]);
    expect(calls.looks).toHaveLength(3_500);
  });

  it('requests the weather of up to 1,000 places together, and claims events after every 100', async () => {
    const { watch, calls } = watchCells(1_650);
    watch.wake();
    await settle();
    const claims = (count: number) => Array<string>(count).fill('claim 100');
    expect(calls.order).toEqual([
      'prepare 500',
      ...claims(5),
      'prepare 1000',
      ...claims(10),
      'prepare 150',
      'claim 100',
      'claim 50',
    ]);
    expect(new Set(calls.claim.flat()).size).toBe(1_650);
  });

  it('requests at most eight places at once', async () => {
    let open = 0;
    let most = 0;
    const { watch, calls } = watchCells(100, {
      async precipitationAt() {
        most = Math.max(most, (open += 1));
        await settle();
        open -= 1;
        return { isPrecipitating: false };
      },
    });
    await watch.sweepNow();
    expect(most).toBe(8);
    expect(calls.looks).toHaveLength(100);
  });

  it('gives back unchecked cells after 30 s, due since they were taken', async () => {
    const { clock, watch, calls } = watchCells(110, {
      async precipitationAt() {
        clock.advance(10_000);
        return { isPrecipitating: true };
      },
    });
    await watch.sweepNow();
    const takenAt = startMs + 7;
    const [first = []] = calls.plan;
    const checked = ['cell 0', 'cell 1', 'cell 2'];
    // An interval later, at a whole second.
    expect(first.filter(([, at]) => at > takenAt)).toEqual(
      checked.map((cell) => [cell, startMs + 30_000 + intervalMs]),
    );
    expect(first.filter(([, at]) => at === takenAt)).toHaveLength(107);
    expect(calls.claim.map(({ length }) => length)).toEqual([...Array<number>(36).fill(3), 2]);
    expect(calls.claim[0]).toEqual(checked);
    expect(calls.looks).toEqual(Array.from({ length: 110 }, (_, index) => index));
  });
});

describe('the watch', () => {
  it('sweeps once if it is woken twice, and again if it is woken during a sweep', async () => {
    const { watch, calls } = watchCells(1, {
      async precipitationAt() {
        watch.wake();
        watch.wake();
        return { isPrecipitating: false };
      },
    });
    watch.wake();
    watch.wake();
    await settle();
    const now = startMs + 7;
    // Plans more than 15 minutes or an interval away are wrong, apart from a tolerance of 2 s for the clocks of other processes.
    expect(calls.resetAfter).toEqual(Array(2).fill([now, now + intervalMs + 2_000]));
    expect(calls.looks).toEqual([0]);
  });

  it('sweeps an interval after the last sweep, whatever caused that', async () => {
    const { clock, watch, calls, pass } = watchCells(1);
    watch.wake();
    await pass(intervalMs - 1_000);
    expect(calls.markDue).toEqual([]);
    const area = { center: { lat: 0, lng: 7 }, radiusKm: 1 };
    await watch.sweepNow(area);
    expect(calls.markDue).toEqual([[clock.now(), area]]);
    clock.jump(-5_000);
    await settle();
    expect(calls.resetAfter).toHaveLength(3);
    await pass(intervalMs - 1);
    expect(calls.resetAfter).toHaveLength(3);
    await pass(1);
    expect(calls.resetAfter).toHaveLength(4);
    await pass(intervalMs);
    expect(calls.resetAfter).toHaveLength(5);
  });

  it('stops before the next cell when it is closed, and claims the events of those checked', async () => {
    const { clock, watch, calls, problems, pass } = watchCells(600, {
      async precipitationAt({ lat }) {
        if (lat === 2) closed = watch.close();
        return { isPrecipitating: true };
      },
    });
    let closed: Promise<void> | undefined;
    watch.wake();
    await settle();
    await closed;
    const checked = ['cell 0', 'cell 1', 'cell 2'];
    expect(calls.claim).toEqual([checked]);
    expect(calls.plan).toHaveLength(1);
    expect(calls.plan[0]?.filter(([, at]) => at > clock.now()).map(([cell]) => cell)).toEqual(checked);
    expect(calls.plan[0]).toHaveLength(500);
    expect(clock.timers()).toBe(0);

    watch.wake();
    await watch.sweepNow();
    clock.jump(intervalMs);
    await pass(2 * intervalMs);
    expect(calls.resetAfter).toHaveLength(1);
    expect(calls.take).toEqual([500]);
    expect(calls.markDue).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('ends only after its sweep', async () => {
    const weather = Promise.withResolvers<{ isPrecipitating: boolean }>();
    const { watch, calls } = watchCells(1, { precipitationAt: () => weather.promise });
    watch.wake();
    await settle();
    const plansAtEnd = watch.close().then(() => calls.plan.length);
    await settle();
    weather.resolve({ isPrecipitating: false });
    expect(await plansAtEnd).toBe(1);
  });

  it('checks due cells, and goes on, if others cannot be made due', async () => {
    const { clock, watch, calls, state, problems, pass } = watchCells(1);
    state.markDue = () => Promise.reject(new Error('the database is down'));
    await expect(watch.sweepNow()).rejects.toThrow('the database is down');
    expect(calls.looks).toEqual([0]);
    await pass(intervalMs);
    expect(calls.looks).toEqual([0, 0]);
    clock.jump(intervalMs);
    await settle();
    expect(problems()).toEqual([[50, 'the sweep after a clock jump failed']]);
    expect(calls.looks).toEqual([0, 0, 0]);
    state.markDue = async () => {};
    await watch.sweepNow();
    expect(calls.looks).toEqual([0, 0, 0, 0]);
    await watch.close();
  });

  it('claims, reports, logs, and plans what it saw, and remembers why a check failed', async () => {
    const place = { lat: 45, lng: 7 };
    const common = { kind: 'station', source: 'metar:LIMF', place, at: 0, countsAt: 0 } as const;
    const observed: Evidence[] = [{ ...common, isWet: true, text: '-RA' }];
    const trigger = { source: 'radar', at: 5 };
    const sightings: unknown[] = [];
    const claims: unknown[] = [];
    const { watch, calls, logged } = watchCells(4, {
      async precipitationAt({ lat }) {
        if (lat === 2) throw new Error('http 500');
        // As a careless dependency may.
        if (lat === 3) return Promise.reject('http 500' as unknown as Error);
        return { isPrecipitating: lat === 0, observed: lat === 1 ? [...observed] : [], ...(lat === 0 && { trigger }) };
      },
      async claim(cells, now, triggers) {
        claims.push([cells, now, [...triggers]]);
        return cells.length;
      },
      observe: async (...seen) => void sightings.push(seen),
    });
    const now = startMs + 7;
    await watch.sweepNow();
    expect(claims).toEqual([[['cell 0'], now, [['cell 0', trigger]]]]);
    const seen = { cell: 'cell 1', place: { lat: 1, lng: 7 }, isPrecipitating: false, observed: [...observed] };
    expect(sightings).toEqual([[[seen], now]]);
    const nextAt = startMs + intervalMs;
    expect(calls.plan).toEqual([[0, 1, 2, 3].map((index) => [`cell ${index}`, nextAt])]);
    expect(logged).toMatchObject([
      { level: 40, msg: 'no weather for a cell', cell: 'cell 2', reason: 'http 500' },
      { level: 40, msg: 'no weather for a cell', cell: 'cell 3', reason: 'unknown' },
      { level: 30, msg: 'precipitation near monitors', raining: 1, events: 1 },
    ]);
    // Nothing is reported if nothing was observed.
    observed.length = 0;
    await watch.sweepNow();
    expect(sightings).toHaveLength(1);
  });

  it('goes on if a batch, a claim, or the evidence fails', async () => {
    const fail = () => Promise.reject(new Error('no'));
    let isFailing = true;
    const { watch, calls, problems } = watchCells(1, {
      prepare: fail,
      observe: fail,
      claim: async () => (isFailing ? fail() : 0),
      precipitationAt: async ({ lat, lng }) => ({
        isPrecipitating: true,
        observed: [{ kind: 'station', source: 'x', place: { lat, lng }, at: 0, countsAt: 0, isWet: true, text: '' }],
      }),
    });
    await watch.sweepNow();
    const batch = [40, 'batch weather request failed; requesting each cell separately'];
    expect(problems()).toEqual([batch, [50, 'a sweep failed; trying again on the next one']]);
    // No process waits for the end of a lease.
    expect(calls.plan).toEqual([[['cell 0', startMs + 7]]]);
    isFailing = false;
    await watch.sweepNow();
    expect(problems().slice(2)).toEqual([batch, [40, 'evidence was not recorded']]);
    expect(calls.plan[1]).toEqual([['cell 0', startMs + intervalMs]]);
  });
});

it('plans the next check the interval later, later if the provider says so, and never after 15 minutes', () => {
  const now = 1_000_500;
  const plan = (isPrecipitating: boolean | null, nextUpdateAt: number | undefined, at: number, interval: number) =>
    planCheck({ isPrecipitating, nextUpdateAt }, at, interval);
  expect(plan(false, undefined, now, 300_000)).toBe(1_300_000);
  expect(plan(true, now + 400_000, now, 300_000)).toBe(now + 400_000);
  expect(plan(null, now + 400_000, now, 300_000)).toBe(1_300_000);
  expect(plan(false, 5, now, 300_000)).toBe(1_300_000);
  expect(plan(true, now + 900_001, now, 300_000)).toBe(now + 900_000);
  expect(plan(false, now + 900_000, now, 300_000)).toBe(now + 900_000);
  // An interval above 15 minutes is the limit itself.
  expect(plan(false, now * 9, now, 1_200_000)).toBe(now + 1_200_000);
  expect(latestPlausibleCheck(now, 300_000)).toBe(now + 900_000 + jumpMs);
  expect(latestPlausibleCheck(now, 1_200_000)).toBe(now + 1_200_000 + jumpMs);
});
