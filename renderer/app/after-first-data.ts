// For what the first screen does not need: it is loaded once the screen has its data.
import type { AppStore } from '#renderer/store/app-state.ts';
import { atRest } from '#renderer/ui/hooks/at-rest.ts';

/** Without a fetch, as on another screen or while the service starts, it is loaded after this. */
const maxWaitMs = 3000;

/** Resolves when the first fetch has ended, the user has left the screen, or after three seconds, and the browser has nothing to do. */
export async function afterFirstData(store: AppStore): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, maxWaitMs);
    const stop = store.subscribe(({ forecast: { request }, frame }) => {
      if (frame.screen !== 'forecast' || (request.state !== 'idle' && request.state !== 'loading')) end();
    });
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
  await atRest();
}
