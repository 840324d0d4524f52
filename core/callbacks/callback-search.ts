// Looks through all stored callbacks by a query, a bounded number of rows and bytes per call, so that a search over a
// million of them never holds up the app. The caller goes on with `nextBeforeId`.
import { parseCallbackQuery, type CallbackQuery } from '#contract/app-rpc/callback-query.ts';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { CallbackPages, RowRange, StoredCallback } from '../receiver/callback-pages.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { fitsQuery } from './query-match.ts';

/** Per call. A row costs some microseconds, and a judgement some tens of them. */
export type SearchBudget = { rows: number; bytes: number };
const searchBudget: SearchBudget = { rows: 1000, bytes: 4 * 1024 * 1024 };

export type Scan = {
  found: StoredCallback[];
  scanned: number;
  /** Where to go on; undefined at the end of the range. */
  lastId: number | undefined;
};

export type CallbackSearch = {
  search: (options: RowRange & { query: string; limit: number }) => {
    items: CallbackSummary[];
    nextBeforeId: number | null;
    scanned: number;
    problems: CallbackQuery['problems'][number][];
  };
  /** A bounded piece of the range, in either order. */
  scan: (query: CallbackQuery, range: RowRange & { limit: number; order: 'newestFirst' | 'oldestFirst' }) => Scan;
};

type CallbackSearchDependencies = { pages: CallbackPages; validator: CallbackValidator; budget?: SearchBudget };

export function createCallbackSearch({
  pages,
  validator,
  budget = searchBudget,
}: CallbackSearchDependencies): CallbackSearch {
  const scan: CallbackSearch['scan'] = (query, { limit, order, ...range }) => {
    const found: StoredCallback[] = [];
    let [scanned, bytes] = [0, 0];
    const mostRows = needsValidation(query) ? budget.rows / 4 : budget.rows;
    for (const row of pages.rows(range, order)) {
      scanned += 1;
      bytes += row.body.length;
      if (fitsQuery(query, row, validator.validate)) found.push(row);
      if (found.length >= limit || scanned >= mostRows || bytes >= budget.bytes) {
        return { found, scanned, lastId: row.id };
      }
    }
    return { found, scanned, lastId: undefined };
  };
  return {
    scan,
    search({ query, limit, ...range }) {
      const parsed = parseCallbackQuery(query);
      const { found, scanned, lastId } = scan(parsed, { ...range, limit, order: 'newestFirst' });
      return {
        items: found.map(validator.summaryOfWhole),
        nextBeforeId: lastId ?? null,
        scanned,
        problems: [...parsed.problems],
      };
    },
  };
}

/** Whether a term needs each row judged, which costs more than all else. */
function needsValidation({ terms }: CallbackQuery): boolean {
  return terms.some(
    ({ condition }) => condition.kind === 'is' && !['imported', 'noted', 'cut'].includes(condition.mark),
  );
}
