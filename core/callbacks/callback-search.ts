// Looks through all stored callbacks by a query, a bounded number of rows and bytes per call, so that a search over a
// million of them never holds up the app. The caller goes on with `nextBeforeId`.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallbackChoice,
  type CallbackFilter,
  type CallbackOrder,
  type CallbackQuery,
  parseCallbackFilter,
} from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages, RowFilter, RowPiece, RowRange } from '../receiver/records/callback-pages.ts';
import { filterColumns, type StoredCallback } from '../receiver/records/stored-callback.ts';
import { type CallbackIndex, windowIds } from './callback-index.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { asksVerdicts, fitsQuery, needsValidation, type SplitQuery, splitQuery } from './query-match.ts';

/** Per call. A row costs some microseconds, and a judgement some tens of them. */
const searchBudget = { rows: 1000, bytes: 4 * 1024 * 1024 };

type Scan = {
  found: StoredCallback[];
  scanned: number;
  /** Where to go on; undefined at the end of the range. */
  lastId: number | undefined;
};

type Sorting = CallbackFilter & { order: CallbackOrder; throughId: number };

export type CallbackSearch = ReturnType<typeof createCallbackSearch>;

type CallbackSearchDependencies = {
  pages: CallbackPages;
  validator: CallbackValidator;
  canJudge?: () => boolean;
  index: Pick<CallbackIndex, 'filter' | 'isWhole' | 'finish'>;
  budget?: typeof searchBudget;
};

export function createCallbackSearch(dependencies: CallbackSearchDependencies) {
  const { pages, validator, index, canJudge = () => true, budget = searchBudget } = dependencies;

  /** Throws AppFailure UNAVAILABLE: without monitors and keys, a term about verdicts would find nothing, silently. */
  function requireVerdicts(query: CallbackQuery): void {
    if (canJudge() || !needsValidation(query)) return;
    throw new AppFailure(
      'UNAVAILABLE',
      'This query asks for verdicts, but the service’s monitors and keys are known only while the app runs. Start Rainbell, or leave out terms such as verdict:.',
      { field: 'query' },
    );
  }

  function scan(
    query: CallbackQuery,
    { limit, order, ...range }: RowRange & { limit: number; order: 'newestFirst' | 'oldestFirst' },
    filter = splitQuery(query, index).filter,
  ): Scan {
    const found: StoredCallback[] = [];
    let [scanned, bytes] = [0, 0];
    requireVerdicts(query);
    const maxRows = needsValidation(query) ? budget.rows / 4 : budget.rows;
    for (const row of pages.rows(range, order, filter)) {
      scanned += 1;
      bytes += row.sizeBytes;
      // A body of a few kilobytes can become megabytes, which cost as much as stored ones.
      const countDecoded = (decodedBytes: number) => void (bytes += decodedBytes);
      if (fitsQuery(query, row, validator.validate, countDecoded)) found.push(row);
      if (found.length >= limit || scanned >= maxRows || bytes >= budget.bytes) {
        return { found, scanned, lastId: row.id };
      }
    }
    return { found, scanned, lastId: undefined };
  }

  /** With the part of it that the database can decide, once all verdicts are certain that it asks for. Throws as `count`. */
  async function read(filter: CallbackFilter) {
    const query = requireQuery(filter);
    requireVerdicts(query);
    if (asksVerdicts(query)) await index.finish();
    return { query, ...splitQuery(query, index) };
  }

  /** What is found above `afterId` and before an ID: as far as one statement may read, or one scan has found. */
  function findNewest({ query, filter, isWhole }: { query: CallbackQuery } & SplitQuery, beforeId: number) {
    if (isWhole) return { afterId: Math.max(0, beforeId - 1 - windowIds), filter };
    const { found, lastId = 1 } = scan(query, { beforeId, limit: Infinity, order: 'newestFirst' });
    return { afterId: lastId - 1, filter: oneOf(found.map(({ id }) => id)), found };
  }

  /** What a filter finds up to an ID, newest first, for the database to count or list; other work of the app gets its turn after each. */
  async function* pieces(
    wanted: CallbackFilter,
    throughId: number,
  ): AsyncGenerator<RowPiece & { found?: readonly StoredCallback[] }> {
    const query = await read(wanted);
    // The caller's ID may be far above all that is stored.
    let beforeId = Math.min(throughId, pages.counts().newestId) + 1;
    while (beforeId > 1) {
      const { afterId, ...piece } = findNewest(query, beforeId);
      yield { range: { beforeId, afterId }, ...piece };
      beforeId = afterId + 1;
      await nextTurn();
    }
  }

  async function* idsOf(wanted: CallbackFilter, throughId: number): AsyncGenerator<readonly number[]> {
    for await (const { range, filter } of pieces(wanted, throughId)) yield pages.ids(range, filter, 'id DESC');
  }

  async function sortIds({ order, throughId, ...wanted }: Sorting): Promise<number[]> {
    if (order === 'verdict') await index.finish();
    const { filter, isWhole } = await read(wanted);
    const ids: number[] = [];
    if (!isWhole) for await (const some of idsOf(wanted, throughId)) ids.push(...some);
    return pages.ids({ beforeId: throughId + 1 }, isWhole ? filter : oneOf(ids), sortKeys[order]);
  }

  let lastSorted: { key: string; ids: Promise<number[]> } | undefined;

  return {
    /** A bounded piece of what an action applies to, oldest first. Throws as `count`. */
    scan: (choice: CallbackChoice, afterId: number, limit: number): Scan =>
      choice.kind === 'ids'
        ? scan(everything, { afterId, limit, order: 'oldestFirst' }, oneOf(choice.ids))
        : scan(requireQuery(choice), { afterId, beforeId: choice.throughId + 1, limit, order: 'oldestFirst' }),
    /** IDs of what an action applies to, newest first unless they are chosen, in pieces. Throws as `count`. */
    ids: async function* (choice: CallbackChoice): AsyncGenerator<readonly number[]> {
      if (choice.kind === 'ids') yield choice.ids;
      else yield* idsOf(choice, choice.throughId);
    },
    read,
    pieces,
    /** A part of what a filter finds up to an ID, in any order. Throws as `count`. */
    async sorted({ offset, limit, ...options }: Sorting & { offset: number; limit: number }) {
      const key = JSON.stringify(options);
      if (lastSorted?.key !== key || offset === 0) lastSorted = { key, ids: sortIds(options) };
      const ids = await lastSorted.ids;
      // For a deleted one, the page has the next older one.
      const rows = ids
        .slice(offset, offset + limit)
        .flatMap((id) => pages.page({ beforeId: id + 1, limit: 1 }).filter((row) => row.id === id));
      return { items: rows.map(validator.summaryOf), total: ids.length };
    },
    /** Counts all that a filter finds up to an ID. Throws AppFailure INVALID_INPUT for a term that means nothing. */
    async count(wanted: CallbackFilter, throughId: number): Promise<number> {
      let count = 0;
      for await (const { range, filter } of pieces(wanted, throughId)) count += pages.count(range, filter);
      return count;
    },
    search({ limit, beforeId, afterId, ...wanted }: RowRange & CallbackFilter & { limit: number }) {
      const parsed = parseCallbackFilter(wanted);
      const { found: rows, scanned, lastId } = scan(parsed, { beforeId, afterId, limit, order: 'newestFirst' });
      return {
        items: rows.map(validator.summaryOf),
        nextBeforeId: lastId ?? null,
        scanned,
        problems: [...parsed.problems],
      };
    },
  };
}

const everything = parseCallbackFilter({ query: '' });

function oneOf(ids: readonly number[]): RowFilter {
  return { sql: 'callbacks.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] };
}

/** Throws AppFailure INVALID_INPUT for a term that means nothing: without it, more would be found than was meant. */
function requireQuery(filter: CallbackFilter): CallbackQuery {
  const query = parseCallbackFilter(filter);
  const [problem] = query.problems;
  if (problem) throw new AppFailure('INVALID_INPUT', `“${problem.term}”: ${problem.message}`, { field: 'query' });
  return query;
}

const sortKeys: Readonly<Record<CallbackOrder, string>> = {
  newest: 'received_at DESC',
  oldest: 'received_at',
  path: 'target',
  monitor: 'monitor_id NULLS LAST',
  verdict: '(SELECT verdict FROM callback_index WHERE callback_id = callbacks.id)',
  answer: filterColumns.status,
  largest: 'size_bytes DESC',
  smallest: 'size_bytes',
  slowest: `${filterColumns.took} DESC NULLS LAST`,
  fastest: `${filterColumns.took} NULLS LAST`,
};
