// Searches all that the receiver stored (contract/app-rpc/callback-query.ts). Core scans a bounded part per call, so a search
// continues until a page is full or the end is reached; new callbacks are checked as they arrive.
import type { CallbackFilter, CallbackHistogram, QueryProblem, SavedFilter } from '@rainbell/contract/app-rpc';
import { dayMs } from '@rainbell/shared';
import { idle, isCanceled } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { addNewer, addOlder, type CallbackLog, emptyLog, newestId, rowCount } from '../common/callback-log.ts';
import { type CallbackView, filterOf, isSameView, timeRanges, wholeView } from '../common/callback-view.ts';
import { oneAtATime } from '../../../store/one-at-a-time.ts';

export interface CallbackSearchSlice extends ReturnType<typeof createCallbackSearchSlice> {}

export function createCallbackSearchSlice(tools: SliceTools<CallbackSearchSlice>, others: OtherSlices) {
  return {
    onConnectionChange: { does: 'keep', because: 'the search runs over the callbacks of the receiver' } as const,
    ...wholeView,
    filter: { query: '' } as CallbackFilter,
    /** Whether the whole list is shown, newest first; then nothing is searched. */
    isWhole: true,
    log: emptyLog() as CallbackLog,
    /** Grows with every change of `log`. */
    version: 0,
    scanned: 0,
    /** The exact total up to `throughId`; null while it is being counted. */
    found: null as number | null,
    /** Actions on all matches end there, so that they apply to those that `found` counts; 0 until the search has started. */
    throughId: 0,
    /** Whether the store was looked through to its end. */
    isAtEnd: false,
    problems: [] as readonly QueryProblem[],
    request: idle,
    histogram: null as CallbackHistogram | null,
    filters: [] as readonly SavedFilter[],
    filtersRequest: idle,
    ...createCallbackSearchActions(tools, others),
  };
}

const pageSize = 100;
/** The pause between two counts of the histogram; after a slow one, `pauseTimes` its duration. */
const pauseMs = 300;
const pauseTimes = 8;
/** Time that core spends on verdicts in each count. */
const validatingMs = 40;

function createCallbackSearchActions(
  { client, read, change, run, runCancelable }: SliceTools<CallbackSearchSlice>,
  { get }: OtherSlices,
) {
  /** Each question has a number, so that a late answer to an earlier one is dropped. */
  let searches = 0;
  let nextBeforeId: number | null = null;
  /** Null until it is known what was stored when the search began. */
  let searchedThrough: number | null = null;
  /** Matches above the first `throughId`, which a count that is still running does not include. */
  let newer = 0;
  /** Found so far; shown as soon as there are as many as before. */
  let rows = emptyLog();

  /** Goes on until `wanted` rows more were found, or the end. */
  async function searchOlder(question: number, wanted: number, signal: AbortSignal): Promise<void> {
    const found = rowCount(rows);
    const { filter, order } = read();
    if (order !== 'newest') return searchMore(question, signal);
    let isDone: boolean;
    do {
      const piece = await client.callbacks.search(
        { ...filter, limit: pageSize, beforeId: nextBeforeId ?? (searchedThrough ?? 0) + 1 },
        { signal },
      );
      if (question !== searches || signal.aborted) return;
      addOlder(rows, piece.items);
      nextBeforeId = piece.nextBeforeId;
      const isAtEnd = nextBeforeId === null;
      isDone = isAtEnd || rowCount(rows) - found >= wanted;
      const { version, scanned, log } = read();
      if (isDone || log === rows)
        change({
          log: rows,
          version: version + 1,
          scanned: scanned + piece.scanned,
          problems: piece.problems,
          isAtEnd,
        });
    } while (!isDone);
  }

  /** Loads the next page of a list in another order, as of the time of its first page. */
  async function searchMore(question: number, signal: AbortSignal): Promise<void> {
    const { filter, order } = read();
    const throughId = searchedThrough ?? 0;
    const { items, total } = await client.callbacks.sorted(
      { ...filter, order, throughId, offset: rowCount(rows), limit: pageSize },
      { signal },
    );
    if (question !== searches || signal.aborted) return;
    rows.older.push(...items);
    const isAtEnd = items.length < pageSize;
    change({ log: rows, version: read().version + 1, scanned: total, found: total, throughId, isAtEnd });
  }

  /** Checks everything newer than the last scan, at once because these are few rows. */
  async function searchNewer(question: number, afterId: number): Promise<void> {
    const upTo = get().callbacks.newestId();
    const { filter } = read();
    const fresh: CallbackLog = emptyLog();
    let beforeId: number | null = null;
    do {
      const piece: Awaited<ReturnType<typeof client.callbacks.search>> = await client.callbacks.search({
        ...filter,
        afterId,
        limit: pageSize,
        ...(beforeId === null ? {} : { beforeId }),
      });
      if (question !== searches) return;
      addOlder(fresh, piece.items);
      beforeId = piece.nextBeforeId;
    } while (beforeId !== null);
    searchedThrough = Math.max(afterId, upTo, newestId(fresh));
    const added = addNewer(rows, fresh.older);
    newer += added;
    const { found, version } = read();
    if (added === 0) return;
    change({ version: version + 1, found: found === null ? null : found + added, throughId: searchedThrough });
  }

  async function countAll(question: number): Promise<void> {
    const throughId = searchedThrough ?? 0;
    const result = await client.callbacks.count({ ...read().filter, throughId }).catch(() => null);
    if (result && question === searches)
      change({ found: result.count + newer, throughId: searchedThrough ?? throughId });
  }

  /** Repeats while verdicts are missing and the list is on screen. */
  const loadHistogram = oneAtATime(async (): Promise<void> => {
    let unvalidated: number;
    do {
      const startedAt = Date.now();
      const { query, range, filter } = read();
      const { from, to = new Date(startedAt + dayMs).toISOString() } = filter;
      const selected = from === undefined ? null : { from, to };
      // Each count includes more verdicts than the one before.
      const histogram = await client.callbacks
        .histogram({ query, seconds: timeRanges[range].seconds, selected })
        .catch(() => null);
      if (histogram) change({ histogram });
      unvalidated = histogram?.unvalidated ?? 0;
      const pause = Math.max(unvalidated > 0 ? 50 : pauseMs, pauseTimes * (Date.now() - startedAt - validatingMs));
      await new Promise((resolve) => setTimeout(resolve, pause));
    } while (unvalidated > 0 && get().frame.screen === 'callbacks');
  });

  /** Without `part`, the same again: what is shown stays until then. */
  async function begin(part: Partial<CallbackView> | null): Promise<void> {
    searches += 1;
    const question = searches;
    const wanted = Math.max(pageSize, part ? 0 : rowCount(read().log));
    nextBeforeId = null;
    searchedThrough = null;
    newer = 0;
    rows = emptyLog();
    if (part) {
      const { query, range, span, verdicts, order } = { ...read(), ...part };
      const view = { query, range, span, verdicts, order };
      change({
        ...view,
        filter: filterOf(view, Date.now()),
        isWhole: isSameView(view, wholeView),
        log: rows,
        version: read().version + 1,
        found: null,
        throughId: 0,
        isAtEnd: false,
        problems: [],
      });
      // What the new search hides must not be deleted by what is left of an earlier selection.
      get().callbackSelection.clear();
    }
    change({ scanned: 0 });
    void loadHistogram();
    if (read().isWhole) return change({ request: idle });
    await runCancelable(
      'request',
      async (signal) => {
        // Not from the list, which may not be loaded yet.
        const stored = await client.callbacks.list({ limit: 1 }, { signal });
        if (question !== searches) return;
        searchedThrough = stored.newestId;
        if (part) change({ throughId: stored.newestId });
        if (read().order === 'newest') void countAll(question);
        await searchOlder(question, wanted, signal);
        if (!part && question === searches) get().callbackSelection.keep(rows);
      },
      { isCurrent: () => question === searches },
    );
  }

  return {
    loadHistogram,
    search: (query: string): Promise<void> => begin({ query }),
    /** Changes a part of the view. */
    show: begin,
    refresh: oneAtATime(() => begin(null)),
    more: oneAtATime(async (): Promise<void> => {
      const { isWhole, isAtEnd, request } = read();
      if (isWhole || searchedThrough === null || isAtEnd || request.state === 'loading' || isCanceled(request)) return;
      const question = searches;
      await runCancelable('request', (signal) => searchOlder(question, pageSize, signal));
    }),
    loadNew: oneAtATime(async (): Promise<void> => {
      const afterId = searchedThrough;
      if (read().isWhole || read().order !== 'newest' || afterId === null) return;
      const question = searches;
      await searchNewer(question, afterId).catch(() => null);
    }),
    loadFilters: (): Promise<void> => run('filtersRequest', async () => change(await client.callbacks.filters())),
    saveFilters: (filters: readonly SavedFilter[]): Promise<void> =>
      run('filtersRequest', async () => {
        await client.callbacks.replaceFilters({ filters: [...filters] });
        change({ filters });
      }),
  };
}
