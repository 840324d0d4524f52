// Checks access tokens (docs/interface.md §5.1) without asking the database each time: what was found is remembered by
// the token's hash until it expires or anything is revoked. A revocation by another process counts within
// `rememberedMs`; while the database is away, remembered tokens stay good for a minute.
import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import type { Tables } from '../database/tables.ts';
import { hashOf } from '#service/secrets/random-text.ts';
import { rememberedMs, revocationNumber } from '#service/accounts/revocation.ts';
import type { KnownAccess, TokenStore } from './token-store.ts';

const rememberedLimit = 50_000;
/** While the database cannot be read, a remembered token is good for so long; revocations cannot be known then. */
const trustedMs = 60_000;
/** A request does not wait longer than this to learn of revocations, if its token is remembered. */
const patienceMs = 500;

export type AccessCheck = {
  /** Undefined for an unknown, expired or revoked token. */
  find(token: string): Promise<KnownAccess | undefined>;
  /** The same from memory alone, for a path that cannot wait; undefined also means "ask `find`". */
  peek(token: string): KnownAccess | undefined;
  /** Whether the token was valid when it was last looked up. It says nothing about now: see admission.ts. */
  remembers(token: string): boolean;
  /** To be called once a revocation by this process is committed. */
  forget(): void;
};

type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  machineClock: Clock;
  tokens: Pick<TokenStore, 'findAccessToken'>;
};

export function createAccessCheck({ db, clock, machineClock, tokens }: Dependencies): AccessCheck {
  const remembered = new Map<string, KnownAccess>();
  /** Outlasts `forget`: a revocation must not make every client queue up with anonymous ones. */
  const wereValid = new LRUCache<string, true>({ max: rememberedLimit });
  let seenNumber = -1;
  /** When the revocations were last known; -Infinity before the first time. */
  let knownAt = -Infinity;
  /** The last look failed or is taking too long. */
  let isAway = false;
  let looking: Promise<void> | undefined;
  let generation = 0;

  const age = () => performance.now() - knownAt;
  const isFresh = () => age() < rememberedMs;
  const mayTrustMemory = () => isFresh() || (isAway && age() < trustedMs);
  const forget = () => {
    generation += 1;
    remembered.clear();
  };
  const valid = (access: KnownAccess | undefined) => (access && access.expiresAt > clock.now() ? access : undefined);

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const cancelPatience = machineClock.after(patienceMs, () => (isAway = true));
    try {
      const number = await revocationNumber(db);
      if (number !== seenNumber) forget();
      seenNumber = number;
      knownAt = startedAt;
      isAway = false;
    } catch (error) {
      isAway = true;
      throw error;
    } finally {
      cancelPatience();
    }
  }

  /** One look at a time, whoever asks. */
  function lookForRevocations(): Promise<void> {
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  }

  /** Rejects if the revocations cannot be read and the memory is too old to do without them. */
  async function learnRevocations(): Promise<void> {
    const looked = lookForRevocations();
    if (age() >= trustedMs) return looked;
    // Either way `mayTrustMemory` holds afterwards.
    await within(machineClock, isAway ? 0 : patienceMs, looked);
  }

  function remember(hash: string, access: KnownAccess): void {
    const oldest = remembered.size >= rememberedLimit ? remembered.keys().next() : undefined;
    if (oldest && !oldest.done) remembered.delete(oldest.value);
    remembered.set(hash, access);
  }

  return {
    forget,
    remembers: (token) => wereValid.has(hashOf(token)),
    peek: (token) => (isFresh() ? valid(remembered.get(hashOf(token))) : undefined),
    async find(token) {
      if (!isFresh()) await learnRevocations();
      const hash = hashOf(token);
      const known = mayTrustMemory() ? remembered.get(hash) : undefined;
      if (known) return valid(known);
      const before = generation;
      const access = valid(await tokens.findAccessToken(token));
      if (access) wereValid.set(hash, true);
      else wereValid.delete(hash);
      // What was read before a revocation must not be remembered after it.
      if (access && generation === before) remember(hash, access);
      return access;
    },
  };
}
