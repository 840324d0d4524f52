// Searches all that the receiver stored (contract/app-rpc/callback-query.ts). Core scans a bounded part per call, so a search
// continues until a page is full or the end is reached; new callbacks are checked as they arrive.
import type { CallbackFilter } from '#contract/app-rpc/callback-files.ts';
import type { QueryProblem } from '#contract/app-rpc/callback-query.ts';
import type { SavedFilter } from '#contract/app-rpc/callbacks.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { type CallbackLog, emptyLog } from '#renderer/features/callbacks/common/callback-log.ts';
import type { CallbackView } from '#renderer/features/callbacks/common/callback-view.ts';
import { wholeView } from '#renderer/features/callbacks/common/whole-view.ts';

export type CallbackSearchSlice = CallbackSearchActions &
  CallbackView & {
    /** The view's filter, as sent to core. */
    filter: CallbackFilter;
    /** Whether the whole list is shown, newest first; then nothing is searched. */
    isWhole: boolean;
    /** What was found so far, newest first. */
    log: CallbackLog;
    /** Grows with every change of `log`. */
    version: number;
    scanned: number;
    /** The exact total, up to the newest at the time of the request; null while it is being counted. */
    found: number | null;
    /** Whether the store was looked through to its end. */
    isAtEnd: boolean;
    /** Describes invalid terms. */
    problems: readonly QueryProblem[];
    request: Request;
    filters: readonly SavedFilter[];
    filtersRequest: Request;
  };

export type CallbackSearchActions = {
  search(query: string): Promise<void>;
  /** Changes a part of the view. */
  show(part: Partial<CallbackView>): Promise<void>;
  /** Finds about a page more, below. */
  more(): Promise<void>;
  /** Searches the new callbacks. */
  loadNew(): Promise<void>;
  loadFilters(): Promise<void>;
  saveFilters(filters: readonly SavedFilter[]): Promise<void>;
};

const loadActions = laterModule(() => import('./search-actions.ts'));

export function createCallbackSearchSlice(
  tools: SliceTools<CallbackSearchSlice>,
  others: OtherSlices,
): Slice<CallbackSearchSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the search runs over the callbacks of the receiver' },
    ...wholeView,
    filter: { query: '' },
    isWhole: true,
    log: emptyLog(),
    version: 0,
    scanned: 0,
    found: null,
    isAtEnd: false,
    problems: [],
    request: idle,
    filters: [],
    filtersRequest: idle,
    ...laterActions(
      { search: true, show: true, more: true, loadNew: true, loadFilters: true, saveFilters: true },
      loadActions,
      ({ createCallbackSearchActions }) => createCallbackSearchActions(tools, others),
    ),
  };
}
