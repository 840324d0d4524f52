// Writes the results of attempts in groups: what comes in while one transaction runs goes into the next. Nobody waits
// for the commit, so many answers share one; a crash meanwhile only repeats them under their ids (docs/delivery.md
// S13).
import type { Logger } from 'pino';
import { describeStorageError } from '#shared/errors/storage-error.ts';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import type { AttemptRecord } from './outbox.ts';

export type AttemptRecorder = {
  add(record: AttemptRecord): void;
  /** Resolves when everything added so far is written, or could not be. */
  flush(): Promise<void>;
};

type Dependencies = {
  write: (records: readonly AttemptRecord[]) => Promise<void>;
  /** Their fate is decided: written down, or to be sent again. */
  onDone: (records: readonly AttemptRecord[]) => void;
  /** So many are written at once, without waiting for more. */
  groupSize: number;
  clock: Clock;
  log: Logger;
};

/** Longer groups share more of the database's pages, and hold the loop longer; what a crash repeats grows with them, too. */
const gatherMs = 25;
const retryEveryMs = 250;
const triedForMs = 30_000;

export function createAttemptRecorder({ write, onDone, groupSize, clock, log }: Dependencies): AttemptRecorder {
  let pending: AttemptRecord[] = [];
  let cancelGathering: CancelTimer | undefined;
  let writing: Promise<void> | undefined;
  let isFlushing = false;

  function gather(): void {
    if (pending.length === 0 || writing) return;
    if (pending.length >= groupSize) start();
    else cancelGathering ??= clock.after(gatherMs, start);
  }

  /** A database that is away for a moment must not cost what was sent, or all of it would be sent again. */
  async function persist(records: readonly AttemptRecord[]): Promise<void> {
    const deadline = clock.elapsed() + triedForMs;
    for (;;) {
      try {
        return await write(records);
      } catch (error) {
        const mayPass = describeStorageError(error) !== undefined && !isFlushing && clock.elapsed() < deadline;
        if (!mayPass) throw error;
        await new Promise<void>((resolve) => void clock.after(retryEveryMs, resolve));
      }
    }
  }

  function start(): void {
    cancelGathering?.();
    cancelGathering = undefined;
    const records = pending;
    pending = [];
    writing = persist(records)
      .catch((error: unknown) => {
        const told = { err: error, events: records.length };
        log.error(told, 'results of callbacks could not be written; they will be sent again');
      })
      .then(() => {
        writing = undefined;
        onDone(records);
        gather();
      });
  }

  return {
    add(record) {
      pending.push(record);
      gather();
    },
    async flush() {
      isFlushing = true;
      while (writing || pending.length > 0) {
        if (!writing) start();
        await writing;
      }
    },
  };
}
