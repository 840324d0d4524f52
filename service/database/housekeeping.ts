// Work that runs a minute after the start, because a desktop's service may run for minutes only, and then once an hour if nothing else
// is given: mostly, it deletes old data. A wrong clock must not cost data: after a jump it waits for ten minutes by default, in which a
// wrongly set clock is usually corrected.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import { type Chore, doChore } from './chores.ts';

export type Housekeeping = ReturnType<typeof createHousekeeping>;

type HousekeepingOptions = {
  clock: Clock;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  everyMs?: number;
  afterJumpMs?: number;
};

export function createHousekeeping(options: HousekeepingOptions) {
  const { clock, work, onError, everyMs = 3_600_000, afterJumpMs = 600_000 } = options;
  let cancelTimer: CancelTimer = () => {};
  let cancelOnJump: CancelTimer = () => {};
  let running = Promise.resolve();

  function runAfter(delayMs: number): void {
    cancelTimer();
    cancelTimer = clock.after(delayMs, () => {
      runAfter(everyMs);
      running = work().catch(onError);
    });
  }

  return {
    start() {
      runAfter(60_000);
      cancelOnJump = clock.onJump(() => runAfter(afterJumpMs));
    },
    async close() {
      cancelTimer();
      cancelOnJump();
      await running;
    },
  };
}

/** A chore that one process does each hour. `timer`: if not the service's clock. */
export function createHourlyChore({ timer, log, ...chore }: Chore & { timer?: Clock; log: Logger }): Housekeeping {
  return createHousekeeping({
    clock: timer ?? chore.clock,
    work: () => doChore(chore),
    onError: (error) => log.error({ err: error, chore: chore.name }, 'a chore was not done'),
  });
}
