// What screens show of a token: everything except the token.
import type { TokenCard, TokenOwner } from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { StoredToken } from './stored-token.ts';

type Facts = {
  owner: TokenOwner;
  held: StoredToken | undefined;
  problem: AppFailure | undefined;
  isFetching: boolean;
  now: number;
};

export function describeCard({ owner, held, problem, isFetching, now }: Facts): TokenCard {
  const refreshable = held !== undefined && (held.refreshToken !== null || owner === 'application');
  const isOver = held?.expiresAt != null && now >= held.expiresAt && !refreshable;
  const settled = isOver ? 'expired' : problem ? 'failed' : held ? 'valid' : 'none';
  return {
    owner,
    state: isFetching ? 'fetching' : settled,
    grant: held?.grant ?? null,
    scope: held?.scope ?? null,
    requestedScope: held?.requestedScope ?? null,
    obtainedAt: held ? formatInstant(held.obtainedAt) : null,
    expiresAt: held?.expiresAt == null ? null : formatInstant(held.expiresAt),
    refreshable,
    lastProblem: problem ? toProblem(problem) : null,
    deviations: held?.deviations ?? [],
  };
}

export function signInNeeded(held: StoredToken | undefined, now: number): AppFailure {
  return new AppFailure('ACCESS_REFUSED', signInText(held, now), { needs: 'sign_in' });
}

function signInText(held: StoredToken | undefined, now: number): string {
  if (!held) return 'You aren’t signed in. Sign in on the Access screen.';
  if (held.expiresAt === null || now < held.expiresAt) {
    return 'The service no longer accepts your user token, and it can’t be refreshed without you. Sign in again.';
  }
  return `The sign-in expired at ${formatInstant(held.expiresAt)} and can’t be refreshed without you. Sign in again.`;
}

/** The card of a token that a connection does not have. */
export function emptyCard(owner: TokenOwner): TokenCard {
  return describeCard({ owner, held: undefined, problem: undefined, isFetching: false, now: 0 });
}
