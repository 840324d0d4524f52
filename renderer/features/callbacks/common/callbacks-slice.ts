// What the receiver stored.
import type { Callback, UnreadCallbacks } from '#contract/app-rpc/callbacks.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { type CallbackLog, emptyLog, newestId } from './callback-log.ts';

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
  loadUnread(): Promise<void>;
  noting: Request;
};

export type CallbackActions = {
  loadNew(): Promise<void>;
  loadOlder(): Promise<void>;
  select(id: number | null): Promise<void>;
  markAllRead(): Promise<void>;
  clear(): Promise<boolean>;
  /** Reads the loaded rows again, because some may have changed or gone; and the chosen one. */
  reread(): Promise<void>;
  /** Reads the newest rows again: their responses have an outcome now. */
  readOutcomes(): Promise<void>;
  setNote(id: number, note: string): Promise<void>;
};

const loadActions = laterModule(() => import('./callback-actions.ts'));

/** However many arrive, they are counted this seldom. */
const unreadPauseMs = 500;

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
    noting: idle,
    loadUnread: oneAtATime(async () => {
      const unread = await client.callbacks.unread().catch(() => null);
      if (unread) change({ unread });
      await new Promise((resolve) => setTimeout(resolve, unreadPauseMs));
    }),
    ...laterActions(
      {
        loadNew: true,
        loadOlder: true,
        select: true,
        reread: true,
        readOutcomes: true,
        setNote: true,
        markAllRead: true,
        clear: true,
      },
      loadActions,
      ({ createCallbackActions }) => createCallbackActions(tools, (rows) => get().monitors.noteCallbacks(rows)),
    ),
  };
}
