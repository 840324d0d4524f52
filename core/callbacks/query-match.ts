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
import { once } from '@rainbell/shared';
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

export function splitQuery(query: CallbackQuery, verdicts: VerdictFilter): SplitQuery {
  const lists = query.alternatives.map((terms) => terms.map((term) => filterOf(term, verdicts)));
  const isWhole = !lists.flat().includes(undefined) && (!asksVerdicts(query) || verdicts.isWhole());
  // A list of which a part is left out is wider than it should be, which is right for a first look.
  const parts = lists.map((filters) => joined(filters, ' AND '));
  return { filter: joined(parts, ' OR '), isWhole };
}

/** Whether the index of verdicts decides a part. */
export function asksVerdicts({ terms }: CallbackQuery): boolean {
  return terms.some(({ condition }) => condition.kind === 'verdict');
}

/** Whether callbacks must be judged for it. */
export function needsValidation(query: CallbackQuery): boolean {
  return (
    asksVerdicts(query) || query.terms.some(({ condition }) => condition.kind === 'is' && !ownMarks[condition.mark])
  );
}

function joined(filters: readonly (RowFilter | undefined)[], by: string): RowFilter {
  const known = filters.filter((filter) => filter !== undefined);
  if (known.length < 2) return known[0] ?? everyRow;
  return where(`(${known.map(({ sql }) => sql).join(by)})`, ...known.flatMap(({ values }) => values));
}

function filterOf({ isNot, condition }: QueryTerm, verdicts: VerdictFilter): RowFilter | undefined {
  if (condition.kind === 'verdict')
    return verdicts.filter(isNot ? verdictNames.filter((name) => !condition.names.includes(name)) : condition.names);
  const filter = decisionOf(condition).filter?.(condition);
  return filter && isNot ? { ...filter, sql: `NOT (${filter.sql})` } : filter;
}

type Subject = Omit<StoredCallback, 'body'> & RequestSubject & { validation: () => ValidationResult };

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
    ...row,
    ...readForms(() => textOfBody(row, maxDecodedBytes, onDecoded)),
    validation: once(() => validate(row)),
  };
  const fits = (condition: QueryCondition) => decisionOf(condition).fits(condition, subject);
  return query.alternatives.some((terms) => terms.every(({ isNot, condition }) => fits(condition) !== isNot));
}

type Decision<Condition> = {
  /** Undefined if only a look at the row decides. */
  filter?: (condition: Condition) => RowFilter | undefined;
  fits: (condition: Condition, subject: Subject) => boolean;
};

const where = (sql: string, ...values: RowFilter['values']): RowFilter => ({ sql, values });

const decisions: { readonly [Kind in QueryCondition['kind']]: Decision<Extract<QueryCondition, { kind: Kind }>> } = {
  text: { fits: fitsRequest },
  header: { fits: fitsRequest },
  json: { fits: fitsRequest },
  field: { filter: fieldFilter, fits: fitsRequest },
  size: { filter: ({ from, to }) => where('size_bytes BETWEEN ? AND ?', from, to), fits: fitsRequest },
  status: {
    filter: ({ from, to }) => where(`${filterColumns.status} BETWEEN ? AND ?`, from, to),
    fits: ({ from, to }, { answeredStatus }) => answeredStatus >= from && answeredStatus <= to,
  },
  time: {
    filter: ({ from, before }) => where('(received_at >= ? AND received_at < ?)', from, before),
    fits: ({ from, before }, { receivedAt }) => receivedAt >= from && receivedAt < before,
  },
  outcome: {
    filter: ({ outcome }) => where(`(${filterColumns.outcome}) = ?`, outcome),
    fits: ({ outcome }, subject) => subject.outcome.kind === outcome,
  },
  // Its filter depends on what the index knows.
  verdict: { fits: ({ names }, { validation }) => names.includes(validation().verdictName) },
  sender: { fits: ({ text }, { validation }) => matchesPattern(text, senderName(validation().sender)) },
  is: {
    filter: ({ mark }) => ownMarks[mark]?.filter,
    fits: ({ mark }, subject) => ownMarks[mark]?.fits(subject) ?? isJudgedAs(mark, subject.validation()),
  },
};

function decisionOf({ kind }: QueryCondition): Decision<QueryCondition> {
  return decisions[kind] as Decision<QueryCondition>;
}

/** The marks that need no judgement. */
const ownMarks: Readonly<Partial<Record<QueryMark, { filter?: RowFilter; fits: (subject: Subject) => boolean }>>> = {
  imported: { filter: where(filterColumns.isImported), fits: ({ isImported }) => isImported },
  feed: { filter: where(filterColumns.isByFeed), fits: ({ isByFeed }) => isByFeed },
  refused: { filter: where(filterColumns.isRefused), fits: ({ refusal }) => refusal !== null },
  noted: { filter: where(filterColumns.isNoted), fits: ({ note }) => note !== '' },
  // A body that was lost is cut, too, which only its file shows.
  cut: { fits: ({ truncated }) => truncated },
};

function isJudgedAs(mark: QueryMark, { verdict, kind }: ValidationResult): boolean {
  return mark === verdict || mark === kind;
}

const columns: Readonly<Record<string, string>> = {
  method: 'lower(method)',
  monitor: "lower(coalesce(monitor_id, ''))",
  path: 'lower(target)',
  from: 'lower(remote_address)',
};
/** SQLite's lower() knows ASCII only. */
const ascii = /^[\u0020-\u007e]*$/;

function fieldFilter({ field, text }: Extract<QueryCondition, { kind: 'field' }>): RowFilter | undefined {
  const column = columns[field];
  if (column === undefined || !ascii.test(text)) return undefined;
  if (field === 'path' || field === 'from') return where(`instr(${column}, ?) > 0`, text);
  if (!text.includes('*')) return where(`${column} = ?`, text);
  return where(
    `${column} GLOB ?`,
    text.replaceAll(/[[?]/g, (sign) => `[${sign}]`),
  );
}

function senderName(name: string | undefined): string {
  return (name ?? 'none').toLowerCase().replaceAll(/[ .]+/g, '-');
}
