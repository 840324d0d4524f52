// Holds deletes back for eight seconds, so that the user can undo them. They are held here, so a reload changes nothing; quitting
// sends them, and a crash leaves the monitors. Each goes to the service for which it was requested.
import { type Clock, within } from '@rainbell/shared';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import { limitParallel } from '../http/limit-parallel.ts';
import { createBoundedRate } from '../ports/bounded-rate.ts';

const heldMs = 8_000;
const flushLimitMs = 5_000;
/** The pace of the requests is the limit (write-pace.ts); this bounds what an edit has to wait for. */
const atOnce = 32;
/** Screens read the whole list at each notice, so a thousand deletes give few. */
const noticeEveryMs = 250;

type Held = {
  connection: Connection;
  release: () => void;
  id: string;
  deletion: NonNullable<AppMonitor['deletion']>;
};
type PendingDeletesOptions = {
  clock: Clock;
  /** Sends a DELETE at the pace of the service. */
  send: (connection: Connection, id: string) => Promise<unknown>;
  onDeleted: (connectionId: string, id: string) => void;
  onChanged: () => void;
};

export function createPendingDeletes(options: PendingDeletesOptions) {
  const { clock, onDeleted, onChanged } = options;
  const held = new Map<string, Held>();
  const batches = new Set<() => void>();
  const { report: changed } = createBoundedRate(clock, noticeEveryMs, onChanged);

  async function send(entry: Held): Promise<void> {
    const { connection, id } = entry;
    const key = keyOf(connection.profile.id, id);
    // It may have been undone, or be on its way by a flush.
    if (held.get(key) !== entry || entry.deletion.state !== 'held') return;
    entry.deletion = { state: 'sending' };
    changed();
    try {
      await options.send(connection, id).catch(ignoreNotFound);
      held.delete(key);
      onDeleted(connection.profile.id, id);
    } catch (error) {
      const { message, details } = toProblem(error);
      entry.deletion = { state: 'failed', message, trafficId: details.trafficId };
    }
    entry.release();
    changed();
  }

  async function sendAll(entries: readonly Held[]): Promise<void> {
    const inTurn = limitParallel(atOnce);
    await Promise.all(entries.map((entry) => inTurn(() => send(entry))));
  }

  return {
    hold(connection: Connection, ids: readonly string[]) {
      const entries = ids
        .filter((id) => isFree(held.get(keyOf(connection.profile.id, id))))
        .map((id): Held => ({ connection, release: connection.hold(), id, deletion: { state: 'held' } }));
      for (const entry of entries) held.set(keyOf(connection.profile.id, entry.id), entry);
      const cancel = clock.after(heldMs, () => {
        batches.delete(cancel);
        void sendAll(entries);
      });
      batches.add(cancel);
      onChanged();
    },
    /** Returns those that stay. */
    undo(connection: Connection, ids: readonly string[]): string[] {
      const restored = ids.filter((id) => {
        const key = keyOf(connection.profile.id, id);
        const entry = held.get(key);
        if (!entry || entry.deletion.state === 'sending') return false;
        if (entry.deletion.state === 'held') entry.release();
        return held.delete(key);
      });
      onChanged();
      return restored;
    },
    deletionOf: (connectionId: string, monitorId: string): AppMonitor['deletion'] =>
      held.get(keyOf(connectionId, monitorId))?.deletion ?? null,
    /** Sends what is held now. Ends within some seconds, even if the service does not respond. */
    async flush() {
      for (const cancel of batches) cancel();
      batches.clear();
      await within(clock, flushLimitMs, sendAll([...held.values()]));
    },
  };
}

function isFree(entry: Held | undefined): boolean {
  return entry === undefined || entry.deletion.state === 'failed';
}

function keyOf(connectionId: string, monitorId: string): string {
  return JSON.stringify([connectionId, monitorId]);
}

/** A monitor deleted elsewhere in the meantime is deleted. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppFailure) || error.code !== 'NOT_FOUND') throw error;
}
