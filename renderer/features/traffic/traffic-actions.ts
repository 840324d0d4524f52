// Reads, filters, replays, and clears the exchanges: loaded after the first screen.
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, runCancelableRequest, runRequest, toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { TrafficActions, TrafficFilter, TrafficSlice } from './traffic-slice.ts';

const pageSize = 100;

export function createTrafficActions(tools: SliceTools<TrafficSlice>): TrafficActions {
  const { client, read, change } = tools;
  return {
    loadNew: oneAtATime(() => loadNew(tools)),
    loadOlder: oneAtATime(() => loadOlder(tools)),
    async setFilter(part) {
      change({ filter: { ...read().filter, ...part }, rows: [], isWhole: false });
      await read().loadNew();
    },
    async select(id) {
      change({ selectedId: id, replaying: idle, selected: read().selected?.id === id ? read().selected : null });
      if (id === null) return;
      const isCurrent = () => read().selectedId === id;
      const selected = await runCancelableRequest(
        (selectedRequest) => {
          if (isCurrent()) change({ selectedRequest });
        },
        (signal) => client.traffic.get({ id }, { signal }),
      );
      if (selected && isCurrent()) change({ selected });
    },
    async peek(id) {
      try {
        return { entry: await client.traffic.get({ id }) };
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
    async replay(id) {
      const sent = await runRequest(
        (replaying) => change({ replaying }),
        () => client.traffic.replay({ id }),
      );
      if (!sent) return false;
      await Promise.all([read().loadNew(), read().select(sent.newId)]);
      return true;
    },
    async clear() {
      const cleared = await runRequest(
        (clearing) => change({ clearing }),
        () => client.traffic.clear(),
      );
      if (!cleared) return false;
      change({ rows: [], isWhole: false, selectedId: null, selected: null });
      await read().loadNew();
      return true;
    },
  };
}

function query({ text, kind, connectionId, failedOnly, includesBackground }: TrafficFilter) {
  return {
    limit: pageSize,
    failedOnly,
    includesBackground,
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(kind === 'any' ? {} : { kind }),
    ...(connectionId === null ? {} : { connectionId }),
  };
}

async function loadNew({ client, read, change }: SliceTools<TrafficSlice>): Promise<void> {
  const { filter } = read();
  const page = await runCancelableRequest(
    (request) => change({ request }),
    (signal) => client.traffic.list(query(filter), { signal }),
  );
  // Another filter reloads on its own.
  if (!page || read().filter !== filter) return;
  const { rows, isWhole } = read();
  const known = rows[0]?.id;
  const oldest = page.items.at(-1)?.id ?? 0;
  const isJoined = known !== undefined && page.total > 0 && (oldest <= known || page.items.length < pageSize);
  if (isJoined) {
    const fresh = page.items.filter(({ id }) => id > known);
    change({ rows: [...fresh, ...rows], total: page.total, isWhole });
  } else change({ rows: page.items, total: page.total, isWhole: page.items.length < pageSize });
}

async function loadOlder({ client, read, change }: SliceTools<TrafficSlice>): Promise<void> {
  const { filter, rows, isWhole } = read();
  const beforeId = rows.at(-1)?.id;
  if (isWhole || beforeId === undefined) return;
  const page = await runCancelableRequest(
    (request) => change({ request }),
    (signal) => client.traffic.list({ ...query(filter), beforeId }, { signal }),
  );
  if (!page || read().filter !== filter || read().rows.at(-1)?.id !== beforeId) return;
  change({ rows: [...read().rows, ...page.items], isWhole: page.items.length < pageSize });
}
