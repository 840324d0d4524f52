// Fetches the forecast again automatically while its screen is visible, and delivery states on any screen; a hidden window requests
// nothing.
import { isRefreshDue, nextRefreshAt } from '../features/forecast/common/auto-refresh.ts';
import { getDeliveryStatus } from '../features/monitors/common/delivery-status.ts';
import type { AppState, AppStore } from '../store/app-state.ts';

const checkEveryMs = 15_000;
/** A first event on its way usually arrives within a second; who watches it should not wait for the next look. */
const settleEveryMs = 1_000;

export function startAutoRefresh(store: AppStore, page: Window): void {
  const check = () => {
    if (page.document.hidden) return;
    if (isDue(store, Date.now())) void store.getState().forecast.refetch();
    if (isBoardShown(store)) void store.getState().board.load(store.getState().settings.values.savedPlaces);
    // On any screen, because a failing callback is reported at once. Services without delivery states are not queried.
    const { frame, monitors } = store.getState();
    if (frame.link.state === 'connected' && monitors.facts !== null && monitors.items.length > 0) {
      void monitors.loadFacts();
    }
  };
  setInterval(check, checkEveryMs);
  retryOnTime(store, check);
  setInterval(() => {
    if (!page.document.hidden && isBeingSent(store, Date.now())) void store.getState().monitors.loadFacts();
  }, settleEveryMs);
  page.document.addEventListener('visibilitychange', check);
}

/** A failed fetch is repeated at the second that the screen counts down to. */
function retryOnTime(store: AppStore, check: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = ({ forecast: { request, failures } }: AppState) => {
    clearTimeout(timer);
    if (request.state !== 'failed') return;
    const at = nextRefreshAt({ lastAt: request.at, failures, failure: request.failure });
    if (at !== undefined) timer = setTimeout(check, Math.max(0, at - Date.now()));
  };
  plan(store.getState());
  store.subscribe((state, before) => {
    if (state.forecast.request !== before.forecast.request) plan(state);
  });
}

function isBeingSent(store: AppStore, now: number): boolean {
  const { frame, monitors } = store.getState();
  if (frame.screen !== 'monitors' || frame.link.state !== 'connected' || monitors.facts === null) return false;
  return monitors.items.some((monitor) => getDeliveryStatus(monitor, monitors.facts, now).state === 'sending');
}

function isDue(store: AppStore, now: number): boolean {
  const { frame, forecast } = store.getState();
  const { request, failures } = forecast;
  if (frame.screen !== 'forecast' || frame.link.state !== 'connected' || isBoardShown(store)) return false;
  if (request.state !== 'done' && request.state !== 'failed') return false;
  const failure = request.state === 'failed' ? request.failure : null;
  return isRefreshDue({ lastAt: request.at, failures, failure }, now);
}

/** The board itself knows which of its forecasts are old. */
function isBoardShown(store: AppStore): boolean {
  const { frame, board, settings } = store.getState();
  const isShown = board.isOpen && settings.values.savedPlaces.length > 0;
  return isShown && frame.screen === 'forecast' && frame.link.state === 'connected';
}
