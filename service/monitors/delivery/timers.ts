// The two timers of delivery: one for all attempts that get slow, and one for the next event that is due.
import type { CancelTimer, Clock } from '@rainbell/shared';

const lookEveryMs = 25;

/** `onSlow` is called once for each attempt that has not ended after `slowAfterMs`. */
export function createSlowWatch<Send>(clock: Clock, slowAfterMs: number, onSlow: (sends: readonly Send[]) => void) {
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
    began(send: Send): void {
      young.set(send, clock.elapsed());
      lookSoon();
    },
    ended: (send: Send) => void young.delete(send),
    close(): void {
      cancel?.();
      young.clear();
    },
  };
}

/** Fires once at the earliest time set after it last fired. After a clock jump it must be set again. */
export function createWakeTimer(clock: Clock, ring: () => void) {
  let armedFor = Infinity;
  let cancel = () => {};
  return {
    ringAt(instant: number): void {
      if (instant > armedFor || instant <= clock.now()) return;
      cancel();
      armedFor = instant;
      cancel = clock.after(instant - clock.now(), () => {
        armedFor = Infinity;
        ring();
      });
    },
    cancel(): void {
      cancel();
      armedFor = Infinity;
    },
  };
}
