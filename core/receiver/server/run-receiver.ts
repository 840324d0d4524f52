// The receiver's thread put together: server, group commit, writer, retention, and notices at a bounded rate.
import { type Clock, describeStorageError, isDamage } from '@rainbell/shared';
import type { Endpoint, HeldRequest, HeldResponse, ReceiverRules } from '@rainbell/contract/app-rpc';
import { FileLostError, watchFile } from '@rainbell/shared/node';
import { connectAppDatabase } from '../../database/connect.ts';
import { createCallbackWriter } from '../records/callback-writer.ts';
import { createBoundedRate } from '../../ports/bounded-rate.ts';
import { createGroupCommit } from './group-commit.ts';
import { closeOutcomes } from '../records/stored-callback.ts';
import type { FeedProgress, ReceivedCallback } from '../requests/received-callback.ts';
import type { RecordedOutcome } from '../responses/response-outcome.ts';
import { createRefusalLog } from '../refusals/refused-requests.ts';
import { closedAccess, type ListenAccess, type ReceiverLimits } from '../access/receiver-limits.ts';
import { ReceiverServer } from './receiver-server.ts';
import { createResponsePlan } from '../rules/response-plan.ts';
import { createRetention } from '../records/retention.ts';

/** What the app's thread can call. */
export type RunningReceiver = ReturnType<typeof runReceiver>;

export type ReceiverEndpoint = Endpoint & { secrets?: readonly string[] };

/** What the thread reports on its own. */
export type ReceiverReport =
  /** New or dropped callbacks; `dropped` counts those that went for a limit since the start. At a bounded rate. */
  | { kind: 'changed'; newestId: number; total: number; dropped: number }
  /** Outcomes were recorded: rows that screens have look different. At a bounded rate. */
  | { kind: 'outcomes' }
  /** Other requests are held than before; these are all. */
  | { kind: 'held'; held: readonly HeldRequest[] }
  /** Storing failed, for instance because the disk is full; null once it works again. */
  | { kind: 'trouble'; message: string | null }
  /** The store is damaged; the thread has stopped storing. `detail` follows "because". */
  | { kind: 'damaged'; detail: string };

export type RunReceiverOptions = {
  file: string;
  limits: ReceiverLimits;
  rules: ReceiverRules;
  endpoints?: readonly ReceiverEndpoint[];
  clock: Clock;
  post: (report: ReceiverReport) => void;
  /** Which requests fail by chance, for rules that say so. */
  random?: () => number;
};

/** Screens then read their newest rows again. */
const outcomeNoticeMs = 250;
const outcomeWaitMs = 50;
const outcomeRetryMs = 1000;
/** While the disk is full, the oldest are lost. */
const maxWaitingOutcomes = 20_000;

export function runReceiver(options: RunReceiverOptions) {
  const { file, limits, rules, endpoints = [], clock, random = Math.random, post } = options;
  /** As the app changes it, and as it was found. */
  const current = { limits, endpoints, plan: createResponsePlan(rules, { clock, random }), isDamaged: false };
  const db = connectAppDatabase(file, 5000);
  // After the thread ended unexpectedly, missing outcomes are never recorded.
  closeOutcomes(db);
  const writer = createCallbackWriter(db, () => current.endpoints, guard);
  const requireOwnFile = watchFile(file);
  const changed = createBoundedRate(clock, limits.noticeInterval, () => {
    const { newestId, total } = writer.counters;
    post({ kind: 'changed', newestId, total, dropped: retention.dropped });
  });
  const retention = createRetention({
    writer,
    limits: () => current.limits,
    endpoints: () => current.endpoints,
    clock,
    onDropped: changed.report,
  });
  const rowsChanged = createBoundedRate(clock, outcomeNoticeMs, () => post({ kind: 'outcomes' }));
  const outcomes = createOutcomeQueue(clock, (recorded) => {
    tryWriting(() => writer.recordOutcomes(recorded));
    rowsChanged.report();
  });

  /** Throws after the failure was reported. */
  function tryWriting<Result>(write: () => Result): Result {
    try {
      requireOwnFile();
      const result = write();
      reportProblem(null);
      return result;
    } catch (error) {
      noteDamage(error);
      reportProblem(describeStorageError(error) ?? (error as Error).message.replace(/\.$/, ''));
      throw error;
    }
  }

  const commit = createGroupCommit({
    append: (batch) => tryWriting(() => writer.append(batch)),
    batchRows: limits.batchRows,
    batchBytes: limits.batchBytes,
    onCommitted() {
      changed.report();
      retention.look();
    },
  });
  const refusals = createRefusalLog({
    clock,
    add: (callback) => commit.add({ callback, settled: () => {} }),
    addCounts(more) {
      try {
        const uncounted = writer.addRefusals(more);
        rowsChanged.report();
        return uncounted;
      } catch {
        // They are lost; the writer reports damage.
        return [];
      }
    },
  });
  let problem: string | null = null;
  let access = closedAccess;
  let server: ReceiverServer | undefined;

  const createServer = () =>
    new ReceiverServer({
      clock,
      current,
      access,
      commit,
      record: outcomes.add,
      refuse(refusal) {
        if (!current.isDamaged && current.plan.pause === 'off') refusals.note(refusal);
      },
      onHeld: (held) => post({ kind: 'held', held }),
    });

  function reportProblem(next: string | null): void {
    if (next === problem) return;
    problem = next;
    post({ kind: 'trouble', message: next });
  }

  function requireUndamaged(): void {
    if (current.isDamaged) throw new Error('The callback database is damaged. Quit Rainbell and start it again.');
  }

  /** Nothing is deleted from a damaged store either: what the rows say may be wrong. */
  function guard<Result>(change: () => Result): Result {
    requireUndamaged();
    try {
      return change();
    } catch (error) {
      noteDamage(error);
      throw error;
    }
  }

  function noteDamage(error: unknown): void {
    if (current.isDamaged || !isDamage(error)) return;
    stopStoring();
    const detail = error instanceof FileLostError ? error.detail : 'damaged pages were found while it was in use';
    post({ kind: 'damaged', detail });
  }

  function stopStoring(): void {
    current.isDamaged = true;
    retention.cancel();
  }

  function changeStore(change: () => unknown): void {
    requireOwnFile();
    change();
    changed.report();
    retention.look();
  }

  return {
    /** Listens on the port or the next free one, in place of the current one, and returns it. */
    async listen(port: number, wanted: ListenAccess): Promise<number> {
      await server?.close();
      access = wanted;
      server = createServer();
      return server.listen(port);
    },
    /** Moves to exactly this port; if it is in use, nothing changes, and a free one is returned. */
    async move(port: number): Promise<number> {
      const next = createServer();
      const listeningPort = await next.listen(port);
      const isMoved = listeningPort === port;
      await (isMoved ? server : next)?.close();
      if (isMoved) server = next;
      return listeningPort;
    },
    setRules(next: ReceiverRules) {
      current.plan = createResponsePlan(next, { clock, random });
    },
    setLimits(next: ReceiverLimits) {
      current.limits = next;
      retention.lookAtAll();
    },
    setEndpoints(next: readonly ReceiverEndpoint[]) {
      current.endpoints = next;
      retention.lookAtAll();
    },
    respondToHeld: (callbackId: number, response: HeldResponse): boolean =>
      server?.respondToHeld(callbackId, response) === true,
    remove: (ids: readonly number[]): void => changeStore(() => writer.remove(ids)),
    /** Callbacks from a file, in one transaction. */
    store: (callbacks: readonly ReceivedCallback[]): void => changeStore(() => writer.append(callbacks)),
    /** A page of the feed, in one transaction. */
    storeFeed: (callbacks: readonly ReceivedCallback[], progress: FeedProgress): void =>
      changeStore(() => writer.appendFeed(callbacks, progress)),
    /** The store is damaged: nothing is stored or deleted from now on. */
    stopStoring,
    async clear() {
      requireUndamaged();
      await retention.clear();
      reportProblem(null);
    },
    async close() {
      await server?.close();
      refusals.flush();
      commit.flushAll();
      outcomes.close();
      rowsChanged.cancel();
      changed.cancel();
      retention.cancel();
      writer.close();
      db.close();
    },
  };
}

/** Writes outcomes together, in a separate transaction that no sender waits for. */
export function createOutcomeQueue(clock: Clock, write: (outcomes: readonly RecordedOutcome[]) => void) {
  let waiting: RecordedOutcome[] = [];
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  function writeAll(): void {
    const batch = waiting;
    waiting = [];
    cancelTimer?.();
    cancelTimer = undefined;
    if (batch.length === 0) return;
    try {
      write(batch);
    } catch {
      // Reported by the write, and tried again.
      waiting = [...batch, ...waiting].slice(-maxWaitingOutcomes);
      schedule(outcomeRetryMs);
    }
  }

  function schedule(delayMs: number): void {
    if (!isClosed) cancelTimer ??= clock.after(delayMs, writeAll);
  }

  return {
    add(outcome: RecordedOutcome) {
      waiting.push(outcome);
      schedule(outcomeWaitMs);
    },
    close() {
      isClosed = true;
      writeAll();
    },
  };
}
