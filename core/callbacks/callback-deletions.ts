// Deleting with a way back: the callbacks are hidden at once, in a temporary table, and removed when the time for undoing is over, or
// when the app closes. After a crash in that time, they are back.
import { randomUUID } from 'node:crypto';
import { formatInstant } from '@rainbell/shared';
import type { CallbackChoice } from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackSearch } from './callback-search.ts';

const undoMs = 8000;
const sliceRows = 500;

type CallbackDeletionsDependencies = Pick<Base, 'db' | 'clock' | 'log'> & {
  search: Pick<CallbackSearch, 'ids'>;
  remove: (ids: readonly number[]) => Promise<void>;
  onChanged: () => void;
};

export function createCallbackDeletions(dependencies: CallbackDeletionsDependencies) {
  const { db, search, remove, clock, log, onChanged } = dependencies;
  const hide = db.prepare(
    `INSERT OR IGNORE INTO callback_deletions (callback_id, deletion)
     SELECT id, ? FROM callbacks WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const show = db.prepare('DELETE FROM callback_deletions WHERE deletion = ?');
  const forget = db.prepare('DELETE FROM callback_deletions WHERE callback_id IN (SELECT value FROM json_each(?))');
  const some = db.prepare('SELECT callback_id FROM callback_deletions WHERE deletion = ? LIMIT ?');
  /** By deletion: cancels its timer. */
  const held = new Map<string, () => void>();
  let isClosed = false;
  let running = Promise.resolve();

  const idsOf = (deletion: string) => some.all(deletion, sliceRows).map((row) => Number(row['callback_id']));

  async function removeNow(deletion: string): Promise<void> {
    try {
      for (let ids = idsOf(deletion); ids.length > 0; ids = idsOf(deletion)) {
        await remove(ids);
        forget.run(JSON.stringify(ids));
      }
    } catch (error) {
      // They stay hidden until the app closes.
      log.warn({ err: error }, 'deleted callbacks could not be removed yet');
    }
    onChanged();
  }

  function makeFinal(deletion: string): void {
    held.get(deletion)?.();
    held.delete(deletion);
    running = running.then(() => removeNow(deletion));
  }

  return {
    async delete(choice: CallbackChoice): Promise<{ deletionId: string; count: number; undoUntil: string }> {
      const deletionId = randomUUID();
      let count = 0;
      for await (const ids of search.ids(choice)) {
        if (isClosed) break;
        count += Number(hide.run(deletionId, JSON.stringify(ids)).changes);
      }
      if (count > 0)
        held.set(
          deletionId,
          clock.after(undoMs, () => makeFinal(deletionId)),
        );
      onChanged();
      return { deletionId, count, undoUntil: formatInstant(clock.now() + undoMs) };
    },
    /** Throws NOT_FOUND where they are gone for good. */
    undo(deletionId: string): { count: number } {
      const cancelTimer = held.get(deletionId);
      if (!cancelTimer) {
        throw new AppFailure('NOT_FOUND', 'It’s too late to undo: these callbacks have already been deleted.', {
          field: 'deletionId',
        });
      }
      cancelTimer();
      held.delete(deletionId);
      const count = Number(show.run(deletionId).changes);
      onChanged();
      return { count };
    },
    /** Makes all deletions final. */
    async close() {
      isClosed = true;
      for (const deletion of held.keys()) makeFinal(deletion);
      await running;
    },
  };
}
