// Checks access tokens (docs/interface.md §5.1) without asking the database each time: what was found is remembered by
// the token's hash until it expires or anything is revoked. A revocation by another process counts within
// `rememberedMs`.
import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '../database/tables.ts';
import { hashOf } from '#service/secrets/random-text.ts';
import { rememberedMs, revocationNumber } from '#service/accounts/revocation.ts';
import type { KnownAccess, TokenStore } from './token-store.ts';

const rememberedLimit = 50_000;

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

type Dependencies = { db: Kysely<Tables>; clock: Clock; tokens: Pick<TokenStore, 'findAccessToken'> };

export function createAccessCheck({ db, clock, tokens }: Dependencies): AccessCheck {
  const remembered = new Map<string, KnownAccess>();
  /** Outlasts `forget`: a revocation must not make every client queue up with anonymous ones. */
  const wereValid = new LRUCache<string, true>({ max: rememberedLimit });
  let seenNumber = -1;
  let lookedAt = -Infinity;
  let generation = 0;

  const isFresh = () => performance.now() - lookedAt < rememberedMs;
  const forget = () => {
    generation += 1;
    remembered.clear();
  };
  const valid = (access: KnownAccess | undefined) => (access && access.expiresAt > clock.now() ? access : undefined);

  async function lookForRevocations(): Promise<void> {
    const startedAt = performance.now();
    const number = await revocationNumber(db);
    if (number !== seenNumber) forget();
    seenNumber = number;
    lookedAt = startedAt;
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
      if (!isFresh()) await lookForRevocations();
      const hash = hashOf(token);
      const known = remembered.get(hash);
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
