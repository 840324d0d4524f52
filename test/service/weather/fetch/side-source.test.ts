// A source that adds to the forecast: when it is queried, how long its values hold, and what processes share.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createSideSource, type SideResult } from '#service/weather/fetch/side-source.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minute = 60_000;
const cell = { lat: 60, lng: 10 };
const elsewhere = { lat: 60, lng: 11 };
const now = Date.parse('2026-11-21T06:00:00Z');

type Options = {
  servesStale?: boolean;
  maxCells?: number;
  canRequest?: () => Promise<boolean>;
  isShared?: boolean;
  stored?: Map<string, unknown>;
};

function start({ isShared = false, stored = new Map(), maxCells = 10, ...options }: Options = {}) {
  const clock = createManualClock(now);
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  const requests: number[] = [];
  const claimed: string[] = [];
  let respond = async (): Promise<SideResult<string>> => ({ value: `of ${requests.length}`, freshForMs: 5 * minute });
  let load = async (key: string): Promise<unknown> => stored.get(key);
  const claims = {
    claim: async (name: string, keys: readonly string[]) => {
      claimed.push(...keys.map((key) => `+${name} ${key}`));
      return new Set(keys);
    },
    release: async (name: string, keys: readonly string[]) =>
      void claimed.push(...keys.map((key) => `-${name} ${key} ${stored.has(`${name} ${key}`)}`)),
  };
  const store = {
    load: async <Reading>(name: string, key: string) => (await load(`${name} ${key}`)) as Reading | undefined,
    async save(name: string, key: string, reading: unknown) {
      await nextTurn();
      stored.set(`${name} ${key}`, reading);
    },
  };
  const source = createSideSource<string>({
    clock,
    machineClock: clock,
    health,
    shared: isShared ? { store, lookups: createSharedLookups(claims, clock) } : undefined,
    name: 'radar',
    timeoutMs: 400,
    maxCells,
    async fetch({ lng }) {
      requests.push(lng);
      return respond();
    },
    ...options,
  });
  return {
    clock,
    health,
    source,
    requests,
    claimed,
    stored,
    respondWith: (next: typeof respond) => (respond = next),
    loadWith: (next: typeof load) => (load = next),
  };
}

describe('a side source', () => {
  it('is queried once for many, and again once its value is not fresh', async () => {
    const { source, requests, clock } = start();
    expect(await Promise.all([source.near(cell), source.near(cell)])).toEqual(['of 1', 'of 1']);
    clock.advance(5 * minute - 1);
    expect(await source.near(cell)).toBe('of 1');
    clock.advance(1);
    expect(await source.near(cell)).toBe('of 2');
    expect(await source.near(elsewhere)).toBe('of 3');
    expect(requests).toEqual([10, 10, 11]);
  });

  it('is not queried again for a cell without a value', async () => {
    const { source, requests, respondWith } = start();
    respondWith(async () => ({ value: undefined, freshForMs: minute }));
    expect([await source.near(cell), await source.near(cell)]).toEqual([undefined, undefined]);
    expect(requests).toEqual([10]);
  });

  it('is queried again if its value is from the future', async () => {
    const { source, requests, clock } = start();
    await source.near(cell);
    clock.jump(-1);
    await source.near(cell);
    expect(requests).toHaveLength(2);
  });

  it('is waited for only briefly, and its late value is there for the next', async () => {
    const { source, clock, requests, respondWith } = start();
    let finish = (_value: SideResult<string>) => {};
    respondWith(() => new Promise((resolve) => (finish = resolve)));
    const early = source.near(cell);
    await expect.poll(() => requests).toHaveLength(1);
    clock.advance(400);
    expect(await early).toBeUndefined();
    finish({ value: 'late', freshForMs: minute });
    await expect.poll(() => source.near(cell)).toBe('late');
    expect(requests).toHaveLength(1);
  });

  it('has room for a number of cells', async () => {
    const { source, requests } = start({ maxCells: 1 });
    for (const place of [cell, elsewhere, cell]) await source.near(place);
    expect(requests).toEqual([10, 11, 10]);
  });

  it('is not queried if no request is allowed, which is not a failure', async () => {
    let isAllowed = false;
    const { source, requests, health } = start({ canRequest: async () => isAllowed });
    expect(await source.near(cell)).toBeUndefined();
    expect([requests, health.restMs('radar')]).toEqual([[], 0]);
    isAllowed = true;
    expect(await source.near(cell)).toBe('of 1');
  });

  it.each([
    [true, 'of 1'],
    [false, undefined],
  ])('that fails rests, and serves stale values: %s', async (servesStale, expected) => {
    const { source, requests, health, clock, respondWith } = start(servesStale ? { servesStale } : {});
    await source.near(cell);
    clock.advance(5 * minute);
    respondWith(() => Promise.reject(new Error('down')));
    expect(await source.near(cell)).toBe(expected);
    expect(health.restMs('radar')).toBe(10_000);
    expect([await source.near(cell), requests.length]).toEqual([expected, 2]);
    clock.advance(10_000);
    respondWith(async () => ({ value: 'new', freshForMs: minute }));
    expect(await source.near(cell)).toBe('new');
    expect(health.failing('radar')).toBeUndefined();
  });
});

describe('processes with one store', () => {
  const key = 'radar 60.0,10.0';
  const reading = { value: 'stored', fetchedAt: now - minute, freshForMs: 2 * minute };

  it('use each other’s fresh values without a request', async () => {
    const { source, requests, clock, claimed } = start({ isShared: true, stored: new Map([[key, reading]]) });
    expect(await source.near(cell)).toBe('stored');
    expect([requests, claimed]).toEqual([[], []]);
    clock.advance(minute - 1);
    expect(await source.near(cell)).toBe('stored');
    clock.advance(1);
    expect(await source.near(cell)).toBe('of 1');
  });

  it('store what they fetch, and release the cell afterwards', async () => {
    const { source, stored, claimed } = start({ isShared: true });
    expect(await source.near(cell)).toBe('of 1');
    await expect.poll(() => claimed).toEqual([`+${key}`, `-${key} true`]);
    expect(stored.get(key)).toEqual({ value: 'of 1', fetchedAt: now, freshForMs: 5 * minute });
  });

  it('release a cell that fails, or may not be requested', async () => {
    const failing = start({ isShared: true });
    failing.respondWith(() => Promise.reject(new Error('down')));
    const denied = start({ isShared: true, canRequest: async () => false });
    for (const { source, claimed } of [failing, denied]) {
      expect(await source.near(cell)).toBeUndefined();
      await expect.poll(() => claimed).toEqual([`+${key}`, `-${key} false`]);
    }
  });

  it('wait for a slow store a second, and then fetch', async () => {
    const { source, clock, loadWith, requests } = start({ isShared: true });
    loadWith(() => new Promise(() => {}));
    const early = source.near(cell);
    clock.advance(999);
    expect([await early, requests]).toEqual([undefined, []]);
    const next = source.near(cell);
    clock.advance(1);
    expect(await next).toBe('of 1');
  });
});
