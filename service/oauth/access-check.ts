// Checks access tokens (docs/interface.md §5.1) without a database query each time: results are cached by the token's hash until it
// expires or is revoked. Revocations are read as they arrive and name what they ended, so that those of one application cost the
// others nothing. One by another process takes effect within `rememberedMs`; while the database is unavailable, cached tokens stay
// valid for a minute.
import { createCache } from '../cache/create-cache.ts';
import { type Clock, within } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';
import { hashOf } from '../secrets/random-text.ts';
import { readRevocations, rememberedMs, type Revoked } from '../accounts/revocation.ts';
import type { KnownAccess, TokenStore } from './token-store.ts';

const rememberedLimit = 50_000;
/** How long a cached token stays valid while the database is unavailable; revocations are not visible then. */
const trustedMs = 60_000;
/** Maximum wait for revocations if the request's token is cached. */
const timeoutMs = 500;

type Ended = Record<Exclude<Revoked['kind'], 'token'>, Set<string>>;

export type AccessCheck = ReturnType<typeof createAccessCheck>;

type Dependencies = {
  db: Db;
  clock: Clock;
  machineClock: Clock;
  tokens: Pick<TokenStore, 'findAccessToken'>;
};

export function createAccessCheck({ db, clock, machineClock, tokens }: Dependencies) {
  const remembered = new Map<string, KnownAccess>();
  /** Outlasts `forget`: a revocation must not make every client queue up with anonymous ones. */
  const wereValid = createCache<string, string>(rememberedLimit);
  let seenNumber = -1;
  /** When revocations were last read; -Infinity before the first time. */
  let knownAt = -Infinity;
  /** The last check failed or is taking too long. */
  let isAway = false;
  let polling: Promise<void> | undefined;
  let generation = 0;

  const age = () => machineClock.elapsed() - knownAt;
  const isFresh = () => age() < rememberedMs;
  const mayTrustMemory = () => isFresh() || (isAway && age() < trustedMs);
  const forget = () => {
    generation += 1;
    remembered.clear();
  };
  function drop(revoked: readonly Revoked[]): void {
    if (revoked.length === 0) return;
    generation += 1;
    const ended: Ended = { grant: new Set(), application: new Set(), account: new Set() };
    for (const { kind, subject } of revoked) {
      if (kind === 'token') remembered.delete(subject);
      else ended[kind].add(subject);
    }
    // One pass, for any number of them.
    for (const [hash, access] of remembered) if (isEnded(access, ended)) remembered.delete(hash);
  }
  const valid = (access: KnownAccess | undefined) => (access && access.expiresAt > clock.now() ? access : undefined);

  async function poll(): Promise<void> {
    const startedAt = machineClock.elapsed();
    const cancelPatience = machineClock.after(timeoutMs, () => (isAway = true));
    try {
      const { latest, revoked } = await readRevocations(db, seenNumber);
      if (revoked === 'all') forget();
      else drop(revoked);
      seenNumber = latest;
      knownAt = startedAt;
      isAway = false;
    } catch (error) {
      isAway = true;
      throw error;
    } finally {
      cancelPatience();
    }
  }

  function pollRevocations(): Promise<void> {
    polling ??= poll().finally(() => (polling = undefined));
    return polling;
  }

  /** Rejects if the revocations cannot be read and the cache is too old to use without them. */
  async function learnRevocations(): Promise<void> {
    const polled = pollRevocations();
    if (age() >= trustedMs) return polled;
    // Either way `mayTrustMemory` holds afterwards.
    await within(machineClock, isAway ? 0 : timeoutMs, polled);
  }

  function remember(hash: string, access: KnownAccess): void {
    const oldest = remembered.size >= rememberedLimit ? remembered.keys().next() : undefined;
    if (oldest && !oldest.done) remembered.delete(oldest.value);
    remembered.set(hash, access);
  }

  return {
    /** Drops revoked tokens from the cache. Call it after this process commits a revocation. */
    drop,
    forget,
    /** Returns the account of a token that was valid at its last lookup, not necessarily now: see admission.ts. */
    accountOf: (token: string) => wereValid.get(hashOf(token)),
    /** Like `find`, from memory only, for a path that cannot wait; if undefined, call `find`. */
    peek: (token: string) => (isFresh() ? valid(remembered.get(hashOf(token))) : undefined),
    async find(token: string): Promise<KnownAccess | undefined> {
      if (!isFresh()) await learnRevocations();
      const hash = hashOf(token);
      const known = mayTrustMemory() ? remembered.get(hash) : undefined;
      if (known) return valid(known);
      const before = generation;
      const access = valid(await tokens.findAccessToken(token));
      if (access) wereValid.set(hash, access.ownerId);
      else wereValid.delete(hash);
      // A result from before a revocation must not be cached after it.
      if (access && generation === before) remember(hash, access);
      return access;
    },
  };
}

function isEnded({ grantId, applicationId, accountId, ownerId }: KnownAccess, ended: Ended): boolean {
  return (
    ended.grant.has(grantId) ||
    ended.application.has(applicationId) ||
    ended.account.has(ownerId) ||
    (accountId !== null && ended.account.has(accountId))
  );
}
