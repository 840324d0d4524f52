// What the receiver stored.
import { noteCallbacks } from '../../monitors/selectors.ts';
import type { Callback, CallbackSummary, HourMark, UnreadCallbacks } from '@rainbell/contract/app-rpc';
import { hourMs } from '@rainbell/shared';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import { idle, toFailure } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import {
  addNewer,
  addOlder,
  type CallbackLog,
  emptyLog,
  newestId,
  oldestId,
  replaceRows,
  rowCount,
} from './callback-log.ts';

export const callbackTabs = ['body', 'headers', 'raw', 'response', 'sent'] as const;
export type CallbackTab = (typeof callbackTabs)[number];

export interface CallbacksSlice extends ReturnType<typeof createCallbacksSlice> {}

/** However many arrive, they are counted this seldom. */
const unreadPauseMs = 500;
const hoursSpanMs = 8 * hourMs;

export function createCallbacksSlice(tools: SliceTools<CallbacksSlice>, { get }: OtherSlices) {
  const { client, read, change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'the receiver stores the callbacks of all connections' } as const,
    log: emptyLog() as CallbackLog,
    /** Grows with every change of `log`. */
    version: 0,
    total: 0,
    unread: { count: 0, isMore: false, throughId: 0 } as UnreadCallbacks,
    request: idle,
    olderRequest: idle,
    selectedId: null as number | null,
    selected: null as Callback | null,
    selectedRequest: idle,
    /** What is shown of the selected callback. */
    tab: 'body' as CallbackTab,
    showTab: (tab: CallbackTab): void => change({ tab }),
    hours: null as { monitorId: string; from: number; to: number; callbacks: readonly HourMark[] } | null,
    async loadHours(monitorId: string): Promise<void> {
      const to = Date.now();
      const from = to - hoursSpanMs;
      const found = await client.callbacks.hours({ monitorId, from: new Date(from).toISOString() }).catch(() => null);
      if (found) change({ hours: { monitorId, from, to, callbacks: found.callbacks } });
    },
    /** Of the list; 0 if it is empty. */
    newestId: (): number => newestId(read().log),
    noting: idle,
    loadUnread: oneAtATime(async (): Promise<void> => {
      const unread = await client.callbacks.unread().catch(() => null);
      if (unread) change({ unread });
      await new Promise((resolve) => setTimeout(resolve, unreadPauseMs));
    }),
    ...createCallbackActions(tools, (rows) => noteCallbacks(get(), rows)),
  };
}

const pageSize = 200;
/** The first page if some are loaded already; few arrived since the last load. */
const stepSize = 40;
/** If more than this arrived unseen, the list restarts at the top instead of reading all of it. */
const restartAbove = 2000;

type OnArrival = (rows: readonly CallbackSummary[]) => void;

function createCallbackActions(tools: SliceTools<CallbacksSlice>, onArrival: OnArrival) {
  const { client, read, change, run, runCancelable } = tools;
  return {
    loadNew: oneAtATime(async (): Promise<void> => {
      await runCancelable('request', (signal) => readNew(tools, signal, onArrival));
      await nextFrame();
    }),
    loadOlder: oneAtATime((): Promise<void> => readOlder(tools)),
    async select(id: number | null): Promise<void> {
      change({ selectedId: id, selected: read().selected?.id === id ? read().selected : null });
      if (id === null) return;
      const isCurrent = () => read().selectedId === id;
      const selected = await runCancelable('selectedRequest', (signal) => client.callbacks.get({ id }, { signal }), {
        isCurrent,
      });
      if (!selected) return;
      change({ selected });
      if (id > read().unread.throughId) await read().markRead(id);
    },
    /** Reads the loaded rows again, because some may have changed or gone; and the chosen one. */
    reread: oneAtATime(async (): Promise<void> => {
      await run('request', () => readAgain(tools));
      const { selectedId } = read();
      if (selectedId === null) return;
      const isGone = await client.callbacks.get({ id: selectedId }).then(
        () => false,
        (error: unknown) => toFailure(error).code === 'NOT_FOUND',
      );
      // What was deleted, here or elsewhere, is not shown any longer.
      if (read().selectedId === selectedId) await read().select(isGone ? null : selectedId);
    }),
    /** Reads the newest rows again: their responses have an outcome now. */
    readOutcomes: oneAtATime(async (): Promise<void> => {
      const page = await client.callbacks.list({ limit: pageSize }).catch(() => null);
      const { log, version, selectedId, selected } = read();
      if (!page || !replaceRows(log, page.items)) return;
      change({ version: version + 1 });
      if (selected?.id === selectedId && selected?.outcome.kind === 'waiting') await read().select(selectedId);
    }),
    setNote: (id: number, note: string): Promise<unknown> =>
      run('noting', () => client.callbacks.setNote({ id, note })),
    /** This callback, and all before it. */
    async markRead(throughId: number): Promise<void> {
      const unread = await client.callbacks.markRead({ throughId }).catch(() => null);
      if (unread) change({ unread });
    },
  };
}

/** Rows to read again at most; those below are loaded again when they come into view. */
const maxReread = 2000;

async function readAgain({ client, read, change }: SliceTools<CallbacksSlice>): Promise<void> {
  const wanted = Math.min(maxReread, Math.max(pageSize, rowCount(read().log)));
  const fresh = emptyLog();
  let total = 0;
  let size = 0;
  do {
    const beforeId = oldestId(fresh);
    // Each page starts where the previous one ended.
    const page = await client.callbacks.list({ limit: 500, ...(beforeId === undefined ? {} : { beforeId }) });
    total = page.total;
    size = page.items.length;
    addOlder(fresh, page.items);
  } while (size === 500 && rowCount(fresh) < wanted);
  change({ log: fresh, version: read().version + 1, total });
}

async function readOlder({ client, read, change, run }: SliceTools<CallbacksSlice>): Promise<void> {
  const { log, total } = read();
  const beforeId = oldestId(log);
  if (beforeId === undefined || rowCount(log) >= total) return;
  const page = await run('olderRequest', () => client.callbacks.list({ beforeId, limit: pageSize }));
  if (!page || read().log !== log) return;
  addOlder(log, page.items);
  change({ version: read().version + 1, total: page.items.length === 0 ? rowCount(log) : page.total });
}

async function readNew(
  { client, read, change }: SliceTools<CallbacksSlice>,
  signal: AbortSignal,
  onArrival: OnArrival,
): Promise<void> {
  const limit = rowCount(read().log) === 0 ? pageSize : stepSize;
  const first = await client.callbacks.list({ limit }, { signal });
  const { log, version } = read();
  const known = newestId(log);
  if (first.total === 0 || first.newestId < known || first.newestId - known > restartAbove || rowCount(log) === 0) {
    const fresh = emptyLog();
    addOlder(fresh, first.items);
    change({ log: fresh, version: version + 1, total: first.total });
    onArrival(first.items);
    return;
  }
  let page = first.items;
  const missing = [...page];
  for (let size = limit; page.length === size && (page.at(-1)?.id ?? 0) > known + 1; size = pageSize) {
    page = (await client.callbacks.list({ beforeId: page.at(-1)?.id, limit: pageSize }, { signal })).items;
    missing.push(...page);
  }
  addNewer(log, missing);
  change({ version: version + 1, total: first.total });
  onArrival(missing);
  const { selected, select } = read();
  // The details show the whole episode.
  if (selected?.episodeId !== undefined && missing.some(({ episodeId }) => episodeId === selected.episodeId))
    await select(selected.id);
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(() => resolve());
    else setTimeout(resolve, 50);
  });
}
