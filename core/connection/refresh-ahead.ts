// Refreshes the token in use before it expires, so that a request rarely waits for it. Only the active connection's, only
// while something uses it, and at most every 30 s however short tokens live; otherwise the next use refreshes it.
import type { CancelTimer, Clock } from '@rainbell/shared';
import type { ActiveConnection } from './active-connection.ts';

type RefreshAheadDependencies = {
  activeConnection: Pick<ActiveConnection, 'present'>;
  /** Whether a window, or the receiver, needs the connection. */
  isInUse: () => boolean;
  clock: Clock;
};

const minPauseMs = 30_000;
const pauseAfterFailureMs = 5 * 60_000;

export function createRefreshAhead({ activeConnection, isInUse, clock }: RefreshAheadDependencies) {
  let cancelTimer: CancelTimer = () => {};
  let isClosed = false;
  /** By `elapsed()`: no refresh before it. */
  let notBefore = 0;

  function plan(): void {
    cancelTimer();
    const refreshAt = isClosed ? undefined : activeConnection.present()?.refreshAt();
    if (refreshAt === undefined) return;
    const delayMs = Math.max(refreshAt - clock.now(), notBefore - clock.elapsed(), 0);
    cancelTimer = clock.after(delayMs, () => void refresh());
  }

  async function refresh(): Promise<void> {
    notBefore = clock.elapsed() + minPauseMs;
    if (isInUse())
      await activeConnection
        .present()
        ?.prepareToken()
        .catch(() => (notBefore = clock.elapsed() + pauseAfterFailureMs));
    plan();
  }

  return {
    /** Plans the next refresh from the current state; call it after each change of the connection or its tokens. */
    plan,
    close() {
      isClosed = true;
      cancelTimer();
    },
  };
}
