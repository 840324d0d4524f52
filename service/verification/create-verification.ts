// Combines verification (docs/verification.md): records the results of sweeps, and once a minute one process decides what is due.
// One per service process.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { doChore } from '../database/chores.ts';
import { createHousekeeping } from '../database/housekeeping.ts';
import type { Database } from '../database/open-database.ts';
import { createEvidenceRecorder } from './evidence-recorder.ts';
import { hasDueEvents, type RegionOf, verifyEvents } from './verify-events.ts';

type Dependencies = {
  database: Database;
  clock: Clock;
  log: Logger;
  regionOf: RegionOf;
};

/** Slightly less than a minute, so that the process that ran it last does not skip its next turn. */
const minMs = 50_000;

export function createVerification({ database, clock, log, regionOf }: Dependencies) {
  const { db } = database;
  const needs = { ...database, regionOf };
  let running = Promise.resolve();

  /** Decides what is due, unless another process did within the last minute; resolves when the result is stored. */
  const verify = () => (running = running.then(verifyNow, verifyNow));
  const verifyNow = () =>
    doChore({
      db,
      clock,
      name: 'verify events',
      minMs,
      isDue: (since) => hasDueEvents(needs, clock.now(), since),
      work: (since) => verifyEvents(needs, clock.now(), since),
    });

  const onError = (error: unknown) => log.error({ err: error }, 'events were not verified; trying again in a minute');
  const timer = createHousekeeping({ clock, work: verify, onError, everyMs: 60_000, afterJumpMs: 0 });
  return { ...createEvidenceRecorder(database), ...timer, verify };
}
