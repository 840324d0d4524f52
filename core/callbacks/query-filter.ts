// The part of a query that the database can decide, as a condition of SQL: counting and searching then read far fewer rows.
import { type CallbackQuery, type QueryCondition, type QueryTerm, verdictNames } from '@rainbell/contract/app-rpc';
import { everyRow, type RowFilter } from '../receiver/records/callback-pages.ts';
import { filterColumns } from '../receiver/records/stored-callback.ts';
import type { CallbackIndex } from './callback-index.ts';

export type SplitQuery = {
  filter: RowFilter;
  /** Whether the filter decides all of the query. */
  isWhole: boolean;
};

/** What knows verdicts in the database. */
export type VerdictFilter = Pick<CallbackIndex, 'filter' | 'isWhole'>;

export function splitQuery({ alternatives, terms: all }: CallbackQuery, verdicts?: VerdictFilter): SplitQuery {
  const lists = alternatives.map((terms) => terms.map((term) => filterOf(term, verdicts)));
  const needsVerdicts = all.some(({ condition }) => condition.kind === 'verdict');
  const isWhole =
    lists.every((filters) => filters.every((filter) => filter !== undefined)) &&
    (!needsVerdicts || verdicts?.isWhole() === true);
  // A list of which a part is left out is wider than it should be, which is right for a first look.
  const parts = lists.map((filters) =>
    joined(
      filters.filter((filter) => filter !== undefined),
      ' AND ',
    ),
  );
  return { filter: joined(parts, ' OR '), isWhole };
}

function joined(filters: readonly RowFilter[], by: string): RowFilter {
  const [only] = filters;
  if (!only) return everyRow;
  if (filters.length === 1) return only;
  return { sql: `(${filters.map(({ sql }) => sql).join(by)})`, values: filters.flatMap(({ values }) => values) };
}

function filterOf({ isNot, condition }: QueryTerm, verdicts: VerdictFilter | undefined): RowFilter | undefined {
  if (condition.kind === 'verdict')
    return verdicts?.filter(isNot ? verdictNames.filter((name) => !condition.names.includes(name)) : condition.names);
  const filter = conditionFilter(condition);
  return filter && isNot ? { ...filter, sql: `NOT (${filter.sql})` } : filter;
}

/** SQLite's lower() knows ASCII only. */
const ascii = /^[\u0020-\u007e]*$/;

function conditionFilter(condition: QueryCondition): RowFilter | undefined {
  switch (condition.kind) {
    case 'field':
      return fieldFilter(condition);
    case 'status':
      return { sql: `${filterColumns.status} BETWEEN ? AND ?`, values: [condition.from, condition.to] };
    case 'size':
      return { sql: 'size_bytes BETWEEN ? AND ?', values: [condition.from, finite(condition.to)] };
    case 'time':
      return {
        sql: '(received_at >= ? AND received_at < ?)',
        values: [finite(condition.from), finite(condition.before)],
      };
    case 'outcome':
      return { sql: `(${filterColumns.outcome}) = ?`, values: [condition.outcome] };
    case 'is':
      return markFilters[condition.mark];
    case 'text':
    case 'header':
    case 'json':
    case 'verdict':
    case 'sender':
      return undefined;
  }
}

function finite(value: number): number {
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

const columns: Readonly<Record<string, string>> = {
  method: 'lower(method)',
  monitor: "lower(coalesce(monitor_id, ''))",
  path: 'lower(target)',
  from: 'lower(remote_address)',
};

function fieldFilter({ field, text }: Extract<QueryCondition, { kind: 'field' }>): RowFilter | undefined {
  const column = columns[field];
  if (column === undefined || !ascii.test(text)) return undefined;
  if (field === 'path' || field === 'from') return { sql: `instr(${column}, ?) > 0`, values: [text] };
  if (!text.includes('*')) return { sql: `${column} = ?`, values: [text] };
  return { sql: `${column} GLOB ?`, values: [text.replaceAll(/[[?]/g, (sign) => `[${sign}]`)] };
}

const markFilters: Readonly<Partial<Record<string, RowFilter>>> = {
  imported: { sql: filterColumns.isImported, values: [] },
  feed: { sql: filterColumns.isByFeed, values: [] },
  refused: { sql: filterColumns.isRefused, values: [] },
  noted: { sql: filterColumns.isNoted, values: [] },
};
