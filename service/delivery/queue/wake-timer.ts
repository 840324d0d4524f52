// Fires once at the earliest time set after it last fired. After a clock jump it must be set again.
import type { Clock } from '@rainbell/shared';

export type WakeTimer = { ringAt(instant: number): void; cancel(): void };

export function createWakeTimer(clock: Clock, ring: () => void): WakeTimer {
  let armedFor = Infinity;
  let cancel = () => {};
  return {
    ringAt(instant) {
      if (instant > armedFor || instant <= clock.now()) return;
      cancel();
      armedFor = instant;
      cancel = clock.after(instant - clock.now(), () => {
        armedFor = Infinity;
        ring();
      });
    },
    cancel() {
      cancel();
      armedFor = Infinity;
    },
  };
}
