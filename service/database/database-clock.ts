// The wall clock of a service on PostgreSQL: the database's, so that processes on several machines agree on cool-downs, plans, and
// expiries, however wrong their machines' clocks are. Measured at the start and periodically; between measurements it follows this
// machine's monotonic clock. Leases are compared inside statements instead (lease-clock.ts).
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type CancelTimer, type Clock, formatInstant, jumpMs } from '@rainbell/shared';
import type { Db } from './tables.ts';

export type DatabaseClock = Clock & { close(): void };

type Dependencies = {
  machineClock: Clock;
  readServerTime: () => Promise<number>;
  log: Logger;
};

const measureEveryMs = 30_000;
/** So that one slow response does not make the clock wrong until the next measurement. */
const measuredAtStart = 3;

/** Returns PostgreSQL's current time, not the transaction's start time. */
export async function readServerTime(db: Db): Promise<number> {
  const now = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return (await db.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now;
}

/** Resolves after the first measurements; rejects if the database is unavailable. */
export async function createDatabaseClock(dependencies: Dependencies): Promise<DatabaseClock> {
  const { machineClock, readServerTime, log } = dependencies;
  const listeners = new Set<() => void>();
  /** The database's clock minus the monotonic clock. */
  let offsetMs = Number.NaN;
  let warnedSkewMs = 0;
  let cancelTimer: CancelTimer = () => {};
  let measuring: Promise<void> | undefined;
  let isClosed = false;

  const now = () => machineClock.elapsed() + offsetMs;

  function warnOfSkew(): void {
    const [databaseTime, machineTime] = [now(), machineClock.now()];
    const skewMs = machineTime - databaseTime;
    if (Math.abs(skewMs - warnedSkewMs) <= jumpMs) return;
    warnedSkewMs = Math.abs(skewMs) > jumpMs ? skewMs : 0;
    const times = { databaseTime: formatInstant(databaseTime), machineTime: formatInstant(machineTime), skewMs };
    if (warnedSkewMs === 0) log.info(times, "this machine's clock matches the database's again");
    else
      log.warn(
        times,
        "this machine's clock differs from the database's, which the service uses; correct this machine's clock",
      );
  }

  async function measure(): Promise<void> {
    const requestedAt = machineClock.elapsed();
    const serverMs = await readServerTime();
    const [min, max] = [serverMs - machineClock.elapsed(), serverMs - requestedAt];
    // Don't correct the clock because of a slow response: only an offset outside the measured range is wrong.
    if (isClosed || (offsetMs >= min && offsetMs <= max)) return;
    const before = offsetMs;
    offsetMs = Math.round((min + max) / 2);
    if (Math.abs(offsetMs - before) > jumpMs) for (const run of listeners) run();
  }

  function measureAndPlan(): void {
    cancelTimer();
    if (isClosed) return;
    cancelTimer = machineClock.after(measureEveryMs, measureAndPlan);
    measuring ??= measure()
      .then(warnOfSkew)
      // The database is unavailable; the next measurement retries.
      .catch((error: unknown) => log.debug({ err: error }, "the database's clock could not be read"))
      .finally(() => (measuring = undefined));
  }

  for (let count = 0; count < measuredAtStart; count += 1) await measure();
  warnOfSkew();
  cancelTimer = machineClock.after(measureEveryMs, measureAndPlan);
  // The monotonic clock stops while a machine sleeps, so earlier measurements are too early now.
  const cancelOnJump = machineClock.onJump(measureAndPlan);

  return {
    now,
    elapsed: () => machineClock.elapsed(),
    after: (delayMs, run) => machineClock.after(delayMs, run),
    onJump(run) {
      const listener = () => run();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      cancelTimer();
      cancelOnJump();
    },
  };
}
