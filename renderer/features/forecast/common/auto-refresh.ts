// When the forecast is fetched again automatically: every ten minutes while it is visible, after failures with growing pauses, or
// when the service's own Retry-After ends.
import { minuteMs } from '@rainbell/shared';
import type { Failure } from '../../../store/request.ts';

const everyMs = 10 * minuteMs;
/** Data older than this is called old: a fetch that was due has not come. */
export const freshForMs = everyMs + minuteMs / 2;
const maxPauseMs = 30 * minuteMs;

/** Temporary failures. */
const passing: readonly Failure['code'][] = ['NETWORK', 'SERVER', 'RATE_LIMITED', 'LINK_LOST'];

export type RefreshState = {
  /** The last answer or failure, epoch milliseconds. */
  lastAt: number;
  /** Failures since the last answer. */
  failures: number;
  failure: Failure | null;
};

/** Whether the next fetch is due; also if the last one is dated in the future, because the clock was set back since. */
export function isRefreshDue(state: RefreshState, now: number): boolean {
  const at = nextRefreshAt(state);
  return at !== undefined && (now >= at || now < state.lastAt);
}

/** The time of the next fetch; undefined if only the user can fix the error (bad input, denied access). */
export function nextRefreshAt({ lastAt, failures, failure }: RefreshState): number | undefined {
  if (!failure) return lastAt + everyMs;
  if (!passing.includes(failure.code)) return undefined;
  const { retryAfterSeconds } = failure.details;
  // The service's own value takes precedence over our pauses.
  if (retryAfterSeconds !== undefined) return lastAt + Math.max(1, retryAfterSeconds) * 1000;
  const pause = Math.min(maxPauseMs, minuteMs * 2 ** (Math.max(1, failures) - 1));
  return lastAt + pause;
}
