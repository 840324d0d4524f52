// The query language of the callback list, shared by screen and core. Terms are separated by spaces and must all match; `OR`
// separates lists of terms, of which one must match; not case-sensitive; `"…"` groups words, and a leading `-` negates a term:
//   words               anywhere: target, method, address, monitor, headers, body, note
//   method:POST monitor:precipitation_7          exact; `*` matches any characters
//   path:/hooks from:127 body:rain note:bug      contains
//   sender:stripe       the sender's name, with - for spaces; `*` matches any characters; sender:none
//   status:503 status:5xx status:closed
//   header:user-agent header:user-agent=curl*    present, or with exactly this value
//   json:geo.type=Point json:id        a path in the JSON body, with exactly this value or present; `*` matches any member
//   size:>1kB size:<500 size:100..200
//   after:2026-11-22T14:05 before:2026-11-23     in UTC unless an offset follows; `after` includes the time
//   outcome:answered outcome:closed …
//   verdict:verified verdict:too-soon verdict:out-of-order verdict:invalid verdict:handshake …
//   is:ok is:warning is:error is:unknown is:event is:test is:retry is:other is:refused is:imported is:feed is:noted is:cut
import { outcomeKindNames } from './callback-outcome-kinds.ts';
import { verdictNames, type VerdictName } from './callback-verdicts.ts';
import { parseTimestamp } from '@rainbell/shared';

export const queryFields = ['method', 'monitor', 'path', 'from', 'body', 'note'] as const;
export type QueryField = (typeof queryFields)[number];

export const queryMarks = [
  'ok',
  'warning',
  'error',
  'unknown',
  'event',
  'test',
  'retry',
  'other',
  'refused',
  'imported',
  'feed',
  'noted',
  'cut',
] as const;
export type QueryMark = (typeof queryMarks)[number];

/** Texts are in lower case. */
export type QueryCondition =
  | { kind: 'text'; text: string }
  | { kind: 'field'; field: QueryField; text: string }
  /** From and to this response status, inclusive; 0 is a closed connection. */
  | { kind: 'status'; from: number; to: number }
  | { kind: 'header'; name: string; text: string }
  | { kind: 'json'; path: readonly string[]; text: string | undefined }
  /** Bytes of the body, both ends included. */
  | { kind: 'size'; from: number; to: number }
  /** Epoch milliseconds: from this one, and before that one. */
  | { kind: 'time'; from: number; before: number }
  | { kind: 'outcome'; outcome: string }
  /** One of these. */
  | { kind: 'verdict'; names: readonly VerdictName[] }
  | { kind: 'is'; mark: QueryMark }
  | { kind: 'sender'; text: string };

export type QueryTerm = { isNot: boolean; condition: QueryCondition };
/** An invalid term; it is ignored. */
export type QueryProblem = { term: string; message: string };
export type CallbackQuery = {
  /** One of these lists must match completely. Without terms it is one empty list, which matches everything. */
  alternatives: readonly (readonly QueryTerm[])[];
  /** All terms of all lists. */
  terms: readonly QueryTerm[];
  problems: readonly QueryProblem[];
};

type QueryLimits = {
  from?: string | undefined;
  to?: string | undefined;
  verdicts?: readonly VerdictName[] | undefined;
};

/** Parses a query and adds the filter's limits to all its alternatives. Ignores limits that are not times. */
export function parseCallbackFilter({
  query,
  from,
  to,
  verdicts = [],
}: { query: string } & QueryLimits): CallbackQuery {
  const parsed = parseCallbackQuery(query);
  const limits: QueryTerm[] = [];
  if (from !== undefined || to !== undefined) {
    const range = {
      from: (from === undefined ? undefined : parseTimestamp(from)) ?? -Infinity,
      before: (to === undefined ? undefined : parseTimestamp(to)) ?? Infinity,
    };
    limits.push({ isNot: false, condition: { kind: 'time', ...range } });
  }
  if (verdicts.length > 0) limits.push({ isNot: false, condition: { kind: 'verdict', names: verdicts } });
  if (limits.length === 0) return parsed;
  return {
    alternatives: parsed.alternatives.map((terms) => [...limits, ...terms]),
    terms: [...limits, ...parsed.terms],
    problems: parsed.problems,
  };
}

type Token = {
  text: string;
  isNot: boolean;
  /** The operator `OR`. */
  isOr: boolean;
  /** Quoted from its first character on, so no operator. */ isPhrase: boolean;
};

export function parseCallbackQuery(query: string): CallbackQuery {
  const alternatives: QueryTerm[][] = [[]];
  const problems: QueryProblem[] = [];
  for (const token of tokensOf(query)) {
    if (token.isOr) {
      alternatives.push([]);
      continue;
    }
    const read = readCondition(token);
    if (typeof read === 'string') problems.push({ term: token.text, message: read });
    else alternatives.at(-1)?.push({ isNot: token.isNot, condition: read });
  }
  const isEmpty = alternatives.some((terms) => terms.length === 0);
  if (isEmpty && alternatives.length > 1) problems.push({ term: 'OR', message: 'Put OR between two terms.' });
  const filled = alternatives.filter((terms) => terms.length > 0);
  return { alternatives: filled.length > 0 ? filled : [[]], terms: alternatives.flat(), problems };
}

const tokenForm = /(-?)((?:"[^"]*"?|[^\s"])+)/g;

function tokensOf(query: string): Token[] {
  return [...query.matchAll(tokenForm)]
    .map(([, minus = '', raw = '']) => ({
      text: raw.replaceAll('"', '').toLowerCase(),
      isNot: minus === '-',
      isOr: minus === '' && raw === 'OR',
      isPhrase: raw.startsWith('"'),
    }))
    .filter(({ text }) => text !== '');
}

/** Returns the condition, or the error message if the term is invalid. */
function readCondition({ text, isPhrase }: Token): QueryCondition | string {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0));
  const value = text.slice(colon + 1);
  const read = isPhrase ? undefined : readers.get(name);
  // `http://…` and `12:30` are plain text.
  if (!read && !isPhrase && isOperatorLike(name, value))
    return `There is no “${name}:”. Use one of ${[...readers.keys()].join(', ')}, or put the text in quotes.`;
  if (!read) return { kind: 'text', text };
  if (value === '') return `Enter a value right after “${name}:”, without a space.`;
  return read(value);
}

/** Not the scheme of a URL, or a host and its port. */
function isOperatorLike(name: string, value: string): boolean {
  return /^\(*[a-z][a-z-]*$/.test(name) && !/^(\/\/|\d+(\/|$))/.test(value);
}

type Reader = (value: string) => QueryCondition | string;

const fieldReaders = queryFields.map((field): [string, Reader] => [field, (text) => ({ kind: 'field', field, text })]);

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...fieldReaders,
  ['status', readStatus],
  ['header', readHeader],
  ['json', readJsonPath],
  ['size', readSize],
  ['after', (value) => readTime(value, (at) => ({ from: at, before: Infinity }))],
  ['before', (value) => readTime(value, (at) => ({ from: -Infinity, before: at }))],
  ['outcome', readOutcome],
  ['verdict', readVerdict],
  ['sender', (text) => ({ kind: 'sender', text })],
  ['is', readMark],
]);

function readStatus(value: string): QueryCondition | string {
  if (value === 'closed') return { kind: 'status', from: 0, to: 0 };
  const family = /^([1-5])xx$/.exec(value)?.[1];
  if (family !== undefined) return { kind: 'status', from: Number(family) * 100, to: Number(family) * 100 + 99 };
  if (/^[1-5]\d\d$/.test(value)) return { kind: 'status', from: Number(value), to: Number(value) };
  return '“status:” must be followed by a status such as 503, a class such as 5xx, or closed.';
}

function readHeader(value: string): QueryCondition {
  const cut = value.search(/[=:]/);
  return cut < 0
    ? { kind: 'header', name: value, text: '' }
    : { kind: 'header', name: value.slice(0, cut), text: value.slice(cut + 1) };
}

function readJsonPath(value: string): QueryCondition | string {
  const [, left = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  if (/[<>!]/.test(left)) return '“json:” compares only with =, such as geo.type=point.';
  const path = left
    .replace(/^\$/, '')
    .replaceAll(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .filter((part, index) => index > 0 || part !== '');
  if (path.length === 0 || path.includes('')) {
    return '“json:” must be followed by a path such as geo.type, or a path and a value: geo.type=point.';
  }
  return { kind: 'json', path, text };
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1000, mb: 1_000_000 };

function readSize(value: string): QueryCondition | string {
  const bytes = (text: string): number | undefined => {
    const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)([a-z]*)$/.exec(text) ?? [];
    const factor = units[unit];
    return digits === undefined || factor === undefined ? undefined : Math.round(Number(digits) * factor);
  };
  const [, low = '', high = ''] = /^(.+)\.\.(.+)$/.exec(value) ?? [];
  const [from, to] = [bytes(low), bytes(high)];
  if (from !== undefined && to !== undefined) return { kind: 'size', from, to };
  const [, sign = '', text = ''] = /^(>=|<=|>|<|)(.+)$/.exec(value) ?? [];
  const limit = bytes(text);
  if (limit === undefined)
    return '“size:” must be followed by a number of bytes, or a range such as >1kB, <500, or 100..200.';
  if (sign === '>') return { kind: 'size', from: limit + 1, to: Infinity };
  if (sign === '>=') return { kind: 'size', from: limit, to: Infinity };
  if (sign === '<') return { kind: 'size', from: 0, to: limit - 1 };
  return { kind: 'size', from: sign === '<=' ? 0 : limit, to: limit };
}

function readTime(value: string, range: (at: number) => { from: number; before: number }): QueryCondition | string {
  const [, date, time = '00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:t(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(z|[+-]\d\d:\d\d)?)?$/.exec(value) ?? [];
  const seconds = time.length === 'hh:mm'.length ? ':00' : '';
  const at = date === undefined ? undefined : parseTimestamp(`${date}T${time}${seconds}${offset.toUpperCase()}`);
  return at === undefined
    ? 'Enter a date or time such as 2026-11-22 or 2026-11-22T14:05. Times without an offset are in UTC.'
    : { kind: 'time', ...range(at) };
}

function readOutcome(value: string): QueryCondition | string {
  return outcomeKindNames.some((known) => known === value)
    ? { kind: 'outcome', outcome: value }
    : `“outcome:” must be followed by one of ${outcomeKindNames.join(', ')}.`;
}

function readVerdict(value: string): QueryCondition | string {
  const name = verdictNames.find((known) => known === value);
  return name
    ? { kind: 'verdict', names: [name] }
    : `“verdict:” must be followed by one of ${verdictNames.join(', ')}.`;
}

/** Matches a value against the whole pattern, in which `*` matches any characters. Both in lower case. */
export function matchesPattern(pattern: string, value: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return value === pattern;
  const last = parts.at(-1) ?? '';
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - last.length;
}

function readMark(value: string): QueryCondition | string {
  const mark = queryMarks.find((known) => known === value);
  return mark ? { kind: 'is', mark } : `“is:” must be followed by one of ${queryMarks.join(', ')}.`;
}
