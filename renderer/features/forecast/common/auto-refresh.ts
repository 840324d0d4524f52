// When the forecast is fetched again automatically: every ten minutes while it is visible, after failures with growing pauses, or
// when the service's own Retry-After ends.
import { minuteMs } from '@rainbell/shared';
import type { AppStore } from '../../../store/app-state.ts';
import type { Failure, Request } from '../../../store/request.ts';

const everyMs = 10 * minuteMs;
/** Data older than this is called old: a fetch that was due has not come. */
export const freshForMs = everyMs + minuteMs / 2;
const maxPauseMs = 30 * minuteMs;

/** Temporary failures. */
const passing: readonly Failure['code'][] = ['NETWORK', 'SERVER', 'RATE_LIMITED', 'LINK_LOST'];

/** Whether the next fetch is due; also if the last one is dated in the future, because the clock was set back since. */
export function isRefreshDue(request: Request, failures: number, now: number): boolean {
  const at = nextRefreshAt(request, failures);
  return at !== undefined && 'at' in request && (now >= at || now < request.at);
}

/**
 * The time of the next fetch; `failures`: those since the last response. Undefined before the first fetch, while one runs, and if only
 * the user can fix the error (bad input, denied access).
 */
export function nextRefreshAt(request: Request, failures: number): number | undefined {
  if (request.state === 'done') return request.at + everyMs;
  if (request.state !== 'failed' || !passing.includes(request.failure.code)) return undefined;
  const { retryAfterSeconds } = request.failure.details;
  // The service's own value takes precedence over our pauses.
  if (retryAfterSeconds !== undefined) return request.at + Math.max(1, retryAfterSeconds) * 1000;
  return request.at + Math.min(maxPauseMs, minuteMs * 2 ** (Math.max(1, failures) - 1));
}

/** A failed fetch is repeated at the second that the screen counts down to. */
const checkEveryMs = 1000;

/** Fetches the forecast, or the board, again while it is visible; a hidden window requests nothing. */
export function keepFresh(store: AppStore, page: Window): void {
  const check = () => {
    const { frame, forecast, board, settings } = store.getState();
    if (page.document.hidden || frame.screen !== 'forecast' || frame.link.state !== 'connected') return;
    const { savedPlaces } = settings.values;
    // The board fetches only those of its forecasts that are due.
    if (board.isOpen && savedPlaces.length > 0) void board.load(savedPlaces);
    else if (isRefreshDue(forecast.request, forecast.failures, Date.now())) void forecast.refetch();
  };
  setInterval(check, checkEveryMs);
  page.document.addEventListener('visibilitychange', check);
}
