// Writes results of attempts in groups: those that arrive during one transaction go into the next. Nothing waits for the commit, so
// many responses share one; after a crash they are only sent again with the same IDs (docs/delivery.md S13).
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, describeStorageError } from '@rainbell/shared';
import type { SendResult } from './send-callback.ts';
import type { WaitingEvent } from './tables.ts';

/** Result of an attempt. `nextAttemptAt`: undefined if the event is finished. */
export type AttemptRecord = {
  event: WaitingEvent;
  startedAt: number;
  result: SendResult;
  state: 'delivered' | 'waiting' | 'failed' | 'gone';
  nextAttemptAt: number | undefined;
};

type Dependencies = {
  write: (records: readonly AttemptRecord[]) => Promise<void>;
  /** These records are final: written, or to be sent again. */
  onDone: (records: readonly AttemptRecord[]) => void;
  /** A group of this size is written without waiting for more. */
  groupSize: number;
  clock: Clock;
  log: Logger;
};

/** Longer groups save database writes, but block the event loop longer and repeat more after a crash. */
const gatherMs = 25;
const retryEveryMs = 250;
const triedForMs = 30_000;

export function createAttemptRecorder({ write, onDone, groupSize, clock, log }: Dependencies) {
  let pending: AttemptRecord[] = [];
  let cancelGathering: CancelTimer | undefined;
  let writing: Promise<void> | undefined;
  let isFlushing = false;

  function gather(): void {
    if (pending.length === 0 || writing) return;
    if (pending.length >= groupSize) start();
    else cancelGathering ??= clock.after(gatherMs, start);
  }

  /** Retries, because otherwise everything sent would be sent again after a short database outage. */
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
        const fields = { err: error, events: records.length };
        log.error(fields, 'delivery results could not be stored; the events will be sent again');
      })
      .then(() => {
        writing = undefined;
        onDone(records);
        gather();
      });
  }

  return {
    add(record: AttemptRecord): void {
      pending.push(record);
      gather();
    },
    /** Resolves when everything added so far is written, or could not be. */
    async flush(): Promise<void> {
      isFlushing = true;
      while (writing || pending.length > 0) {
        if (!writing) start();
        await writing;
      }
    },
  };
}
