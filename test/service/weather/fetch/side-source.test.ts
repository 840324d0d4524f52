// A source that adds to the forecast: how long it is waited for, when it rests, and what processes share. How often radar and airports
// are queried is in metar.test.ts and met-norway.test.ts.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createSideSource, type SideResult } from '#service/weather/fetch/side-source.ts';
import { QuotaUsedUp } from '#service/weather/reading/reading.ts';
import { createSharedLookups, type SharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore } from '#test/service/weather/memory-weather-store.ts';

const minute = 60_000;
const cell = { lat: 60, lng: 10 };
const key = 'radar 60.0,10.0';
const now = Date.parse('2026-11-21T06:00:00Z');

function start({ servesStale = false, isShared = false } = {}) {
  const clock = createManualClock(now);
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  const state = { requests: 0, respond: async (): Promise<SideResult<string>> => ({ value: '', freshForMs: 0 }) };
  state.respond = async () => ({ value: `of ${state.requests}`, freshForMs: 5 * minute });
  let isReadable: Promise<unknown> = Promise.resolve();
  const { store, stored } = memoryWeatherStore();
  const load: typeof store.load = (name, wanted) => isReadable.then(() => store.load(name, wanted));
  const released: string[] = [];
  const lookups: SharedLookups = {
    ...createSharedLookups(undefined, clock, clock),
    release: (_name, keys) => void released.push(...keys),
  };
  const source = createSideSource<string>({
    clock,
    machineClock: clock,
    health,
    shared: isShared ? { store: { ...store, load }, lookups } : undefined,
    name: 'radar',
    timeoutMs: 400,
    maxCells: 10,
    servesStale,
    async fetch() {
      state.requests += 1;
      return state.respond();
    },
  });
  const blockStore = () => void (isReadable = new Promise(() => {}));
  return { clock, health, source, state, stored, released, blockStore };
}

describe('a side source', () => {
  it('is queried once for many, and again if its value is from the future', async () => {
    const { source, state, clock } = start();
    expect(await Promise.all([source.near(cell), source.near(cell)])).toEqual(['of 1', 'of 1']);
    clock.jump(-1);
    expect(await source.near(cell)).toBe('of 2');
    expect(state.requests).toBe(2);
  });

  it('is waited for only briefly, and its late value is there for the next', async () => {
    const { source, clock, state } = start();
    let finish = (_value: SideResult<string>) => {};
    state.respond = () => new Promise((resolve) => (finish = resolve));
    const early = source.near(cell);
    await expect.poll(() => state.requests).toBe(1);
    clock.advance(400);
    expect(await early).toBeUndefined();
    finish({ value: 'late', freshForMs: minute });
    await expect.poll(() => source.near(cell)).toBe('late');
    expect(state.requests).toBe(1);
  });

  it.each([
    [true, 'of 1'],
    [false, undefined],
  ])('that fails rests, and serves stale values: %s', async (servesStale, expected) => {
    const { source, state, health, clock } = start({ servesStale });
    await source.near(cell);
    clock.advance(5 * minute);
    state.respond = () => Promise.reject(new Error('down'));
    expect(await source.near(cell)).toBe(expected);
    expect(health.restMs('radar')).toBe(10_000);
    expect([await source.near(cell), state.requests]).toEqual([expected, 2]);
    clock.advance(10_000);
    state.respond = async () => ({ value: 'new', freshForMs: minute });
    expect(await source.near(cell)).toBe('new');
    expect(health.failing('radar')).toBeUndefined();
  });
});

describe('processes with one store', () => {
  it('use each other’s values without a request while they are fresh, and store their own', async () => {
    const { source, state, clock, stored } = start({ isShared: true });
    const reading = { value: 'stored', fetchedAt: now - minute, freshForMs: 2 * minute };
    stored.set(key, reading);
    clock.advance(minute - 1);
    expect([await source.near(cell), state.requests]).toEqual(['stored', 0]);
    clock.advance(1);
    expect(await source.near(cell)).toBe('of 1');
    await expect
      .poll(() => stored.get(key))
      .toEqual({ value: 'of 1', fetchedAt: now + minute, freshForMs: 5 * minute });
  });

  it('release a cell that fails, or may not be requested', async () => {
    const [failing, denied] = [start({ isShared: true }), start({ isShared: true })];
    failing.state.respond = () => Promise.reject(new Error('down'));
    denied.state.respond = () => Promise.reject(new QuotaUsedUp('radar', 60));
    for (const { source, released } of [failing, denied]) {
      expect(await source.near(cell)).toBeUndefined();
      await expect.poll(() => released).toEqual(['60.0,10.0']);
    }
    // That no request is allowed is not a failure.
    expect(denied.health.restMs('radar')).toBe(0);
  });

  it('wait for a slow store a second, and then fetch', async () => {
    const { source, clock, blockStore, state } = start({ isShared: true });
    blockStore();
    const early = source.near(cell);
    clock.advance(999);
    expect([await early, state.requests]).toEqual([undefined, 0]);
    const next = source.near(cell);
    clock.advance(1);
    expect(await next).toBe('of 1');
  });
});
