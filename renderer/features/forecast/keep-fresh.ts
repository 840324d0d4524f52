// Fetches the forecast, or the board, again automatically while it is visible; a hidden window requests nothing.
import type { AppState, AppStore } from '../../store/app-state.ts';
import { isRefreshDue } from './common/auto-refresh.ts';

/** A failed fetch is repeated at the second that the screen counts down to. */
const checkEveryMs = 1000;

export function keepFresh(store: AppStore, page: Window): void {
  const check = () => {
    if (page.document.hidden) return;
    const state = store.getState();
    if (isDue(state, Date.now())) void state.forecast.refetch();
    // The board itself knows which of its forecasts are old.
    if (isBoardShown(state)) void state.board.load(state.settings.values.savedPlaces);
  };
  setInterval(check, checkEveryMs);
  page.document.addEventListener('visibilitychange', check);
}

function isDue(state: AppState, now: number): boolean {
  const { request, failures } = state.forecast;
  if (!isScreenShown(state) || isBoardShown(state)) return false;
  if (request.state !== 'done' && request.state !== 'failed') return false;
  const failure = request.state === 'failed' ? request.failure : null;
  return isRefreshDue({ lastAt: request.at, failures, failure }, now);
}

function isBoardShown(state: AppState): boolean {
  return isScreenShown(state) && state.board.isOpen && state.settings.values.savedPlaces.length > 0;
}

function isScreenShown({ frame }: AppState): boolean {
  return frame.screen === 'forecast' && frame.link.state === 'connected';
}
