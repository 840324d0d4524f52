// Which callbacks the user has read: all up to the newest one that was opened. Requests that the receiver refused are not counted.
import { z } from 'zod';
import { maxUnread, type UnreadCallbacks } from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import { openDocument } from '../database/stored-document.ts';
import { type CallbackPages, isShown } from '../receiver/records/callback-pages.ts';

type ReadMarksDependencies = Pick<Base, 'db' | 'log'> & {
  pages: Pick<CallbackPages, 'counts'>;
  onChanged: () => void;
};

const marksSchema = z.object({ throughId: z.int().min(0) });

export function createReadMarks({ db, pages, log, onChanged }: ReadMarksDependencies) {
  const count = db.prepare(
    `SELECT count(*) AS count FROM
       (SELECT 1 FROM callbacks WHERE id > ? AND refusal IS NULL AND ${isShown} LIMIT ${maxUnread + 1})`,
  );
  // What an earlier version stored is not new.
  const empty = { throughId: pages.counts().newestId };
  const document = openDocument(db, { name: 'read callbacks', schema: marksSchema, empty });
  let { throughId } = document.get();
  if (document.get() === empty) save();

  function save(): void {
    try {
      document.replace({ throughId });
    } catch (error) {
      // It holds until the app ends.
      log.warn({ err: error }, 'the read status of callbacks could not be saved');
    }
  }

  return {
    unread(): UnreadCallbacks {
      // After a restore, IDs can restart below the mark.
      throughId = Math.min(throughId, pages.counts().newestId);
      const found = Number(count.get(throughId)?.['count'] ?? 0);
      return { count: Math.min(found, maxUnread), isMore: found > maxUnread, throughId };
    },
    /** This callback and all before it. */
    mark(id: number) {
      const next = Math.min(id, pages.counts().newestId);
      if (next <= throughId) return;
      throughId = next;
      save();
      onChanged();
    },
  };
}
