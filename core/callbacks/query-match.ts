// Whether callbacks fit a query (contract/app-rpc/callback-query.ts). What the database can decide is a condition of SQL: counting and
// searching then read far fewer rows. The rest is decided for each row; what costs something (decoding and parsing a body, the judgement)
// is done once per callback, and only where a term asks for it.
import {
  type CallbackQuery,
  matchesPattern,
  type QueryCondition,
  type QueryMark,
  type QueryTerm,
  verdictNames,
} from '@rainbell/contract/app-rpc';
import { once, pick } from '@rainbell/shared';
import { everyRow, type RowFilter } from '../receiver/records/callback-pages.ts';
import { filterColumns, type StoredCallback } from '../receiver/records/stored-callback.ts';
import { fitsRequest, readForms, textOfBody, type RequestSubject } from '../receiver/rules/request-match.ts';
import type { CallbackIndex } from './callback-index.ts';
import type { ValidationResult } from './callback-validator.ts';

export type SplitQuery = {
  filter: RowFilter;
  /** Whether the filter decides all of the query. */
  isWhole: boolean;
};

type VerdictFilter = Pick<CallbackIndex, 'filter' | 'isWhole'>;

export function splitQuery({ alternatives, terms: all }: CallbackQuery, verdicts: VerdictFilter): SplitQuery {
  const lists = alternatives.map((terms) => terms.map((term) => filterOf(term, verdicts)));
  const needsVerdicts = all.some(({ condition }) => condition.kind === 'verdict');
  const isWhole =
    lists.every((filters) => filters.every((filter) => filter !== undefined)) && (!needsVerdicts || verdicts.isWhole());
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

function filterOf({ isNot, condition }: QueryTerm, verdicts: VerdictFilter): RowFilter | undefined {
  if (condition.kind === 'verdict')
    return verdicts.filter(isNot ? verdictNames.filter((name) => !condition.names.includes(name)) : condition.names);
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

type Subject = RequestSubject & { row: StoredCallback; validation: () => ValidationResult };

/** Longer decoded bodies are searched as received, so that a small body cannot hold up a search. */
const maxDecodedBytes = 4 * 1024 * 1024;

/** `onDecoded` gets the bytes that decoding the body made, or could have made. */
export function fitsQuery(
  query: CallbackQuery,
  row: StoredCallback,
  validate: (row: StoredCallback) => ValidationResult,
  onDecoded: (bytes: number) => void = () => {},
): boolean {
  const subject: Subject = {
    ...pick(row, 'method', 'target', 'remoteAddress', 'headers', 'monitorId', 'note', 'sizeBytes'),
    ...readForms(() => textOfBody(row, maxDecodedBytes, onDecoded)),
    row,
    validation: once(() => validate(row)),
  };
  return query.alternatives.some((terms) => terms.every(({ isNot, condition }) => fits(condition, subject) !== isNot));
}

function fits(condition: QueryCondition, subject: Subject): boolean {
  const { row } = subject;
  switch (condition.kind) {
    case 'status':
      return row.answeredStatus >= condition.from && row.answeredStatus <= condition.to;
    case 'time':
      return row.receivedAt >= condition.from && row.receivedAt < condition.before;
    case 'outcome':
      return row.outcome.kind === condition.outcome;
    case 'verdict':
      return condition.names.includes(subject.validation().verdictName);
    case 'sender':
      return matchesPattern(condition.text, senderName(subject.validation().sender));
    case 'is':
      return isMarked(condition.mark, subject);
    case 'text':
    case 'field':
    case 'header':
    case 'json':
    case 'size':
      return fitsRequest(condition, subject);
  }
}

function senderName(name: string | undefined): string {
  return (name ?? 'none').toLowerCase().replaceAll(/[ .]+/g, '-');
}

function isMarked(mark: QueryMark, { row, validation }: Subject): boolean {
  if (mark === 'imported') return row.isImported;
  if (mark === 'feed') return row.isByFeed;
  if (mark === 'noted') return row.note !== '';
  if (mark === 'cut') return row.truncated;
  if (mark === 'refused') return row.refusal !== null;
  const { verdict, kind } = validation();
  return mark === verdict || mark === kind;
}
