// Opens, reads again, and clears callbacks: loaded after the first screen.
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { addOlder, emptyLog, oldestId, replaceRows, rowCount } from './callback-log.ts';
import { type CallbackActions, type CallbacksSlice, pageSize } from './callbacks-slice.ts';
import { isUnread } from './unread-text.ts';

export function createCallbackActions(tools: SliceTools<CallbacksSlice>): CallbackActions {
  const { client, read, change } = tools;
  return {
    loadOlder: oneAtATime(() => readOlder(tools)),
    async select(id) {
      change({ selectedId: id, selected: read().selected?.id === id ? read().selected : null });
      if (id === null) return;
      const isCurrent = () => read().selectedId === id;
      const selected = await runRequest(
        (selectedRequest) => {
          if (isCurrent()) change({ selectedRequest });
        },
        () => client.callbacks.get({ id }),
      );
      if (!selected || !isCurrent()) return;
      change({ selected });
      if (!isUnread(read().unread, id)) return;
      const unread = await client.callbacks.markRead({ ids: [id] }).catch(() => null);
      if (unread) change({ unread });
    },
    reread: oneAtATime(async () => {
      await runRequest(
        (request) => change({ request }),
        () => readAgain(tools),
      );
      const { selectedId } = read();
      if (selectedId !== null) await read().select(selectedId);
    }),
    readOutcomes: oneAtATime(async () => {
      const page = await client.callbacks.list({ limit: pageSize }).catch(() => null);
      const { log, version, selectedId, selected } = read();
      if (!page || !replaceRows(log, page.items)) return;
      change({ version: version + 1 });
      if (selected?.id === selectedId && selected?.outcome.kind === 'waiting') await read().select(selectedId);
    }),
    async setNote(id, note) {
      await runRequest(
        (noting) => change({ noting }),
        () => client.callbacks.setNote({ id, note }),
      );
    },
    async markAllRead() {
      const unread = await client.callbacks.markAllRead().catch(() => null);
      if (unread) change({ unread });
    },
    async clear() {
      const cleared = await runRequest(
        (clearing) => change({ clearing }),
        () => client.callbacks.clear(),
      );
      if (!cleared) return false;
      change({ log: emptyLog(), version: read().version + 1, total: 0, selectedId: null, selected: null });
      void read().loadNew();
      return true;
    },
  };
}

/** So many rows are read again at most; what lay below is loaded anew when it comes into view. */
const rereadAtMost = 2000;

async function readAgain({ client, read, change }: SliceTools<CallbacksSlice>): Promise<void> {
  const wanted = Math.min(rereadAtMost, Math.max(pageSize, rowCount(read().log)));
  const fresh = emptyLog();
  let total = 0;
  let size = 0;
  do {
    const beforeId = oldestId(fresh);
    // Each page begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await client.callbacks.list({ limit: 500, ...(beforeId === undefined ? {} : { beforeId }) });
    total = page.total;
    size = page.items.length;
    addOlder(fresh, page.items);
  } while (size === 500 && rowCount(fresh) < wanted);
  change({ log: fresh, version: read().version + 1, total });
}

async function readOlder({ client, read, change }: SliceTools<CallbacksSlice>): Promise<void> {
  const { log, total } = read();
  const beforeId = oldestId(log);
  if (beforeId === undefined || rowCount(log) >= total) return;
  const page = await runRequest(
    (olderRequest) => change({ olderRequest }),
    () => client.callbacks.list({ beforeId, limit: pageSize }),
  );
  if (!page || read().log !== log) return;
  addOlder(log, page.items);
  change({ version: read().version + 1, total: page.items.length === 0 ? rowCount(log) : page.total });
}
