// What screens show of a token: everything except the token.
import type { TokenCard, TokenOwner, TokenState } from '@rainbell/contract/app-rpc';
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
  return {
    owner,
    state: stateOf({
      held,
      problem,
      isFetching,
      isOver: held?.expiresAt != null && now >= held.expiresAt && !refreshable,
    }),
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

function stateOf(facts: Pick<Facts, 'held' | 'problem' | 'isFetching'> & { isOver: boolean }): TokenCard['state'] {
  if (facts.isFetching) return 'fetching';
  if (facts.isOver) return 'expired';
  if (facts.problem) return 'failed';
  return facts.held ? 'valid' : 'none';
}

const tenYearsMs = 10 * 365 * 86_400_000;

/** The shorter form in the app's status. */
export function describeState(
  owner: TokenOwner,
  held: StoredToken | undefined,
  problem: AppFailure | undefined,
  isFetching: boolean,
): TokenState {
  if (isFetching) return { state: 'fetching' };
  if (problem) return { state: 'failed', problem: toProblem(problem) };
  if (!held) return { state: 'none' };
  return {
    state: 'valid',
    owner,
    grant: held.grant,
    obtainedAt: formatInstant(held.obtainedAt),
    // A token without a known end does not end, as far as we know.
    expiresAt: formatInstant(held.expiresAt ?? held.obtainedAt + tenYearsMs),
  };
}

/** A user token that only the user can get. */
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

/** The card of a token that a connection cannot have. */
export function emptyCard(owner: TokenOwner): TokenCard {
  return describeCard({ owner, held: undefined, problem: undefined, isFetching: false, now: 0 });
}
