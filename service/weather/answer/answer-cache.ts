// Caches responses by cell while they are current: at most until the minute ends, and only briefly if better data may arrive (a
// late provider, a late place name). Bounded in bytes.
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import { createWeatherAnswer, type WeatherAnswer } from './weather-answer.ts';

/** `isFinal` false: some data is still loading, so rebuild soon. */
export type BuiltBody = { body: string; isFinal: boolean };

export type AnswerCache = {
  /** Returns the current response, from memory only. Counts a hit. */
  peek(key: string): WeatherAnswer | undefined;
  /** Like `peek`, but builds a missing response; one build at a time per key. */
  get(key: string, build: () => Promise<BuiltBody>): Promise<WeatherAnswer>;
  /** Call it after the weather was changed manually: discards cached responses and those being built. */
  forget(): void;
  /** Does the same for some keys. */
  forgetKeys(keys: readonly string[]): void;
  hits(): number;
};

/** `from` and `until` are by the service's clock, `lookAgainAt` by the machine's: the sandbox's clock can be stopped. */
type Kept = { answer: WeatherAnswer; from: number; until: number; lookAgainAt: number };

/** `own` identifies the build; one that is not in the table anymore serves only its caller. */
type Build = { own: object; answer: Promise<WeatherAnswer> };

const minuteMs = 60_000;
/** So that many concurrent requests during an outage share one response. */
const provisionalMs = 200;
const maxBytes = 64 * 1024 * 1024;
/** A response is stored plain and in two compressed forms. */
const bytesPerCharacter = 1.5;

export function createAnswerCache({ clock }: { clock: Clock }): AnswerCache {
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes });
  const building = new Map<string, Build>();
  let hits = 0;

  function peek(key: string): WeatherAnswer | undefined {
    const entry = kept.get(key);
    const now = clock.now();
    // The sandbox's clock can be set back.
    if (entry === undefined || now < entry.from || now >= entry.until) return undefined;
    if (performance.now() >= entry.lookAgainAt) return undefined;
    hits += 1;
    return entry.answer;
  }

  async function buildAnswer(key: string, build: () => Promise<BuiltBody>, own: object): Promise<WeatherAnswer> {
    const from = clock.now();
    const { body, isFinal } = await build();
    const answer = createWeatherAnswer(body);
    if (building.get(key)?.own === own) {
      const minuteEnd = (Math.floor(from / minuteMs) + 1) * minuteMs;
      const until = isFinal ? minuteEnd : Math.min(minuteEnd, clock.now() + provisionalMs);
      const lookAgainAt = isFinal ? Infinity : performance.now() + provisionalMs;
      kept.set(key, { answer, from, until, lookAgainAt }, { size: Math.ceil(body.length * bytesPerCharacter) });
    }
    return answer;
  }

  return {
    peek,
    async get(key, build) {
      const ready = peek(key) ?? building.get(key)?.answer;
      if (ready) return ready;
      const own = {};
      const started = buildAnswer(key, build, own).finally(() => {
        if (building.get(key)?.own === own) building.delete(key);
      });
      building.set(key, { own, answer: started });
      return started;
    },
    forget() {
      kept.clear();
      building.clear();
    },
    forgetKeys(keys) {
      for (const key of keys) {
        kept.delete(key);
        building.delete(key);
      }
    },
    hits: () => hits,
  };
}
