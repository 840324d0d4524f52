// Keeps finished answers by cell for as long as they are what would be built again: at most until the minute ends, and only a
// moment where something better may arrive (a late provider, a late place name). Bounded in bytes.
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import { createWeatherAnswer, type WeatherAnswer } from './weather-answer.ts';

/** `isFinal` false: what was asked for is still on its way, so look again soon. */
export type BuiltBody = { body: string; isFinal: boolean };

export type AnswerCache = {
  /** The answer that holds now, from memory alone. Counts a hit. */
  peek(key: string): WeatherAnswer | undefined;
  /** The same, built where it is missing; one build at a time for a key. */
  get(key: string, build: () => Promise<BuiltBody>): Promise<WeatherAnswer>;
  /** To be called when the weather was changed by hand: what is kept, or being built, no longer holds. */
  forget(): void;
  hits(): number;
};

/** From and until are of the service's clock, `lookAgainAt` of the machine's: the sandbox's clock may stand still. */
type Kept = { answer: WeatherAnswer; from: number; until: number; lookAgainAt: number };

const minuteMs = 60_000;
/** So that many requests at once during an outage share one answer. */
const provisionalMs = 200;
const mostBytes = 64 * 1024 * 1024;
/** An answer is kept plain and twice compressed. */
const bytesPerCharacter = 1.5;

export function createAnswerCache({ clock }: { clock: Clock }): AnswerCache {
  const kept = new LRUCache<string, Kept>({ maxSize: mostBytes });
  const building = new Map<string, Promise<WeatherAnswer>>();
  let generation = 0;
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

  async function buildAnswer(key: string, build: () => Promise<BuiltBody>): Promise<WeatherAnswer> {
    const from = clock.now();
    const before = generation;
    const { body, isFinal } = await build();
    const answer = createWeatherAnswer(body);
    if (generation === before) {
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
      const ready = peek(key) ?? building.get(key);
      if (ready) return ready;
      const started = buildAnswer(key, build).finally(() => {
        if (building.get(key) === started) building.delete(key);
      });
      building.set(key, started);
      return started;
    },
    forget() {
      generation += 1;
      kept.clear();
      building.clear();
    },
    hits: () => hits,
  };
}
