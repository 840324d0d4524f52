// Natural group commit: what arrives while one transaction is being written is the next one. No timer, so a single callback waits
// only for a few turns of the event loop and the disk. Every entry is settled after its COMMIT, or rejected if it was not stored.
import type { ReceivedCallback } from '../requests/received-callback.ts';

export type CommitEntry = {
  callback: ReceivedCallback;
  /** Called once, after the commit (`undefined`) or when storing failed, with the callback's ID. */
  settled: (error: Error | undefined, id: number) => void;
};

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/** Each some microseconds long. */
const maxGatheringTurns = 100;
/**
 * The same while connections come in. libuv accepts one per turn (libuv pull request 3696), so with a commit in each turn, a new
 * sender would wait for as many commits as there are connections before it.
 */
const maxArrivals = 1000;

export function createGroupCommit({
  append,
  batchRows,
  batchBytes,
  onCommitted,
}: {
  /** Returns the ID of the first; the others follow. */
  append: (batch: readonly ReceivedCallback[]) => number;
  batchRows: number;
  batchBytes: number;
  onCommitted: () => void;
}) {
  const queue: CommitEntry[] = [];
  let waitingBytes = 0;
  let isScheduled = false;
  let sizeAtLastTurn = 0;
  let lastBatchSize = 0;
  let turns = 0;
  let isArriving = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function takeBatch(): CommitEntry[] {
    let bytes = 0;
    const firstLeft = queue.findIndex(({ callback }, index) => {
      bytes += sizeOf(callback);
      return index === batchRows || (index > 0 && bytes > batchBytes);
    });
    return queue.splice(0, firstLeft === -1 ? queue.length : firstLeft);
  }

  function commitBatch(): void {
    if (queue.length === 0) return;
    const batch = takeBatch();
    let failure: Error | undefined;
    let id = 0;
    try {
      id = append(batch.map((entry) => entry.callback));
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    for (const entry of batch) {
      waitingBytes -= sizeOf(entry.callback);
      entry.settled(failure, id);
      id += 1;
    }
    if (!failure) onCommitted();
  }

  /**
   * Commits, unless connections still come in, or requests do and fewer wait than the last batch had: senders that got their
   * responses together send again together, so a short wait saves every second write to the disk.
   */
  function flush(): void {
    const isGrowing = queue.length > sizeAtLastTurn && queue.length < lastBatchSize && turns < maxGatheringTurns;
    const waitsForArrivals = isArriving && queue.length < batchRows && turns < maxArrivals;
    isArriving = false;
    if (isGrowing || waitsForArrivals) {
      sizeAtLastTurn = queue.length;
      turns += 1;
      setImmediate(flush);
      return;
    }
    isScheduled = false;
    sizeAtLastTurn = 0;
    turns = 0;
    lastBatchSize = Math.min(queue.length, batchRows);
    commitBatch();
    if (queue.length > 0) schedule();
  }

  return {
    /** Bytes of bodies and long heads that wait for their commit. */
    get waitingBytes(): number {
      return waitingBytes;
    },
    add(entry: CommitEntry) {
      queue.push(entry);
      waitingBytes += sizeOf(entry.callback);
      schedule();
    },
    /** Call it for each new connection, so that the next commit waits for those that are queued behind it. */
    expectMore() {
      isArriving = true;
    },
    flushAll() {
      while (queue.length > 0) commitBatch();
    },
  };
}

function sizeOf({ body, headBytes }: ReceivedCallback): number {
  return body.length + (headBytes ?? 0);
}
