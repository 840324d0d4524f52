// Reads the delivery states again, on any screen, because a failing callback is reported at once. Services without delivery states
// are not queried, and a hidden window requests nothing.
import type { AppState, AppStore } from '../../store/app-state.ts';
import { getDeliveryStatus } from './common/delivery-status.ts';

const checkEveryMs = 15_000;
/** A first event on its way usually arrives within a second; who watches it should not wait for the next look. */
const settleEveryMs = 1_000;

export function watchDeliveries(store: AppStore, page: Window): void {
  const readIf = (isDue: (state: AppState) => boolean) => () => {
    const state = store.getState();
    const { facts, items, loadFacts } = state.monitors;
    const isPossible = facts !== null && items.length > 0 && state.frame.link.state === 'connected';
    if (!page.document.hidden && isPossible && isDue(state)) void loadFacts();
  };
  const check = readIf(() => true);
  setInterval(check, checkEveryMs);
  setInterval(readIf(isBeingSent), settleEveryMs);
  page.document.addEventListener('visibilitychange', check);
}

function isBeingSent({ frame, monitors: { items, facts } }: AppState): boolean {
  const now = Date.now();
  const isSending = (monitor: (typeof items)[number]) => getDeliveryStatus(monitor, facts, now).state === 'sending';
  return frame.screen === 'monitors' && items.some(isSending);
}
