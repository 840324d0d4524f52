// Counters in Redis (RAINBELL_CACHE), so that counting costs the database nothing. While Redis is away, those of the database count,
// or each process for itself.
import type { SharedCache } from '#service/cache/shared-cache.ts';
import type { FleetCounters } from './fleet-counters.ts';

/** Longer than the longest window, a day: a key that is no longer counted expires. */
const retentionMs = 25 * 3_600_000;

/** As in fleet-counters.ts: a window that ends later than the stored one replaces it. */
const addAligned = `
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends') or nil)
if ends == nil or ends < tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'ends', ARGV[2], 'used', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return tonumber(ARGV[1])
end
return redis.call('HINCRBY', KEYS[1], 'used', ARGV[1])`;
const addFloating = `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { used, redis.call('PTTL', KEYS[1]) }`;
/** KEYS: the window that starts with its first count, and the one that ends at a given time. */
const readWindow = `
local used = redis.call('GET', KEYS[1])
if used then return { tonumber(used), redis.call('PTTL', KEYS[1]) } end
local window = redis.call('HMGET', KEYS[2], 'ends', 'used')
local time = redis.call('TIME')
local left = tonumber(window[1] or 0) - (time[1] * 1000 + math.floor(time[2] / 1000))
return left > 0 and { tonumber(window[2]), left } or { 0, 0 }`;

/** `fallback`: undefined if one process uses the database. */
export function createRedisCounters(cache: SharedCache, fallback: FleetCounters | undefined): FleetCounters {
  const windowOf = (key: string) => cache.key('window', key);
  const sinceOf = (key: string) => cache.key('since', key);
  return {
    async add(key, count, endsAt) {
      const used = await cache.run((redis) => redis.eval(addAligned, 1, windowOf(key), count, endsAt, retentionMs));
      return used === undefined ? fallback?.add(key, count, endsAt) : Number(used);
    },
    async addSince(key, windowMs) {
      const counted = await cache.run((redis) => redis.eval(addFloating, 1, sinceOf(key), windowMs));
      return counted === undefined ? fallback?.addSince(key, windowMs) : countOf(counted);
    },
    async read(key) {
      const counted = await cache.run((redis) => redis.eval(readWindow, 2, sinceOf(key), windowOf(key)));
      if (counted === undefined) return fallback?.read(key);
      const count = countOf(counted);
      return count.used === 0 ? undefined : count;
    },
    clear(key) {
      void cache.run((redis) => redis.del(sinceOf(key)));
      // Counts of a time without Redis.
      fallback?.clear(key);
    },
    forgetOld: async () => fallback?.forgetOld(),
  };
}

function countOf(reply: unknown): { used: number; leftMs: number } {
  const [used, leftMs] = (reply as readonly unknown[]).map(Number);
  return { used: used ?? 0, leftMs: Math.max(0, leftMs ?? 0) };
}
