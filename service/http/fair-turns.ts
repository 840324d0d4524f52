// Chooses the next network in a queue: the one with the fewest recent turns. So a flood waits behind everyone else, however many
// addresses it comes from.
import { createCache } from '#service/cache/create-cache.ts';

const halfLifeMs = 10_000;
const rememberedNetworks = 20_000;
/** Every Nth turn goes to the network that has waited longest, so that no one waits forever. */
const turnsUntilLongest = 4;

export type FairTurns = {
  /** Chooses the next of the waiting networks, given in the order of arrival, and counts its turn. */
  next(waiting: Iterable<string>): string | undefined;
  /** Counts a turn of a network that did not wait. */
  add(network: string): void;
  /** Returns the number of its turns, which halves every 10 s; 0 for a new one. */
  recentTurns(network: string): number;
};

/** `now`: monotonic milliseconds. */
export function createFairTurns(now: () => number): FairTurns {
  // All counts halve together, so their order is stable until one has a turn: stores log2 of the count, as of time 0.
  const ranks = createCache<string, number>(rememberedNetworks);
  let turns = 0;
  const halvings = () => now() / halfLifeMs;
  const rankOf = (network: string) => ranks.get(network) ?? -Infinity;
  const recentTurns = (network: string) => 2 ** (rankOf(network) - halvings());
  const add = (network: string) => void ranks.set(network, Math.log2(recentTurns(network) + 1) + halvings());

  function choose(waiting: Iterable<string>): string | undefined {
    let chosen: string | undefined;
    let min = Infinity;
    for (const network of waiting) {
      const rank = rankOf(network);
      if (rank >= min) continue;
      chosen = network;
      min = rank;
      if (turns % turnsUntilLongest === 0 || rank === -Infinity) break;
    }
    return chosen;
  }

  return {
    next(waiting) {
      turns += 1;
      const network = choose(waiting);
      if (network !== undefined) add(network);
      return network;
    },
    add,
    recentTurns,
  };
}
