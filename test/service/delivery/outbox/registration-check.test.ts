// How long the check of a callback's host waits, and for how long its result is shared (docs/delivery.md S8).
import { describe, expect, it } from 'vitest';
import { createRegistrationCheck } from '#service/monitors/delivery/name-lookup.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

/** A guard whose lookups take `state.takesMs`, or end at the limit. */
function start() {
  const clock = createManualClock();
  const state = { takesMs: 0, problem: undefined as string | undefined };
  const lookups: [string, number | undefined][] = [];
  const guard = {
    async problem(uri: string, timeoutMs?: number) {
      lookups.push([uri, timeoutMs]);
      clock.advance(Math.min(state.takesMs, timeoutMs ?? 0));
      return state.problem;
    },
  };
  return { clock, state, lookups, check: createRegistrationCheck(guard, clock) };
}

describe('the check of a host', () => {
  it('is shared for 10 s by all URLs with its name and port', async () => {
    const { clock, state, lookups, check } = start();
    state.problem = 'is private';
    expect(await check('https://a.example/1')).toBe('is private');
    state.problem = undefined;
    clock.advance(9_999);
    expect(await check('https://a.example/2')).toBe('is private');
    expect(await check('https://a.example:8443/')).toBeUndefined();
    expect(await check('https://b.example/')).toBeUndefined();
    expect(lookups.map(([uri]) => uri)).toEqual([
      'https://a.example/1',
      'https://a.example:8443/',
      'https://b.example/',
    ]);
    clock.advance(1);
    expect(await check('https://a.example/3')).toBeUndefined();
    expect(lookups).toHaveLength(4);
  });

  it('waits up to 2 s, and 200 ms while the last lookup had no result in time', async () => {
    const { state, lookups, check } = start();
    const limitOf = async (takesMs: number, name: string) => {
      state.takesMs = takesMs;
      await check(`https://${name}.example/`);
      return lookups.at(-1)?.[1];
    };
    expect(await limitOf(1_999, 'a')).toBe(2_000);
    expect(await limitOf(2_000, 'b')).toBe(2_000);
    expect(await limitOf(200, 'c')).toBe(200);
    expect(await limitOf(199, 'd')).toBe(200);
    expect(await limitOf(0, 'e')).toBe(2_000);
  });

  it('is remembered for 1,000 hosts, without the oldest', async () => {
    const { lookups, clock, check } = start();
    const isLookedUp = async (name: string) => {
      const before = lookups.length;
      await check(`https://${name}.example/`);
      return lookups.length > before;
    };
    await isLookedUp('first');
    clock.advance(10_000);
    for (let index = 0; index < 998; index += 1) await isLookedUp(`host-${index}`);
    // A renewed check is new again.
    expect(await isLookedUp('first')).toBe(true);
    await isLookedUp('another');
    expect([await isLookedUp('host-0'), await isLookedUp('first')]).toEqual([false, false]);
    await isLookedUp('one-more');
    expect([await isLookedUp('first'), await isLookedUp('host-1')]).toEqual([false, false]);
    expect(await isLookedUp('host-0')).toBe(true);
  });
});
