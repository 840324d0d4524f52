// Reads the delivery states again, on any screen, because a failing callback is reported at once. Services without delivery states
// are not queried, and a hidden window requests nothing.
import type { AppStore } from '../../store/app-state.ts';

const checkEveryMs = 15_000;

export function watchDeliveries(store: AppStore, page: Window): void {
  const check = () => {
    const { frame, monitors } = store.getState();
    const isPossible = monitors.facts !== null && monitors.items.length > 0 && frame.link.state === 'connected';
    if (!page.document.hidden && isPossible) void monitors.loadFacts();
  };
  setInterval(check, checkEveryMs);
  page.document.addEventListener('visibilitychange', check);
}
