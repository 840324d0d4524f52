// What the receiver stored. Notices are many and small: one load runs at a time, at most one per animation frame, and reads
// everything between the newest row shown and the newest stored, so a broken link leaves no gap.
import type { Callback, CallbackSummary, UnreadCallbacks } from '#contract/app-rpc/callbacks.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { addNewer, addOlder, type CallbackLog, emptyLog, newestId, rowCount } from './callback-log.ts';

export const callbackTabs = ['body', 'headers', 'raw', 'response', 'sent'] as const;
export type CallbackTab = (typeof callbackTabs)[number];

export type CallbacksSlice = CallbackActions & {
  log: CallbackLog;
  /** Grows with every change of `log`. */
  version: number;
  total: number;
  unread: UnreadCallbacks;
  request: Request;
  olderRequest: Request;
  clearing: Request;
  selectedId: number | null;
  selected: Callback | null;
  selectedRequest: Request;
  /** What is shown of the selected callback. */
  tab: CallbackTab;
  showTab(tab: CallbackTab): void;
  /** Of the list; 0 if it is empty. */
  newestId(): number;
  loadNew(): Promise<void>;
  loadUnread(): Promise<void>;
  noting: Request;
};

export type CallbackActions = {
  loadOlder(): Promise<void>;
  select(id: number | null): Promise<void>;
  markAllRead(): Promise<void>;
  clear(): Promise<boolean>;
  /** Reads the loaded rows again, since some may have changed or gone; and the chosen one. */
  reread(): Promise<void>;
  /** Reads the newest rows again: their responses have an outcome now. */
  readOutcomes(): Promise<void>;
  setNote(id: number, note: string): Promise<void>;
};

const loadActions = laterModule(() => import('./callback-actions.ts'));

/** Rows that are read at once. */
export const pageSize = 200;
/** However many arrive, they are counted this seldom. */
const unreadPauseMs = 500;
/** What is read first when some are there already; few came since the last look. */
const stepSize = 40;
/** When more than this arrived unseen, the list starts anew at the top instead of reading all of it. */
const restartAbove = 2000;

export function createCallbacksSlice(tools: SliceTools<CallbacksSlice>, { get }: OtherSlices): Slice<CallbacksSlice> {
  const { client, read, change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'the receiver stores the callbacks of all connections' },
    log: emptyLog(),
    version: 0,
    total: 0,
    unread: { count: 0, isMore: false, throughId: 0, ids: [] },
    request: idle,
    olderRequest: idle,
    clearing: idle,
    selectedId: null,
    selected: null,
    selectedRequest: idle,
    tab: 'body',
    showTab: (tab) => change({ tab }),
    newestId: () => newestId(read().log),
    loadNew: oneAtATime(async () => {
      await runRequest(
        (request) => change({ request }),
        () => readNew(tools, (rows) => get().monitors.noteCallbacks(rows)),
      );
      await nextFrame();
    }),
    noting: idle,
    loadUnread: oneAtATime(async () => {
      const unread = await client.callbacks.unread().catch(() => null);
      if (unread) change({ unread });
      await new Promise((resolve) => setTimeout(resolve, unreadPauseMs));
    }),
    ...laterActions(
      {
        loadOlder: true,
        select: true,
        reread: true,
        readOutcomes: true,
        setNote: true,
        markAllRead: true,
        clear: true,
      },
      loadActions,
      ({ createCallbackActions }) => createCallbackActions(tools),
    ),
  };
}

async function readNew(
  { client, read, change }: SliceTools<CallbacksSlice>,
  onArrival: (rows: readonly CallbackSummary[]) => void,
): Promise<void> {
  const isFirst = rowCount(read().log) === 0;
  const limit = isFirst ? pageSize : stepSize;
  const first = await client.callbacks.list({ limit });
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
    page = (await client.callbacks.list({ beforeId: page.at(-1)?.id, limit: pageSize })).items;
    missing.push(...page);
  }
  addNewer(log, missing);
  change({ version: version + 1, total: first.total });
  onArrival(missing);
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'function' && !document.hidden) requestAnimationFrame(() => resolve());
    else setTimeout(resolve, 50);
  });
}
