// Readings and lookups in Redis (RAINBELL_CACHE) instead of the database. While it is away, those of the database count.
import { randomUUID } from 'node:crypto';
import type { SharedCache } from '#service/cache/shared-cache.ts';
import type { Clock } from '#shared/time/clock.ts';
import { holdMs, type LookupClaims } from './lookup-claims.ts';
import type { StoredWeather } from './stored-weather.ts';
import { retentionMs, readingShape, type StoredReading, type WeatherStore } from './weather-store.ts';

/** 10 to 20 KB each. */
const readingsAtOnce = 100;

/** A value begins with the time of its reading, so that a script can read it. KEYS: all readings by time, and then the reading. */
const saveReading = `
redis.call('SET', KEYS[2], ARGV[1] .. '\\n' .. ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[1], KEYS[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[3])
local beyond = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
for _, key in ipairs(beyond > 0 and redis.call('ZRANGE', KEYS[1], 0, beyond - 1) or {}) do
  redis.call('DEL', key)
  redis.call('ZREM', KEYS[1], key)
end`;

/** KEYS: a reading and its claim, for each cell. Returns the numbers of the cells that the caller must look up. */
const claimCells = `
local own = {}
for index = 1, #KEYS, 2 do
  local at = tonumber(string.match(redis.call('GETRANGE', KEYS[index], 0, 15), '^%d+'))
  local isNew = at ~= nil and at >= tonumber(ARGV[2]) - tonumber(ARGV[3]) and at <= tonumber(ARGV[2])
  if not isNew and redis.call('SET', KEYS[index + 1], ARGV[1], 'NX', 'PX', ARGV[3]) then
    own[#own + 1] = (index - 1) / 2
  end
end
return own`;

/** A claim that expired may be another process's by now. */
const releaseCells = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end`;

type Dependencies = { cache: SharedCache; clock: Clock; maxRows: number; fallback: StoredWeather };

export function createRedisWeather({ cache, clock, maxRows, fallback }: Dependencies): StoredWeather {
  const self: string = randomUUID();
  const readingKey = (provider: string, cellKey: string) =>
    cache.key(`reading-${readingShape}`, `${provider} ${cellKey}`);
  const claimKey = (provider: string, cellKey: string) => cache.key('lookup', `${provider} ${cellKey}`);
  const allReadings = cache.key(`reading-${readingShape}`, '');

  async function loadSome<Reading>(
    provider: string,
    cellKeys: readonly string[],
  ): Promise<Map<string, Reading> | undefined> {
    const names = cellKeys.map((cellKey) => readingKey(provider, cellKey));
    const values = await cache.run((redis) => redis.mget(...names));
    return values && new Map(cellKeys.flatMap((key, index) => entryOf<Reading>(key, values[index])));
  }

  async function loadMany<Reading extends StoredReading>(
    provider: string,
    cellKeys: readonly string[],
  ): Promise<ReadonlyMap<string, Reading>> {
    const found = new Map<string, Reading>();
    for (let start = 0; start < cellKeys.length; start += readingsAtOnce) {
      const some = await loadSome<Reading>(provider, cellKeys.slice(start, start + readingsAtOnce));
      if (!some) return fallback.store.loadMany<Reading>(provider, cellKeys);
      for (const [key, reading] of some) found.set(key, reading);
    }
    return found;
  }

  const store: WeatherStore = {
    loadMany,
    load: async <Reading extends StoredReading>(provider: string, cellKey: string) =>
      (await loadMany<Reading>(provider, [cellKey])).get(cellKey),
    async save(provider, cellKey, reading) {
      const [key, text] = [readingKey(provider, cellKey), JSON.stringify(reading)];
      const saved = await cache.run((redis) =>
        redis.eval(saveReading, 2, allReadings, key, reading.fetchedAt, text, retentionMs, maxRows),
      );
      if (saved === undefined) await fallback.store.save(provider, cellKey, reading);
    },
    close: () => fallback.store.close(),
  };

  /** Claimed in the database. */
  const elsewhere = new Set<string>();
  const claims: LookupClaims = {
    async claim(provider, cellKeys) {
      const names = cellKeys.flatMap((key) => [readingKey(provider, key), claimKey(provider, key)]);
      const own = await cache.run((redis) => redis.eval(claimCells, names.length, ...names, self, clock.now(), holdMs));
      if (own !== undefined) return new Set((own as number[]).flatMap((index) => cellKeys[index] ?? []));
      const claimed = await fallback.claims.claim(provider, cellKeys);
      for (const key of claimed) elsewhere.add(claimKey(provider, key));
      return claimed;
    },
    async release(provider, cellKeys) {
      const own = cellKeys.filter((key) => elsewhere.delete(claimKey(provider, key)));
      const names = cellKeys.map((key) => claimKey(provider, key));
      await cache.run((redis) => redis.eval(releaseCells, names.length, ...names, self));
      if (own.length > 0) await fallback.claims.release(provider, own);
    },
  };
  return { store, claims, isShared: true };
}

function entryOf<Reading>(key: string, value: string | null | undefined): [string, Reading][] {
  if (value === null || value === undefined) return [];
  try {
    return [[key, JSON.parse(value.slice(value.indexOf('\n') + 1)) as Reading]];
  } catch {
    return [];
  }
}
