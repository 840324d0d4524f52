// If the clock was set back, existing tokens would expire too late. They stay valid, but for at most their usual lifetime from now.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import { sessionLifetimeMs } from '../accounts/sessions.ts';
import type { Db } from '../database/tables.ts';
import { linkLifetimesMs } from '../mail/links.ts';
import type { LinkPurpose } from '../mail/tables.ts';
import type { Lifetimes } from './token-store.ts';

export async function clampExpiries(db: Db, clock: Clock, lifetimes: Lifetimes): Promise<void> {
  const now = clock.now();
  const longest = {
    access_tokens: lifetimes.accessTokenSeconds * 1000,
    refresh_tokens: lifetimes.refreshTokenSeconds * 1000,
    codes: lifetimes.codeSeconds * 1000,
    sessions: sessionLifetimeMs,
  } as const;
  for (const table of Object.keys(longest) as (keyof typeof longest)[]) {
    const latest = now + longest[table];
    await db.updateTable(table).set({ expires_at: latest }).where('expires_at', '>', latest).execute();
  }
  for (const [purpose, lifetimeMs] of Object.entries(linkLifetimesMs) as [LinkPurpose, number][]) {
    const late = db
      .updateTable('mail_links')
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now + lifetimeMs);
    await late.set({ expires_at: now + lifetimeMs }).execute();
  }
}

const retryMs = 1_000;

type Dependencies = {
  db: Db;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
  lifetimes: Lifetimes;
  /** Not called after a failure: while the database is unavailable, cached tokens are all there is. */
  onClamped: () => void;
};

/** Clamps at the start and after each jump of the clock, until it succeeds. */
export function createExpiryClamp({ db, clock, machineClock, log, lifetimes, onClamped }: Dependencies) {
  let cancelOnJump: CancelTimer = () => {};
  let cancelRetry: CancelTimer = () => {};
  let running = Promise.resolve();
  async function clamp(isRetry: boolean): Promise<void> {
    cancelRetry();
    try {
      await clampExpiries(db, clock, lifetimes);
      onClamped();
    } catch (error) {
      if (!isRetry) log.error({ err: error }, 'expiry times could not be checked; trying again until it succeeds');
      cancelRetry = machineClock.after(retryMs, () => queue(true));
    }
  }
  function queue(isRetry = false): void {
    running = running.then(() => clamp(isRetry));
  }
  return {
    start(): Promise<void> {
      cancelOnJump = clock.onJump(() => queue());
      queue();
      return running;
    },
    async close(): Promise<void> {
      cancelOnJump();
      await running;
      cancelRetry();
    },
  };
}
