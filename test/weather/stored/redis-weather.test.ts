// Readings and claims in a real Redis, and in the database while Redis is away.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openSharedCache, type SharedCache } from '#service/cache/shared-cache.ts';
import { createRedisWeather } from '#service/weather/stored/redis-weather.ts';
import type { StoredWeather } from '#service/weather/stored/stored-weather.ts';
import type { StoredReading } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { missingRedis, type RedisServer, startRedis } from '#test/service/database/redis.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const reading = (fetchedAt = now, text = 'sunny\nand warm') => ({ fetchedAt, text });

/** A database in memory, which records its requests. */
function startDatabase() {
  const rows = new Map<string, unknown>();
  const calls: string[] = [];
  const loadMany = async <Reading extends StoredReading>(provider: string, keys: readonly string[]) =>
    new Map(
      keys.flatMap((key) => (rows.has(`${provider} ${key}`) ? [[key, rows.get(`${provider} ${key}`) as Reading]] : [])),
    );
  const fallback: StoredWeather = {
    store: {
      loadMany,
      load: async () => undefined,
      save: async (provider, key, saved) => void rows.set(`${provider} ${key}`, saved),
      close: async () => void calls.push('close'),
    },
    claims: {
      async claim(provider, keys) {
        calls.push(`claim ${provider} ${keys.join()}`);
        return new Set(keys.slice(0, 1));
      },
      release: async (provider, keys) => void calls.push(`release ${provider} ${keys.join()}`),
    },
    isShared: false,
  };
  return { rows, calls, fallback };
}

describe.skipIf(missingRedis !== undefined)('weather in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());

  async function start({ maxRows = 1_000 } = {}) {
    const log = pino({ level: 'silent' });
    const options = { url: redis.url, namespace: randomUUID(), clock: systemClock, log, timeoutMs: 30_000 };
    const cache = await openSharedCache(options);
    onTestFinished(() => cache.close());
    await expect.poll(() => cache.isAway()).toBe(false);
    let isAway = false;
    const reached: SharedCache = { ...cache, run: async (work) => (isAway ? undefined : cache.run(work)) };
    const database = startDatabase();
    const clock = createManualClock(now);
    const open = () => createRedisWeather({ cache: reached, clock, maxRows, fallback: database.fallback });
    return { ...database, cache, clock, one: open(), other: open(), leave: (value = true) => void (isAway = value) };
  }

  it('comes back as it was, also in other processes, each provider and cell its own', async () => {
    const { one, other, rows } = await start();
    await one.store.save('met', 'a', reading());
    expect(await other.store.load('met', 'a')).toEqual(reading());
    expect([await other.store.load('met', 'b'), await other.store.load('x', 'a')]).toEqual([undefined, undefined]);
    await other.store.save('met', 'a', reading(now + 1, 'later'));
    expect(await one.store.load('met', 'a')).toEqual(reading(now + 1, 'later'));
    expect([one.isShared, rows.size]).toEqual([true, 0]);
  });

  it('is loaded for many cells, without those that are missing or damaged', async () => {
    const { one, cache } = await start();
    const keys = Array.from({ length: 250 }, (_, index) => `cell ${index}`);
    await Promise.all(keys.map((key, index) => one.store.save('met', key, reading(now + index))));
    const damaged = cache.key('reading-1', 'met cell 7');
    await cache.run((client) => client.set(damaged, '1\n{'));
    const found = await one.store.loadMany<StoredReading>('met', ['none', ...keys]);
    expect([...found.keys()]).toEqual(keys.filter((key) => key !== 'cell 7'));
    expect([found.get('cell 0')?.fetchedAt, found.get('cell 249')?.fetchedAt]).toEqual([now, now + 249]);
    expect((await one.store.loadMany('met', [])).size).toBe(0);
  });

  it('is bounded, and the oldest readings leave first', async () => {
    const { one } = await start({ maxRows: 2 });
    for (const [key, ms] of [
      ['new', 3],
      ['old', 1],
      ['middle', 2],
    ] as const) {
      await one.store.save('met', key, reading(now + ms));
    }
    expect([...(await one.store.loadMany('met', ['old', 'middle', 'new'])).keys()]).toEqual(['middle', 'new']);
  });

  it('is requested by one process at a time, until that releases the cell', async () => {
    const { one, other, calls } = await start();
    expect([...(await one.claims.claim('met', ['a', 'b']))]).toEqual(['a', 'b']);
    expect([...(await other.claims.claim('met', ['a', 'c', 'b']))]).toEqual(['c']);
    expect([...(await other.claims.claim('x', ['a']))]).toEqual(['a']);
    await other.claims.release('met', ['a']);
    expect((await other.claims.claim('met', ['a'])).size).toBe(0);
    await one.claims.release('met', ['a', 'b']);
    expect([...(await other.claims.claim('met', ['a', 'b']))]).toEqual(['a', 'b']);
    expect(calls).toEqual([]);
  });

  it('is not requested if it was stored in the last ten seconds', async () => {
    const { one, other } = await start();
    const ages = { future: -1, present: 0, recent: 10_000, old: 10_001 };
    for (const [key, age] of Object.entries(ages)) await one.store.save('met', key, reading(now - age));
    expect([...(await other.claims.claim('met', Object.keys(ages)))]).toEqual(['future', 'old']);
  });

  it('is in the database while Redis is away', async () => {
    const { one, rows, leave } = await start();
    leave();
    await one.store.save('met', 'a', reading());
    expect([...rows]).toEqual([['met a', reading()]]);
    expect(await one.store.load('met', 'a')).toEqual(reading());
    leave(false);
    expect(await one.store.load('met', 'a')).toBeUndefined();
  });

  it('is released by the process that claimed it', async () => {
    const { one, calls, leave } = await start();
    await one.claims.claim('met', ['a']);
    leave();
    expect([...(await one.claims.claim('met', ['b', 'c']))]).toEqual(['b']);
    await one.claims.release('met', ['a', 'b', 'c']);
    await one.claims.release('met', ['b']);
    expect(calls).toEqual(['claim met b,c', 'release met b']);
  });

  it('closes the database’s store', async () => {
    const { one, calls } = await start();
    await one.store.close();
    expect(calls).toEqual(['close']);
  });
});
