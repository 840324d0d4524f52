// How long a finished response is kept: to the end of its minute, a moment where something better may come, never over a change.
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

/** Builds that end when the test says. */
function slowBuilds() {
  const finish: (() => void)[] = [];
  const slowly = (answer: object) => () =>
    new Promise<Awaited<ReturnType<typeof build>>>((resolve) =>
      finish.push(() => resolve({ answer, isFinal: true, bytes: 2 })),
    );
  return { finish, slowly };
}

describe('cached responses', () => {
  it('are built once for everyone who asks, and count as hits', async () => {
    const { cache } = start();
    const { finish, slowly } = slowBuilds();
    const asked = Promise.all(Array.from({ length: 20 }, () => cache.get('a', slowly({}))));
    finish[0]?.();
    expect([new Set(await asked).size, finish.length, cache.hits()]).toEqual([1, 1, 0]);
    cache.peek('b');
    cache.peek('a');
    await cache.get('a', build);
    expect(cache.hits()).toBe(2);
  });

  it('are not kept if building them fails', async () => {
    const { cache } = start();
    await expect(cache.get('a', () => Promise.reject(new Error('no weather')))).rejects.toThrow('no weather');
    await expect(cache.get('a', build)).resolves.toBeDefined();
  });

  it('take at most 64 MiB, at 1.5 bytes for each of the plain response', async () => {
    const { cache } = start();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) await cache.get(key, () => build({}, true, 11_000_000));
    expect(keys.filter((key) => cache.peek(key) !== undefined)).toEqual(['b', 'c', 'd', 'e']);
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
});

describe('a change', () => {
  it('of all or of one key removes what is cached or being built, and leaves other keys', async () => {
    const { cache } = start();
    const { finish, slowly } = slowBuilds();
    await cache.get('a', build);
    const late = cache.get('b', slowly({}));
    cache.remove((key) => key === 'b');
    finish[0]?.();
    await late;
    expect([cache.peek('a') !== undefined, cache.peek('b')]).toEqual([true, undefined]);
    cache.clear();
    expect(cache.peek('a')).toBeUndefined();
  });

  it('during a build leaves it to its caller, without replacing a later build', async () => {
    const { cache } = start();
    const { finish, slowly } = slowBuilds();
    const [old, fresh, third] = [{}, {}, {}];
    const before = cache.get('a', slowly(old));
    cache.clear();
    const after = cache.get('a', slowly(fresh));
    finish[0]?.();
    expect(await before).toBe(old);
    expect(cache.peek('a')).toBeUndefined();
    const joined = cache.get('a', slowly(third));
    finish[1]?.();
    expect([await joined, await after]).toEqual([fresh, fresh]);
    expect(cache.peek('a')).toBe(fresh);
    expect(finish).toHaveLength(2);
  });
});
