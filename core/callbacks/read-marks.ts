// Which callbacks the user has read: all up to one ID, and single ones above it. Callbacks that are older than the first of the
// single ones that are kept count as read, so the marks stay bounded. Requests that the receiver refused are not counted.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { maxReadIds, maxUnread, type UnreadCallbacks } from '@rainbell/contract/app-rpc';
import { openDocument } from '../database/stored-list.ts';
import type { Log } from '../ports/log.ts';
import { type CallbackPages, isShown } from '../receiver/records/callback-pages.ts';

type ReadMarksDependencies = {
  db: DatabaseSync;
  pages: Pick<CallbackPages, 'counts'>;
  log: Log;
  onChanged: () => void;
};

const marksSchema = z.object({
  throughId: z.int().min(0),
  /** Ascending, all above `throughId`. */
  ids: z.array(z.int().min(1)).max(maxReadIds),
});
type Marks = z.infer<typeof marksSchema>;

const unreadRows = `FROM callbacks WHERE id > ? AND id NOT IN (SELECT value FROM json_each(?))
  AND refusal IS NULL AND ${isShown}`;

export function createReadMarks({ db, pages, log, onChanged }: ReadMarksDependencies) {
  const count = db.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${unreadRows} LIMIT ${maxUnread + 1})`);
  const first = db.prepare(`SELECT id ${unreadRows} ORDER BY id LIMIT 1`);
  // What an earlier version stored is not new.
  const empty = { throughId: pages.counts().newestId, ids: [] };
  const document = openDocument<Marks>(db, { name: 'read callbacks', schema: marksSchema, empty });
  let marks = document.get();
  if (marks === empty) save(empty);

  function update(ids: readonly number[], throughId: number): void {
    const sorted = [...new Set(ids)].filter((id) => id > throughId).toSorted((a, b) => a - b);
    save(settle({ throughId, ids: sorted }));
    onChanged();
  }

  function save(next: Marks): void {
    marks = next;
    try {
      document.replace(marks);
    } catch (error) {
      // They hold until the app ends.
      log.warn({ err: error }, 'the read status of callbacks could not be saved');
    }
  }

  /** Moves `throughId` up to the first unread callback, and beyond if there are too many single marks. */
  function settle({ throughId, ids }: Marks): Marks {
    const oldest = first.get(throughId, JSON.stringify(ids))?.['id'];
    const reached = oldest === undefined ? Math.max(throughId, pages.counts().newestId) : Number(oldest) - 1;
    const min = ids.at(-maxReadIds - 1) ?? 0;
    const through = Math.max(reached, min);
    return { throughId: through, ids: ids.filter((id) => id > through) };
  }

  return {
    unread(): UnreadCallbacks {
      // After a restore, IDs can restart below the marks.
      if (marks.throughId > pages.counts().newestId) marks = { throughId: pages.counts().newestId, ids: [] };
      const found = Number(count.get(marks.throughId, JSON.stringify(marks.ids))?.['count'] ?? 0);
      return { count: Math.min(found, maxUnread), isMore: found > maxUnread, ...marks };
    },
    mark(ids: readonly number[]) {
      const { newestId } = pages.counts();
      const fresh = ids.filter((id) => id > marks.throughId && id <= newestId && !marks.ids.includes(id));
      if (fresh.length > 0) update([...marks.ids, ...fresh], marks.throughId);
    },
    markAll: (): void => update([], pages.counts().newestId),
  };
}
