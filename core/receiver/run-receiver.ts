// The receiver's thread put together: server, group commit, writer, retention, and notices at a bounded rate.
import type { Clock } from '#shared/time/clock.ts';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import type { ReceiverRules } from '#contract/app-rpc/rules.ts';
import { describeStorageError, isDamage } from '#shared/errors/storage-error.ts';
import { FileLostError, watchFile } from '#storage/file-watch.ts';
import { connectAppDatabase } from '../database/app-database.ts';
import { createCallbackWriter, type CallbackWriter } from './callback-writer.ts';
import { createGroupCommit } from './group-commit.ts';
import { closedAccess, type ListenAccess } from './listen-access.ts';
import type { ReceiverLimits } from './receiver-limits.ts';
import type { FromReceiver, ToReceiver } from './receiver-messages.ts';
import { createReceiverServer, type ReceiverServer } from './receiver-server.ts';
import { createResponsePlan } from './response-plan.ts';
import { createRetention } from './retention.ts';

export type RunningReceiver = { handle(message: ToReceiver): Promise<{ port?: number }> };

type RunReceiverOptions = {
  file: string;
  limits: ReceiverLimits;
  rules: ReceiverRules;
  endpoints?: readonly Endpoint[];
  clock: Clock;
  post: (message: FromReceiver) => void;
};

export function runReceiver(options: RunReceiverOptions): RunningReceiver {
  const { file, rules, clock, post } = options;
  let { limits, endpoints = [] } = options;
  const db = connectAppDatabase(file);
  const writer = guardWriter(createCallbackWriter(db, () => endpoints));
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
    onDropped: changed.tell,
  });
  const commit = createGroupCommit({
    append(batch) {
      try {
        requireOwnFile();
        writer.append(batch);
        tellTrouble(null);
      } catch (error) {
        noteDamage(error);
        tellTrouble(describeStorageError(error) ?? String(error));
        throw error;
      }
    },
    batchRows: limits.batchRows,
    batchBytes: limits.batchBytes,
    onCommitted() {
      changed.tell();
      retention.look();
    },
  });
  let plan = createResponsePlan(rules);
  let trouble: string | null = null;
  let access = closedAccess;
  const serverParts = () => ({
    clock,
    limits: () => limits,
    commit,
    plan: () => plan,
    isDamaged: () => isDamaged,
    access,
  });
  let server: ReceiverServer | undefined;

  function tellTrouble(next: string | null): void {
    if (next === trouble) return;
    trouble = next;
    post({ kind: 'trouble', message: next });
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

  /** Nothing is deleted from a damaged store either: what the rows say may be wrong. */
  function guardWriter(inner: CallbackWriter): CallbackWriter {
    const change = <Result>(work: () => Result): Result => {
      if (isDamaged) throw new Error('The callback store is damaged. Quit Rainbell and start it again.');
      try {
        return work();
      } catch (error) {
        noteDamage(error);
        throw error;
      }
    };
    return {
      ...inner,
      get counters() {
        return inner.counters;
      },
      append: (batch) => change(() => inner.append(batch)),
      dropOldest: (count, endpointId) => change(() => inner.dropOldest(count, endpointId)),
      remove: (ids) => change(() => inner.remove(ids)),
    };
  }

  async function listen(port: number, wanted: ListenAccess): Promise<{ port: number }> {
    await server?.close();
    access = wanted;
    server = createReceiverServer(serverParts());
    return { port: await server.listen(port) };
  }

  async function move(port: number): Promise<{ port: number }> {
    const next = createReceiverServer(serverParts());
    const listeningPort = await next.listen(port);
    const isMoved = listeningPort === port;
    await (isMoved ? server : next)?.close();
    if (isMoved) server = next;
    return { port: listeningPort };
  }

  async function close(): Promise<void> {
    await server?.close();
    commit.flushAll();
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
          plan = createResponsePlan(message.rules);
          return {};
        case 'limits':
          limits = message.limits;
          retention.lookAtAll();
          return {};
        case 'endpoints':
          endpoints = message.endpoints;
          retention.lookAtAll();
          return {};
        case 'remove':
          writer.remove(message.ids);
          changed.tell();
          return {};
        case 'store':
          writer.append(message.callbacks.map((callback) => ({ ...callback, body: Buffer.from(callback.body) })));
          changed.tell();
          retention.look();
          return {};
        case 'stop-storing':
          stopStoring();
          return {};
        case 'clear':
          await retention.clear();
          tellTrouble(null);
          return {};
        case 'close':
          await close();
          return {};
      }
    },
  };
}

/** Calls `run` at once, and then at most once per interval however often it is told. */
function createBoundedRate(
  clock: Clock,
  intervalMs: number,
  run: () => void,
): { tell: () => void; cancel: () => void } {
  let cancelTimer: (() => void) | undefined;
  let isTold = false;
  function tell(): void {
    if (cancelTimer) {
      isTold = true;
      return;
    }
    run();
    cancelTimer = clock.after(intervalMs, () => {
      cancelTimer = undefined;
      if (isTold) {
        isTold = false;
        tell();
      }
    });
  }
  return { tell, cancel: () => cancelTimer?.() };
}
