// How fast monitors are written: many requests at once to our own service, a request budget for others, and a pause after a 429.
import type { Clock } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';

type PaceLimits = {
  atOnce: number;
  /** Infinity: no budget. */
  perSecond: number;
};

/** Our own service has no limit on requests; more at once would only wait for its database. */
const ownServicePace: PaceLimits = { atOnce: 16, perSecond: Infinity };
/** Another service's limits are unknown; this is 300 requests a minute. */
const foreignPace: PaceLimits = { atOnce: 4, perSecond: 5 };

/** Runs one request when the pace allows it, and again after the pause that a 429 requests. */
type WritePace = <Result>(send: () => Promise<Result>) => Promise<Result>;

/** Requests that may be sent at once before the budget applies, so that single edits never wait. */
const burst = 20;
const maxTries = 5;
/** If the service requests a longer pause, the write fails. */
const maxPauseMs = 120_000;
/** The first pause if the service names none; it doubles. */
const firstPauseMs = 1_000;

/** A pace for each connection; `isOwn`: whether its service is Rainbell's. */
export function createPaces(
  clock: Clock,
  isOwn: (connection: Connection) => boolean,
): <Result>(connection: Connection, send: () => Promise<Result>) => Promise<Result> {
  const paces = new WeakMap<Connection, WritePace>();
  return (connection, send) => {
    const pace =
      paces.get(connection) ?? createWritePace(clock, () => (isOwn(connection) ? ownServicePace : foreignPace));
    paces.set(connection, pace);
    return pace(send);
  };
}

export function createWritePace(clock: Clock, limits: () => PaceLimits): WritePace {
  let running = 0;
  let pausedUntil = -Infinity;
  let budget = burst;
  let countedAt = clock.elapsed();
  let cancelTimer: (() => void) | undefined;
  const waiting: (() => void)[] = [];

  function delayMs(): number {
    const now = clock.elapsed();
    const { perSecond } = limits();
    budget = perSecond === Infinity ? burst : Math.min(burst, budget + ((now - countedAt) / 1000) * perSecond);
    countedAt = now;
    const forBudget = budget >= 1 ? 0 : ((1 - budget) / perSecond) * 1000;
    return Math.max(0, pausedUntil - now, forBudget);
  }

  function startNext(): void {
    while (waiting.length > 0 && running < limits().atOnce) {
      const delay = delayMs();
      if (delay > 0) {
        cancelTimer ??= clock.after(Math.ceil(delay), () => {
          cancelTimer = undefined;
          startNext();
        });
        return;
      }
      budget -= 1;
      running += 1;
      waiting.shift()?.();
    }
  }

  async function turn<Result>(send: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      startNext();
    });
    try {
      return await send();
    } finally {
      running -= 1;
      startNext();
    }
  }

  return async (send) => {
    for (let tries = 1; ; tries += 1) {
      try {
        // Each try waits for its turn.
        return await turn(send);
      } catch (error) {
        const pauseMs = pauseOf(error, tries);
        if (pauseMs === undefined || tries >= maxTries) throw error;
        pausedUntil = Math.max(pausedUntil, clock.elapsed() + pauseMs);
      }
    }
  };
}

/** Returns undefined if the error requests no pause, or one that is too long. */
function pauseOf(error: unknown, tries: number): number | undefined {
  if (!(error instanceof AppFailure) || error.code !== 'RATE_LIMITED') return undefined;
  const { retryAfterSeconds } = error.details;
  const pauseMs = retryAfterSeconds === undefined ? firstPauseMs * 2 ** (tries - 1) : retryAfterSeconds * 1000;
  return pauseMs > maxPauseMs ? undefined : pauseMs;
}
