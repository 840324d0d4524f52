import type { Clock } from '../time/clock.ts';

/** Resolves after `ms` of the monotonic clock, or as soon as the signal aborts. */
export function pause(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}
