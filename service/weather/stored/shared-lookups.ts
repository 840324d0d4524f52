// One lookup of a cell at a time for all processes: the others wait for what the one stores.
import { type Clock, within } from '@rainbell/shared';
import type { LookupClaims } from './lookup-claims.ts';

export type SharedLookups = {
  /**
   * Waits while another process looks the cell up, and returns what `find` finds then. Undefined if the caller must look it up,
   * and then call `release`.
   */
  joinOthers<Found>(
    source: string,
    cellKey: string,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
  /** Returns the cells that the caller must look up, and then release; all of them if the claims are unavailable. */
  claim(source: string, cellKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Releases cells once `stored` has ended, or another process would find neither claim nor result. */
  release(source: string, cellKeys: readonly string[], stored: Promise<unknown>): void;
};

/** How often a process checks whether another one has stored the data. */
const lookAgainMs = 50;
/** Maximum wait for the decision which process sends the request. */
const claimTimeoutMs = 2_000;

export function createSharedLookups(claims: LookupClaims, machineClock: Clock): SharedLookups {
  async function claim(source: string, cellKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const own = await within(machineClock, claimTimeoutMs, claims.claim(source, cellKeys));
    return own ?? new Set(cellKeys);
  }
  return {
    claim,
    async joinOthers(source, cellKey, find) {
      while (!(await claim(source, [cellKey])).has(cellKey)) {
        await new Promise<void>((resolve) => void machineClock.after(lookAgainMs, resolve));
        const found = await find();
        if (found !== undefined) return found;
      }
      return undefined;
    },
    release(source, cellKeys, stored) {
      // Unreleased claims expire.
      void stored.then(() => claims.release(source, cellKeys)).catch(() => {});
    },
  };
}
