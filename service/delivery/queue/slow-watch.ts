// Detects slow attempts, with one timer for all of them.
import type { CancelTimer, Clock } from '@rainbell/shared';

export type SlowWatch<Send> = {
  began(send: Send): void;
  ended(send: Send): void;
  close(): void;
};

const lookEveryMs = 25;

/** `onSlow` is called once for each attempt that has not ended after `slowAfterMs`. */
export function createSlowWatch<Send>(
  clock: Clock,
  slowAfterMs: number,
  onSlow: (sends: readonly Send[]) => void,
): SlowWatch<Send> {
  /** In start order. */
  const young = new Map<Send, number>();
  let cancel: CancelTimer | undefined;

  function look(): void {
    cancel = undefined;
    const slow: Send[] = [];
    const before = clock.elapsed() - slowAfterMs;
    for (const [send, beganAt] of young) {
      if (beganAt > before) break;
      slow.push(send);
    }
    for (const send of slow) young.delete(send);
    lookSoon();
    if (slow.length > 0) onSlow(slow);
  }

  function lookSoon(): void {
    if (young.size > 0) cancel ??= clock.after(lookEveryMs, look);
  }

  return {
    began(send) {
      young.set(send, clock.elapsed());
      lookSoon();
    },
    ended: (send) => void young.delete(send),
    close() {
      cancel?.();
      young.clear();
    },
  };
}
