// Chooses whose turn is next in a queue, of networks or accounts: the one with the fewest recent turns. So a flood waits behind
// everyone else, however many addresses it comes from.
import { createCache } from '#service/cache/create-cache.ts';

const halfLifeMs = 10_000;
const rememberedNames = 20_000;
/** Every Nth turn goes to the one that has waited longest, so that no one waits forever. */
const turnsUntilLongest = 4;

export type FairTurns = {
  /** Chooses the next of the waiting ones, given in the order of arrival, and counts its turn. */
  next(waiting: Iterable<string>): string | undefined;
  /** Counts a turn that did not wait, or as many as a turn was worth. */
  add(name: string, turns?: number): void;
  /** Returns the number of its turns, which halves every 10 s; 0 for a new one. */
  recentTurns(name: string): number;
};

/** `now`: monotonic milliseconds. */
export function createFairTurns(now: () => number): FairTurns {
  // All counts halve together, so their order is stable until one has a turn: stores log2 of the count, as of time 0.
  const ranks = createCache<string, number>(rememberedNames);
  let turns = 0;
  const halvings = () => now() / halfLifeMs;
  const rankOf = (name: string) => ranks.get(name) ?? -Infinity;
  const recentTurns = (name: string) => 2 ** (rankOf(name) - halvings());
  const add = (name: string, count = 1) => void ranks.set(name, Math.log2(recentTurns(name) + count) + halvings());

  function choose(waiting: Iterable<string>): string | undefined {
    let chosen: string | undefined;
    let min = Infinity;
    for (const name of waiting) {
      const rank = rankOf(name);
      if (rank >= min) continue;
      chosen = name;
      min = rank;
      if (turns % turnsUntilLongest === 0 || rank === -Infinity) break;
    }
    return chosen;
  }

  return {
    next(waiting) {
      turns += 1;
      const name = choose(waiting);
      if (name !== undefined) add(name);
      return name;
    },
    add,
    recentTurns,
  };
}
