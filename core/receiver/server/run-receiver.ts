// The receiver's thread put together: server, group commit, writer, retention, and notices at a bounded rate.
import { type Clock, describeStorageError, isDamage } from '@rainbell/shared';
import type { ReceiverRules } from '@rainbell/contract/app-rpc';
import { FileLostError, watchFile } from '@rainbell/shared/node';
import { connectAppDatabase } from '../../database/connect.ts';
import { createCallbackWriter, type CallbackWriter } from '../records/callback-writer.ts';
import { createBoundedRate } from '../../ports/bounded-rate.ts';
import { createGroupCommit } from './group-commit.ts';
import { createOutcomeQueue } from './outcome-queue.ts';
import { closeOutcomes } from '../records/outcome-store.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';
import { createRefusalLog, type Refusal } from '../refusals/refusal-log.ts';
import type { RecordedOutcome } from '../responses/response-outcome.ts';
import { closedAccess, type ListenAccess } from '../access/listen-access.ts';
import type { ReceiverLimits } from '../access/receiver-limits.ts';
import type { FromReceiver, ReceiverEndpoint, ToReceiver } from './receiver-messages.ts';
import { createReceiverServer, type ReceiverServer } from './receiver-server.ts';
import { senderResponse } from '../responses/sender-response.ts';
import { createResponsePlan } from '../rules/response-plan.ts';
import { createRetention } from '../records/retention.ts';

export type RunningReceiver = { handle(message: ToReceiver): Promise<{ port?: number; wasHeld?: boolean }> };

type RunReceiverOptions = {
  file: string;
  limits: ReceiverLimits;
  rules: ReceiverRules;
  endpoints?: readonly ReceiverEndpoint[];
  clock: Clock;
  post: (message: FromReceiver) => void;
  /** Which requests fail by chance, for rules that say so. */
  random?: () => number;
};

/** Screens then read their newest rows again. */
const outcomeNoticeMs = 250;

export function runReceiver(options: RunReceiverOptions): RunningReceiver {
  const { file, rules, clock, random = Math.random, post } = options;
  let { limits, endpoints = [] } = options;
  const db = connectAppDatabase(file);
  // After the thread ended unexpectedly, missing outcomes are never recorded.
  closeOutcomes(db);
  const writer = createCallbackWriter(db, () => endpoints, guard);
  const requireOwnFile = watchFile(file);
  let isDamaged = false;
  const changed = createBoundedRate(clock, limits.noticeInterval, () => {
    const { newestId, total } = writer.counters;
    post({ kind: 'changed', newestId, total, dropped: retention.dropped });
  });
  const retention = createRetention({
    writer,
    limits: () => limits,
    endpoints: () => endpoints,
    clock,
    onDropped: changed.report,
  });
  const outcomes = createOutcomeQueue({
    clock,
    write: (recorded) => void store([], recorded),
    onRecorded: createBoundedRate(clock, outcomeNoticeMs, () => post({ kind: 'outcomes' })),
  });

  /** Throws after the failure was reported. */
  function store(batch: readonly ReceivedCallback[], recorded: readonly RecordedOutcome[]): number {
    try {
      requireOwnFile();
      const firstId = writer.append(batch, recorded);
      reportProblem(null);
      return firstId;
    } catch (error) {
      noteDamage(error);
      reportProblem(describeStorageError(error) ?? String(error));
      throw error;
    }
  }

  const commit = createGroupCommit({
    append: (batch) => outcomes.writeWith((recorded) => store(batch, recorded)),
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
    addCounts: (more) => tryToCount(() => writer.addRefusals(more)) && outcomes.changed(),
  });
  let plan = createResponsePlan(rules, { clock, random });
  let problem: string | null = null;
  let access = closedAccess;
  const serverOptions = () => ({
    clock,
    limits: () => limits,
    commit,
    plan: () => plan,
    respondAsSender: (callback: ReceivedCallback) => senderResponse(callback, endpoints),
    isDamaged: () => isDamaged,
    access,
    record: outcomes.add,
    refuse: (refusal: Refusal) => {
      if (!isDamaged && plan.pause === 'off') refusals.note(refusal);
    },
    onHeld: () => post({ kind: 'held', held: server?.held() ?? [] }),
  });
  let server: ReceiverServer | undefined;

  function reportProblem(next: string | null): void {
    if (next === problem) return;
    problem = next;
    post({ kind: 'trouble', message: next });
  }

  /** Nothing is deleted from a damaged store either: what the rows say may be wrong. */
  function guard<Result>(change: () => Result): Result {
    requireUndamaged(isDamaged);
    try {
      return change();
    } catch (error) {
      noteDamage(error);
      throw error;
    }
  }

  function noteDamage(error: unknown): void {
    if (isDamaged || !isDamage(error)) return;
    stopStoring();
    const detail = error instanceof FileLostError ? error.detail : 'damaged pages were found while it was in use';
    post({ kind: 'damaged', detail });
  }

  function stopStoring(): void {
    isDamaged = true;
    retention.cancel();
  }

  async function listen(port: number, wanted: ListenAccess): Promise<{ port: number }> {
    await server?.close();
    access = wanted;
    server = createReceiverServer(serverOptions());
    return { port: await server.listen(port) };
  }

  async function move(port: number): Promise<{ port: number }> {
    const next = createReceiverServer(serverOptions());
    const listeningPort = await next.listen(port);
    const isMoved = listeningPort === port;
    await (isMoved ? server : next)?.close();
    if (isMoved) server = next;
    return { port: listeningPort };
  }

  async function close(): Promise<void> {
    await server?.close();
    refusals.flush();
    commit.flushAll();
    outcomes.close();
    changed.cancel();
    retention.cancel();
    writer.close();
    db.close();
  }

  return {
    async handle(message) {
      switch (message.kind) {
        case 'listen':
          return listen(message.port, message.access);
        case 'move':
          return move(message.port);
        case 'rules':
          plan = createResponsePlan(message.rules, { clock, random });
          return {};
        case 'answer-held':
          return { wasHeld: server?.respondToHeld(message.callbackId, message.response) === true };
        case 'limits':
          limits = message.limits;
          retention.lookAtAll();
          return {};
        case 'endpoints':
          endpoints = message.endpoints;
          retention.lookAtAll();
          return {};
        case 'remove':
        case 'store':
        case 'store-feed':
          requireOwnFile();
          changeStore(writer, message);
          changed.report();
          retention.look();
          return {};
        case 'stop-storing':
          stopStoring();
          return {};
        case 'clear':
          requireUndamaged(isDamaged);
          await retention.clear();
          reportProblem(null);
          return {};
        case 'close':
          await close();
          return {};
      }
    },
  };
}

type StoreChange = Extract<ToReceiver, { kind: 'remove' | 'store' | 'store-feed' }>;

function changeStore(writer: CallbackWriter, message: StoreChange): void {
  if (message.kind === 'remove') writer.remove(message.ids);
  else if (message.kind === 'store') writer.append(message.callbacks);
  else writer.appendFeed(message.callbacks, message.progress);
}

function requireUndamaged(isDamaged: boolean): void {
  if (isDamaged) throw new Error('The callback database is damaged. Quit Rainbell and start it again.');
}

/** Counts of refused requests are lost if they cannot be stored; the writer reports damage. */
function tryToCount(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}
