// Searches all that the receiver stored (contract/app-rpc/callback-query.ts). Core scans a bounded part per call, so a search
// continues until a page is full or the end is reached; new callbacks are checked as they arrive.
import type { CallbackFilter } from '#contract/app-rpc/callback-files.ts';
import type { QueryProblem } from '#contract/app-rpc/callback-query.ts';
import type { SavedFilter } from '#contract/app-rpc/callbacks.ts';
import { idle, isCanceled, type Request, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import {
  addNewer,
  addOlder,
  type CallbackLog,
  emptyLog,
  rowCount,
} from '#renderer/features/callbacks/common/callback-log.ts';
import { type CallbackView, filterOf, isWholeView } from '#renderer/features/callbacks/common/callback-view.ts';
import { wholeView } from '#renderer/features/callbacks/common/whole-view.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';

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
    ...createCallbackSearchActions(tools, others),
  };
}

const pageSize = 100;

function createCallbackSearchActions(
  { client, read, change }: SliceTools<CallbackSearchSlice>,
  { get }: OtherSlices,
): CallbackSearchActions {
  /** Each question has a number, so that a late answer to an earlier one is dropped. */
  let searches = 0;
  let nextBeforeId: number | null = null;
  let searchedThrough = 0;

  /** Goes on until `wanted` rows more were found, or the end. */
  async function searchOlder(question: number, wanted: number, signal: AbortSignal): Promise<void> {
    const found = rowCount(read().log);
    const { filter, order } = read();
    if (order !== 'newest') {
      await searchMore(question, signal);
      return;
    }
    do {
      const before = nextBeforeId;
      // The parts follow each other: each starts where the previous one ended.
      // oxlint-disable-next-line no-await-in-loop
      const piece = await client.callbacks.search(
        { ...filter, limit: pageSize, ...(before === null ? {} : { beforeId: before }) },
        { signal },
      );
      if (question !== searches || signal.aborted) return;
      addOlder(read().log, piece.items);
      nextBeforeId = piece.nextBeforeId;
      const { version, scanned } = read();
      change({
        version: version + 1,
        scanned: scanned + piece.scanned,
        problems: piece.problems,
        isAtEnd: piece.nextBeforeId === null,
      });
    } while (!read().isAtEnd && rowCount(read().log) - found < wanted);
  }

  /** Loads the next page of a list in another order, as of the time of its first page. */
  async function searchMore(question: number, signal: AbortSignal): Promise<void> {
    const { filter, order, log } = read();
    const offset = rowCount(log);
    const page = await client.callbacks.sorted(
      { ...filter, order, throughId: searchedThrough, offset, limit: pageSize },
      { signal },
    );
    if (question !== searches || signal.aborted) return;
    log.older.push(...page.items);
    const isAtEnd = page.items.length < pageSize;
    change({ version: read().version + 1, scanned: page.total, found: page.total, isAtEnd });
  }

  /** Checks everything newer than the last scan, at once because these are few rows. */
  async function searchNewer(question: number): Promise<void> {
    const upTo = get().callbacks.newestId();
    const { filter } = read();
    const fresh: CallbackLog = emptyLog();
    let beforeId: number | null = null;
    do {
      // oxlint-disable-next-line no-await-in-loop
      const piece: Awaited<ReturnType<typeof client.callbacks.search>> = await client.callbacks.search({
        ...filter,
        afterId: searchedThrough,
        limit: pageSize,
        ...(beforeId === null ? {} : { beforeId }),
      });
      if (question !== searches) return;
      addOlder(fresh, piece.items);
      beforeId = piece.nextBeforeId;
    } while (beforeId !== null);
    searchedThrough = Math.max(searchedThrough, upTo);
    const added = addNewer(read().log, fresh.older);
    const { found, version } = read();
    if (added > 0) change({ version: version + 1, found: found === null ? null : found + added });
  }

  async function countAll(question: number): Promise<void> {
    const result = await client.callbacks.count({ ...read().filter, throughId: searchedThrough }).catch(() => null);
    if (result && question === searches) change({ found: result.count });
  }

  async function begin(part: Partial<CallbackView>): Promise<void> {
    searches += 1;
    const question = searches;
    nextBeforeId = null;
    searchedThrough = get().callbacks.newestId();
    const { query, range, span, verdicts, order } = { ...read(), ...part };
    const view = { query, range, span, verdicts, order };
    const isWhole = isWholeView(view);
    change({
      ...view,
      filter: filterOf(view, Date.now()),
      isWhole,
      log: emptyLog(),
      version: read().version + 1,
      scanned: 0,
      found: null,
      isAtEnd: false,
      problems: [],
    });
    // What the new search hides must not be deleted by what is left of an earlier selection.
    get().callbackSelection.clear();
    void get().callbackStrips.loadHistogram();
    if (isWhole) {
      change({ request: idle });
      return;
    }
    if (order === 'newest') void countAll(question);
    await runCancelableRequest(
      (request) => {
        if (question === searches) change({ request });
      },
      (signal) => searchOlder(question, pageSize, signal),
    );
  }

  return {
    search: (query) => begin({ query }),
    show: begin,
    more: oneAtATime(async () => {
      if (read().isWhole || read().isAtEnd || read().request.state === 'loading' || isCanceled(read().request)) return;
      const question = searches;
      await runCancelableRequest(
        (request) => change({ request }),
        (signal) => searchOlder(question, pageSize, signal),
      );
    }),
    loadNew: oneAtATime(async () => {
      if (read().isWhole || read().order !== 'newest') return;
      const question = searches;
      await runRequest(
        () => {},
        () => searchNewer(question),
      );
    }),
    async loadFilters() {
      const result = await runRequest(
        (filtersRequest) => change({ filtersRequest }),
        () => client.callbacks.filters(),
      );
      if (result) change({ filters: result.filters });
    },
    async saveFilters(filters) {
      const result = await runRequest(
        (filtersRequest) => change({ filtersRequest }),
        () => client.callbacks.replaceFilters({ filters: [...filters] }),
      );
      if (result) change({ filters });
    },
  };
}
