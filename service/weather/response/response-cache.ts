// Caches responses by cell while they are current: at most until the minute ends, and only briefly if better data may arrive (a
// late provider, a late place name). Bounded in bytes.
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@rainbell/shared';
import { createWeatherResponse, type WeatherResponse } from './weather-response.ts';

/** `isFinal` false: some data is still loading, so rebuild soon. */
export type BuiltBody = { body: string; isFinal: boolean };

export type ResponseCache = {
  /** Returns the current response, from memory only. Counts a hit. */
  peek(key: string): WeatherResponse | undefined;
  /** Like `peek`, but builds a missing response; one build at a time per key. */
  get(key: string, build: () => Promise<BuiltBody>): Promise<WeatherResponse>;
  /** Call it after the weather was changed manually: discards cached responses and those being built. */
  clear(): void;
  /** Does the same for some keys. */
  removeKeys(keys: readonly string[]): void;
  hits(): number;
};

/** `from` and `until` are by the service's clock, `lookAgainAt` by the machine's: the sandbox's clock can be stopped. */
type CacheEntry = { response: WeatherResponse; from: number; until: number; lookAgainAt: number };

/** `own` identifies the build; one that is not in the table anymore serves only its caller. */
type Build = { own: object; response: Promise<WeatherResponse> };

const minuteMs = 60_000;
/** So that many concurrent requests during an outage share one response. */
const provisionalMs = 200;
const maxBytes = 64 * 1024 * 1024;
/** A response is stored plain and in two compressed forms. */
const bytesPerCharacter = 1.5;

export function createResponseCache({ clock }: { clock: Clock }): ResponseCache {
  const kept = new LRUCache<string, CacheEntry>({ maxSize: maxBytes });
  const building = new Map<string, Build>();
  let hits = 0;

  function peek(key: string): WeatherResponse | undefined {
    const entry = kept.get(key);
    const now = clock.now();
    // The sandbox's clock can be set back.
    if (entry === undefined || now < entry.from || now >= entry.until) return undefined;
    if (performance.now() >= entry.lookAgainAt) return undefined;
    hits += 1;
    return entry.response;
  }

  async function buildResponse(key: string, build: () => Promise<BuiltBody>, own: object): Promise<WeatherResponse> {
    const from = clock.now();
    const { body, isFinal } = await build();
    const response = createWeatherResponse(body);
    if (building.get(key)?.own === own) {
      const minuteEnd = (Math.floor(from / minuteMs) + 1) * minuteMs;
      const until = isFinal ? minuteEnd : Math.min(minuteEnd, clock.now() + provisionalMs);
      const lookAgainAt = isFinal ? Infinity : performance.now() + provisionalMs;
      kept.set(key, { response, from, until, lookAgainAt }, { size: Math.ceil(body.length * bytesPerCharacter) });
    }
    return response;
  }

  return {
    peek,
    async get(key, build) {
      const ready = peek(key) ?? building.get(key)?.response;
      if (ready) return ready;
      const own = {};
      const started = buildResponse(key, build, own).finally(() => {
        if (building.get(key)?.own === own) building.delete(key);
      });
      building.set(key, { own, response: started });
      return started;
    },
    clear() {
      kept.clear();
      building.clear();
    },
    removeKeys(keys) {
      for (const key of keys) {
        kept.delete(key);
        building.delete(key);
      }
    },
    hits: () => hits,
  };
}
