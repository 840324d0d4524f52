// Reads the feed of the active connection's service while the user wants it (docs/feed.md): one waiting request at a time, each page
// stored together with its cursor. An idle feed costs at most one request a minute.
import { pause } from '@rainbell/shared/node';
import type { FeedState } from '@rainbell/contract/app-rpc';
import type { Parts } from '../app/feature.ts';
import { isUnknownAddress } from '../connection/api-client.ts';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import { type Connection, sandboxId } from '../connection/connection.ts';
import { hostOf } from '../http/http-headers.ts';
import { feedCursorName, type FeedProgress } from '../receiver/requests/received-callback.ts';
import { callbackOfEvent, readFeedPage } from './read-feed.ts';

/** Why nothing is read; or from which connection. */
export type WantedFeed = 'off' | 'starting' | 'paused' | Connection;

/** `source`: service and application. */
export type FeedIdentity = Pick<FeedProgress, 'connectionId' | 'source'>;

type FeedReaderDependencies = Pick<Parts, 'db' | 'receiver' | 'clock' | 'log'> & {
  wanted: () => WantedFeed;
  onChanged: () => void;
};

/** From one empty response to the next request, counted from the previous request. */
const idleMs = 60_000;
const firstRetryMs = 5_000;
const maxRetryMs = 5 * 60_000;
/** A service without a feed may get one. */
const recheckMs = 60 * 60_000;

export function createFeedReader(dependencies: FeedReaderDependencies) {
  const { wanted, db, receiver, clock, log, onChanged } = dependencies;
  const cursors = db.prepare(
    "SELECT json ->> 'cursor' AS cursor FROM documents WHERE name = ? AND json ->> 'source' = ?",
  );
  let reading: { connection: Connection; abort: AbortController; ended: Promise<void> } | undefined;
  let state: FeedState = { state: 'off', problem: null, hasGap: false };
  let isClosed = false;

  function setState(next: Partial<FeedState> & Pick<FeedState, 'state'>): void {
    const before = state;
    state = { ...state, problem: null, ...next };
    if (before.state !== state.state || before.problem?.message !== state.problem?.message || next.hasGap) onChanged();
  }

  function stop(): void {
    reading?.abort.abort();
    reading = undefined;
  }

  function apply(): void {
    const next = isClosed ? 'off' : wanted();
    if (typeof next === 'string') {
      stop();
      setState({ state: next, ...(next === 'off' ? { hasGap: false } : {}) });
    } else if (reading?.connection !== next) {
      stop();
      start(next);
    }
  }

  function start(connection: Connection): void {
    const abort = new AbortController();
    setState({ state: 'starting', hasGap: false });
    const ended = follow(connection, abort.signal).catch((error: unknown) =>
      log.error({ err: error }, 'the feed reader stopped'),
    );
    reading = { connection, abort, ended };
  }

  async function follow(connection: Connection, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        // Each request follows the one before.
        const pauseMs = await readOnce(connection, signal);
        failures = 0;
        if (pauseMs > 0) await pause(clock, pauseMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        await pause(clock, failed(error, failures), signal);
      }
    }
  }

  /** Returns how long to wait before the next request. */
  async function readOnce(connection: Connection, signal: AbortSignal): Promise<number> {
    const identity = ownIdentity(connection);
    // None before the first request. An empty one: from the oldest event.
    const cursor = cursors.get(feedCursorName + identity.connectionId, identity.source)?.['cursor'] as
      | string
      | undefined;
    const startedAt = clock.elapsed();
    const { objects, meta } = await readFeedPage(connection.api, cursor, signal);
    const now = clock.now();
    const rows = objects.map((event) => callbackOfEvent(event, now, hostOf(connection.baseUrl)));
    // What arrived after the feed was turned off is read again when it is on.
    if (signal.aborted) return 0;
    if (rows.length > 0 || meta.cursor !== cursor)
      await receiver.call('storeFeed', rows, { ...identity, cursor: meta.cursor });
    if (signal.aborted) return 0;
    setState({ state: 'reading', ...(meta.has_gap ? { hasGap: true } : {}) });
    const isIdle = rows.length === 0 && !meta.has_more && cursor !== undefined;
    return isIdle ? Math.max(0, startedAt + idleMs - clock.elapsed()) : 0;
  }

  function failed(error: unknown, failures: number): number {
    const { retryAfterSeconds = 0 } = error instanceof AppFailure ? error.details : {};
    if (isUnknownAddress(error)) {
      setState({ state: 'absent' });
      return recheckMs;
    }
    setState({ state: 'failed', problem: toProblem(error) });
    const retryMs = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), maxRetryMs);
    return Math.max(retryMs, retryAfterSeconds * 1000);
  }

  return {
    state: (): FeedState => state,
    /** Reads as is wanted now; call it after each change of what `wanted` returns. */
    apply,
    /** The same with a new request: the machine slept, so the present one may be dead. */
    resume() {
      if (!reading) return apply();
      stop();
      apply();
    },
    async close() {
      isClosed = true;
      const last = reading;
      apply();
      await last?.ended;
    },
  };
}

/** The sandbox is at another port if its own is in use. */
function ownIdentity({ profile }: Connection): FeedIdentity {
  return {
    connectionId: profile.id,
    source: `${profile.id === sandboxId ? 'sandbox' : profile.baseUrl} ${profile.clientId}`,
  };
}
