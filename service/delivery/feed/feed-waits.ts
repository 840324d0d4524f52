// Requests that wait for an event of their application (docs/feed.md). They run no queries while idle: an event of this process, or
// a notice of another, triggers one check for all of them.
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import type { Access } from '../../http/access.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { EventFeed, WaitingReader } from './event-feed.ts';
import type { FeedPlace } from './feed-cursor.ts';

export type FeedWaits = {
  /**
   * Resolves when the application may have events after this place, after `ms`, at the end of the process, or when `signal`
   * aborts, or for another account if too many wait and its own has the most. Throws a ServiceError if too many wait.
   */
  wait(reader: FeedReader, place: FeedPlace, ms: number, signal: AbortSignal): Promise<void>;
  /** There may be new events. */
  wake(): void;
  /** Ends all current and later waits at once. */
  close(): void;
};

export type FeedWaitLimits = { perApplication: number; total: number };
const defaultLimits: FeedWaitLimits = { perApplication: 16, total: 1_000 };
const retryAfterSeconds = '30';
/** Between two checks; the second one finds what happened meanwhile. */
const restMs = 50;
/** A transaction in progress delays newer events; its end sends no notice. */
const heldBackMs = 200;

type Options = {
  findReady: EventFeed['findReady'];
  /** The machine's own clock. */
  clock: Clock;
  log: Logger;
  limits?: FeedWaitLimits;
  /** Maximum interval between checks while requests wait: other processes may write events without a notice. */
  lookEveryMs?: number | undefined;
};

type FeedReader = Pick<Access, 'applicationId' | 'ownerId'>;
type Wait = WaitingReader & FeedReader & { end(): void };

export function createFeedWaits(options: Options): FeedWaits {
  const { findReady, clock, log, limits = defaultLimits, lookEveryMs } = options;
  const waits = new Map<number, Wait>();
  let nextKey = 1;
  let isClosed = false;
  let isWanted = false;
  let isLooking = false;
  let lookedAt = -Infinity;
  let cancelTimer: CancelTimer = () => {};

  function wake(): void {
    if (waits.size === 0 || isClosed) return;
    isWanted = true;
    if (!isLooking) lookAfter(Math.max(0, lookedAt + restMs - clock.elapsed()));
  }

  function lookAfter(ms: number): void {
    cancelTimer();
    cancelTimer = clock.after(ms, () => void look());
  }

  async function look(): Promise<void> {
    if (waits.size === 0) return;
    isLooking = true;
    isWanted = false;
    let isHeldBack = false;
    try {
      const found = await findReady([...waits.values()].map(readerOf));
      for (const key of found.keys) waits.get(key)?.end();
      isHeldBack = found.isHeldBack;
    } catch (error) {
      log.warn(
        { err: error },
        'polling the feed for events failed; waiting requests will check again when their wait ends',
      );
    }
    isLooking = false;
    lookedAt = clock.elapsed();
    if (isClosed || waits.size === 0) return;
    if (isWanted) lookAfter(restMs);
    else if (isHeldBack) lookAfter(heldBackMs);
    else if (lookEveryMs !== undefined) lookAfter(lookEveryMs);
  }

  function refuseBeyondLimits({ applicationId, ownerId }: FeedReader): void {
    const headers = { 'retry-after': retryAfterSeconds };
    if (waits.size >= limits.total && !makeRoom(ownerId)) {
      throw new ServiceError('temporarily_unavailable', 'Too many requests are waiting for events. Try again later.', {
        headers,
      });
    }
    const own = [...waits.values()].filter((wait) => wait.applicationId === applicationId);
    if (own.length < limits.perApplication) return;
    throw new ServiceError(
      'rate_limited',
      `${own.length} requests from this application are already waiting for events, which is the limit. End one, or set wait=0.`,
      { headers },
    );
  }

  /** Ends the oldest wait of the account that has the most; false if that is not clearly more than this account has. */
  function makeRoom(ownerId: string): boolean {
    const byAccount = Map.groupBy(waits.values(), (wait) => wait.ownerId);
    const [greediest = []] = [...byAccount.values()].toSorted((one, other) => other.length - one.length);
    if (greediest.length <= (byAccount.get(ownerId)?.length ?? 0) + 1) return false;
    greediest[0]?.end();
    return true;
  }

  return {
    wait({ applicationId, ownerId }, place, ms, signal) {
      if (isClosed || signal.aborted || ms <= 0) return Promise.resolve();
      refuseBeyondLimits({ applicationId, ownerId });
      return new Promise((resolve) => {
        const key = nextKey;
        nextKey += 1;
        const end = () => {
          waits.delete(key);
          cancel();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const cancel = clock.after(ms, end);
        signal.addEventListener('abort', end);
        waits.set(key, { key, applicationId, ownerId, place, end });
        // Finds what was committed after the reader's check, or was held back then.
        wake();
      });
    },
    wake,
    close() {
      isClosed = true;
      cancelTimer();
      for (const wait of waits.values()) wait.end();
    },
  };
}

function readerOf({ key, applicationId, place }: Wait): WaitingReader {
  return { key, applicationId, place };
}
