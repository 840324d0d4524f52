// Combines verification (docs/verification.md): records the results of sweeps, and once a minute one process decides what is due.
// One per service process.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import { doChore, lastDone } from '../database/chores.ts';
import type { Database } from '../database/open-database.ts';
import { verificationRules } from './decide-outcome.ts';
import { createEvidenceRecorder, type EvidenceRecorder } from './evidence-recorder.ts';
import { hasDueEvents, type RegionOf, verifyEvents } from './verify-events.ts';

export type EventVerification = EvidenceRecorder & {
  start(): void;
  /** Decides what is due, unless another process did within the last minute; resolves when the result is stored. */
  verify(): Promise<void>;
  close(): Promise<void>;
};

type Dependencies = {
  database: Database;
  clock: Clock;
  log: Logger;
  regionOf: RegionOf;
};

const choreName = 'verify events';
const everyMs = 60_000;
/** Slightly less than a minute, so that the process that ran it last does not skip its next turn. */
const minMs = 50_000;

export function createVerification({ database, clock, log, regionOf }: Dependencies): EventVerification {
  const { db } = database;
  const rules = verificationRules;
  const needs = { ...database, rules, regionOf };
  let cancelTimer: CancelTimer = () => {};
  let cancelOnJump: CancelTimer = () => {};
  let isQueued = false;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    try {
      if (await hasDueEvents(needs, clock.now(), await lastDone(db, choreName))) {
        const verifyDue = (since: number) => verifyEvents(needs, clock.now(), since);
        await doChore({ db, clock, name: choreName, minMs, work: verifyDue });
      }
    } catch (error) {
      log.error({ err: error }, 'events were not verified; trying again in a minute');
    }
  }

  function verify(): Promise<void> {
    if (isQueued) return running;
    isQueued = true;
    running = running.then(() => {
      isQueued = false;
      return work();
    });
    return running;
  }

  function runAfter(delayMs: number): void {
    cancelTimer();
    cancelTimer = clock.after(delayMs, () => {
      runAfter(everyMs);
      void verify();
    });
  }

  return {
    ...createEvidenceRecorder(database, rules),
    verify,
    start() {
      runAfter(everyMs);
      cancelOnJump = clock.onJump(() => runAfter(0));
    },
    async close() {
      cancelTimer();
      cancelOnJump();
      await running;
    },
  };
}
