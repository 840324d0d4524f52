// The cache of responses: its size, its count of hits, and builds that overlap a change.
import { performance } from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { createResponseCache } from '#service/weather/response/weather-response.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.parse('2026-11-21T06:30:20Z');
const build = async (answer: object = {}, isFinal = true, bytes = 2) => ({ answer, isFinal, bytes });

function start() {
  const clock = createManualClock(now);
  let machineMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => machineMs);
  return { clock, cache: createResponseCache<object>({ clock }), wait: (ms: number) => (machineMs += ms) };
}

describe('cached responses', () => {
  it('count as hits', async () => {
    const { cache } = start();
    await cache.get('a', build);
    expect(cache.hits()).toBe(0);
    cache.peek('b');
    cache.peek('a');
    await cache.get('a', build);
    expect(cache.hits()).toBe(2);
  });

  it('take at most 64 MiB, at 1.5 bytes for each of the plain response', async () => {
    const { cache } = start();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) await cache.get(key, () => build({}, true, 11_000_000));
    expect(keys.filter((key) => cache.peek(key) !== undefined)).toEqual(['b', 'c', 'd', 'e']);
  });

  it('that are final hold until the minute ends, however long the machine takes', async () => {
    const { cache, clock, wait } = start();
    await cache.get('a', build);
    wait(1_000_000);
    clock.advance(39_999);
    expect(cache.peek('a')).toBeDefined();
    clock.advance(1);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('that are not final hold for 200 ms by either clock, at most until the minute ends', async () => {
    for (const moveBy of ['clock', 'machine'] as const) {
      const { cache, clock, wait } = start();
      const move = (ms: number) => void (moveBy === 'clock' ? clock.advance(ms) : wait(ms));
      await cache.get('a', () => build({}, false));
      move(199);
      expect(cache.peek('a')).toBeDefined();
      move(1);
      expect(cache.peek('a')).toBeUndefined();
    }
    const { cache, clock } = start();
    clock.advance(39_900);
    await cache.get('a', () => build({}, false));
    clock.advance(100);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('do not hold before they were built, if the clock is set back', async () => {
    const { cache, clock } = start();
    await cache.get('a', build);
    clock.jump(-1);
    expect(cache.peek('a')).toBeUndefined();
    clock.jump(1);
    expect(cache.peek('a')).toBeDefined();
  });

  it('that are built during a change neither stay nor replace a later build', async () => {
    const { cache } = start();
    const finish: (() => void)[] = [];
    const [old, fresh, third] = [{}, {}, {}];
    const slowly = (answer: object) => () =>
      new Promise<Awaited<ReturnType<typeof build>>>((resolve) =>
        finish.push(() => resolve({ answer, isFinal: true, bytes: 2 })),
      );
    const before = cache.get('a', slowly(old));
    cache.clear();
    const after = cache.get('a', slowly(fresh));
    finish[0]?.();
    expect(await before).toBe(old);
    expect(cache.peek('a')).toBeUndefined();
    const joined = cache.get('a', slowly(third));
    finish[1]?.();
    expect(await joined).toBe(fresh);
    expect(await after).toBe(await joined);
    expect(cache.peek('a')).toBe(await after);
    expect(finish).toHaveLength(2);
  });
});
