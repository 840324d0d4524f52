// Looks through all stored callbacks by a query, a bounded number of rows and bytes per call, so that a search over a
// million of them never holds up the app. The caller goes on with `nextBeforeId`.
import { parseCallbackQuery, type CallbackQuery } from '#contract/app-rpc/callback-query.ts';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { CallbackPages, RowRange, StoredCallback } from '../receiver/callback-pages.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { splitQuery } from './query-filter.ts';
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
  /** Counts all that a query finds up to an ID. Throws AppFailure INVALID_INPUT for a term that means nothing. */
  count: (query: string, throughId: number) => Promise<number>;
  /** A bounded piece of the range, in either order. */
  scan: (query: CallbackQuery, range: RowRange & { limit: number; order: 'newestFirst' | 'oldestFirst' }) => Scan;
};

type CallbackSearchDependencies = { pages: CallbackPages; validator: CallbackValidator; budget?: SearchBudget };

/** So many IDs are counted in one statement, so that other work of the app gets its turn. */
const windowIds = 50_000;

export function createCallbackSearch({
  pages,
  validator,
  budget = searchBudget,
}: CallbackSearchDependencies): CallbackSearch {
  const scan: CallbackSearch['scan'] = (query, { limit, order, ...range }) => {
    const found: StoredCallback[] = [];
    let [scanned, bytes] = [0, 0];
    const mostRows = needsValidation(query) ? budget.rows / 4 : budget.rows;
    const { filter } = splitQuery(query);
    for (const row of pages.rows(range, order, filter)) {
      scanned += 1;
      bytes += row.body.length;
      // A body of a few kilobytes can become megabytes, which cost as much as stored ones.
      const countDecoded = (decodedBytes: number) => void (bytes += decodedBytes);
      if (fitsQuery(query, row, validator.validate, countDecoded)) found.push(row);
      if (found.length >= limit || scanned >= mostRows || bytes >= budget.bytes) {
        return { found, scanned, lastId: row.id };
      }
    }
    return { found, scanned, lastId: undefined };
  };
  async function countByScan(query: CallbackQuery, throughId: number): Promise<number> {
    let count = 0;
    let beforeId: number | undefined = throughId + 1;
    while (beforeId !== undefined) {
      const { found, lastId }: Scan = scan(query, { beforeId, limit: Infinity, order: 'newestFirst' });
      count += found.length;
      beforeId = lastId;
      // Other work of the app gets its turn.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setImmediate(resolve));
    }
    return count;
  }

  return {
    scan,
    async count(text, throughId) {
      const query = parseCallbackQuery(text);
      const [problem] = query.problems;
      if (problem) throw new AppFailure('INVALID_INPUT', `“${problem.term}”: ${problem.message}`, { field: 'query' });
      const { filter, isWhole } = splitQuery(query);
      if (!isWhole) return countByScan(query, throughId);
      let count = 0;
      for (let top = throughId; top > 0; top -= windowIds) {
        count += pages.count({ beforeId: top + 1, afterId: Math.max(0, top - windowIds) }, filter);
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => setImmediate(resolve));
      }
      return count;
    },
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
    ({ condition }) => condition.kind === 'is' && !['imported', 'noted', 'cut', 'refused'].includes(condition.mark),
  );
}
