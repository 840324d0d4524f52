// Holds one access token of a connection, the application's or the user's: valid for at least 30 s when handed out, renewed
// by one flight however many callers wait, kept as a secret at rest. Expiry counts from before the request (RFC 6749 leaves
// the delay to us), a new refresh token is on disk before its access token is used, and only `invalid_grant` drops one.
import { type Clock, jumpMs } from '@rainbell/shared';
import type { GrantKind } from '@rainbell/contract/service-api';
import type { TokenCard, TokenOwner, TokenState } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { SecretsPort } from '../ports/host.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { isFresh, readStoredToken, redated, refreshTimeOf, type StoredToken } from './stored-token.ts';
import type { ReceivedToken } from './token-response.ts';
import { describeCard, describeState, signInNeeded } from './token-card.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

export type TokenManager = {
  /** A token that is valid for some time yet. Throws the AppFailure of the token endpoint; a user's token may need a sign-in. */
  token: () => Promise<string>;
  /** A token other than `rejected`; late callers with the same rejected token cause no further refresh. */
  tokenInsteadOf: (rejected: string) => Promise<string>;
  /** Requests a new token now; `watch` gets the exchanges. */
  refresh: (watch?: (response: HttpResponse) => void) => Promise<void>;
  /** Stores the result of a sign-in; on disk when it resolves. `obtainedAt`: the time before the request. */
  /** `scope`: what was requested. */
  accept: (received: ReceivedToken, grant: GrantKind, obtainedAt: number, scope?: string) => Promise<void>;
  /** Loads what another manager of the same connection has stored in the meantime. */
  reload: () => Promise<void>;
  /** Deletes it here and on disk; the result of a refresh in progress is discarded. */
  delete: () => Promise<void>;
  /** The current token, after it was read from disk; for revealing and revoking. */
  held: () => Promise<{ accessToken: string; refreshToken: string | null } | undefined>;
  /** The time to refresh it, epoch milliseconds; undefined if a refresh is in progress, impossible, or was rejected. */
  refreshAt: () => number | undefined;
  state: () => TokenState;
  card: () => TokenCard;
};

export type TokenManagerOptions = {
  endpoint: TokenEndpoint;
  secrets: SecretsPort;
  secretName: string;
  /** An application gets a token automatically; a user has to sign in. */
  owner: TokenOwner;
  /** Names the client and service that tokens belong to: those of another one are never sent (docs/tokens.md T8). */
  binding: string;
  clock: Clock;
  onState: () => void;
};

/** Whether a later try can succeed without the user. */
function isPassing({ code }: AppFailure): boolean {
  return code === 'NETWORK' || code === 'SERVER' || code === 'RATE_LIMITED';
}

export function createTokenManager(options: TokenManagerOptions): TokenManager {
  const { endpoint, secrets, secretName, owner, binding, clock, onState } = options;
  let held: StoredToken | undefined;
  /** When the held token was obtained, by `elapsed()`; undefined if it is dated in the future, so that nothing is known of it. */
  let heldSince: number | undefined;
  let problem: AppFailure | undefined;
  let flight: Promise<StoredToken> | undefined;
  /** Grows with each sign-in and each deletion; the result of a refresh that started earlier is discarded. */
  let era = 0;
  const restored = restore();

  async function restore(): Promise<void> {
    const stored = await readStored();
    if (!stored || era > 0) return;
    adopt(stored);
    onState();
  }

  async function readStored(): Promise<StoredToken | undefined> {
    return readStoredToken(await secrets.read(secretName).catch(() => null), binding);
  }

  async function save(token: StoredToken): Promise<StoredToken> {
    await secrets.write(secretName, JSON.stringify(token));
    return adopt(token);
  }

  function adopt(token: StoredToken): StoredToken {
    held = token;
    const age = clock.now() - token.obtainedAt;
    heldSince = age < 0 ? undefined : clock.elapsed() - age;
    return token;
  }

  /** After the clock was set back the token is as old as before, so it gets new dates, on disk too. */
  async function redateHeld(): Promise<void> {
    if (!held || heldSince === undefined) return;
    const obtainedAt = clock.now() - (clock.elapsed() - heldSince);
    if (held.obtainedAt - obtainedAt <= jumpMs) return;
    held = redated(held, obtainedAt);
    onState();
    await secrets.write(secretName, JSON.stringify(held));
  }

  function refreshOnce(watch?: (response: HttpResponse) => void): Promise<StoredToken> {
    flight ??= obtain(watch)
      .then(
        (token) => {
          problem = undefined;
          return token;
        },
        (error: unknown) => {
          // Not being signed in is not a failure, and does not hide a previous one.
          const isSignedOut = !held && error instanceof AppFailure && error.details.needs === 'sign_in';
          if (!isSignedOut) problem = error instanceof AppFailure ? error : undefined;
          throw error;
        },
      )
      .finally(() => {
        flight = undefined;
        onState();
      });
    onState();
    return flight;
  }

  async function obtain(watch?: (response: HttpResponse) => void): Promise<StoredToken> {
    const refreshToken = held?.refreshToken;
    if (held && refreshToken) {
      try {
        return await refresh(held, refreshToken, watch);
      } catch (error) {
        if (!(error instanceof AppFailure) || error.code !== 'INVALID_GRANT') throw error;
        const other = await rotatedElsewhere(refreshToken);
        if (other) return isFresh(other, clock.now()) ? adopt(other) : await refresh(other, other.refreshToken, watch);
        held = undefined;
        await secrets.write(secretName, null);
        if (owner === 'user') throw error;
      }
    }
    if (owner === 'user') throw signInNeeded(held, clock.now());
    const requestedAt = clock.now();
    return store(await requestInEra({ grant: 'client_credentials' }, watch), 'client_credentials', requestedAt);
  }

  /** An answer without a refresh token or scope leaves the old ones valid (RFC 6749 §6). */
  async function refresh(
    old: StoredToken,
    refreshToken: string,
    watch?: (response: HttpResponse) => void,
  ): Promise<StoredToken> {
    const requestedAt = clock.now();
    const { scope, requestedScope } = old;
    const received = await requestInEra({ grant: 'refresh_token', refreshToken }, watch);
    return store(received, old.grant, requestedAt, { refreshToken, scope, requestedScope });
  }

  async function requestInEra(
    request: Parameters<TokenEndpoint['request']>[0],
    watch?: (response: HttpResponse) => void,
  ): Promise<ReceivedToken> {
    const startedIn = era;
    const received = await endpoint.request(request, watch);
    if (era === startedIn) return received;
    throw new AppFailure(
      'ACCESS_REFUSED',
      'The token was deleted or replaced while it was being refreshed. Try again.',
    );
  }

  /** Another process with the same store may have used the refresh token first (docs/tokens.md T14). */
  async function rotatedElsewhere(used: string): Promise<(StoredToken & { refreshToken: string }) | undefined> {
    const stored = await readStored();
    if (!stored || stored.refreshToken === null || stored.refreshToken === used) return undefined;
    return { ...stored, refreshToken: stored.refreshToken };
  }

  function store(
    received: ReceivedToken,
    grant: GrantKind,
    obtainedAt: number,
    old: Partial<Pick<StoredToken, 'scope' | 'requestedScope' | 'refreshToken'>> = {},
  ): Promise<StoredToken> {
    // The clock may have been set back during the request.
    const from = Math.min(obtainedAt, clock.now());
    return save({
      accessToken: received.accessToken,
      refreshToken: received.refreshToken ?? old.refreshToken ?? null,
      grant,
      scope: received.scope ?? old.scope ?? null,
      requestedScope: old.requestedScope ?? null,
      obtainedAt: from,
      expiresAt: received.expiresInSeconds === null ? null : from + received.expiresInSeconds * 1000,
      deviations: received.deviations,
      binding,
    });
  }

  return {
    async token() {
      await restored;
      await redateHeld();
      if (held && !flight && isFresh(held, clock.now())) return held.accessToken;
      return (await refreshOnce()).accessToken;
    },
    async tokenInsteadOf(rejected) {
      await redateHeld();
      if (held && !flight && held.accessToken !== rejected && isFresh(held, clock.now())) return held.accessToken;
      return (await refreshOnce()).accessToken;
    },
    async refresh(watch) {
      await restored;
      await refreshOnce(watch);
    },
    async accept(received, grant, obtainedAt, scope) {
      era += 1;
      await store(received, grant, obtainedAt, { requestedScope: scope || null });
      problem = undefined;
      onState();
    },
    async reload() {
      const stored = await readStored();
      if (!stored) return;
      era += 1;
      adopt(stored);
      problem = undefined;
      onState();
    },
    async delete() {
      era += 1;
      held = undefined;
      problem = undefined;
      await secrets.write(secretName, null);
      onState();
    },
    async held() {
      await restored;
      return held;
    },
    refreshAt: () => (held && !flight && (!problem || isPassing(problem)) ? refreshTimeOf(held) : undefined),
    state: () => describeState(owner, held, problem, flight !== undefined),
    card: () => describeCard({ owner, held, problem, isFetching: flight !== undefined, now: clock.now() }),
  };
}
