// The query language of the callback list, shared by screen and core. Terms stand apart by spaces and must all fit; case
// does not matter; `"…"` keeps spaces together and a leading `-` turns a term around:
//   words               anywhere: target, method, sender, monitor, headers, body, note
//   method:POST monitor:torino path:/hooks from:127 body:rain note:bug
//   status:503 status:5xx status:closed
//   header:user-agent header:user-agent=curl
//   json:geo.type=Point json:id        a path of the body's JSON, with a value or just there; `*` stands for any member
//   is:ok is:warning is:error is:unknown is:event is:test is:retry is:imported is:noted is:cut,
//   and as the list shows them is:valid (ok) is:broken (error)

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
  'imported',
  'noted',
  'cut',
] as const;
export type QueryMark = (typeof queryMarks)[number];

/** Texts are in lower case. */
export type QueryCondition =
  | { kind: 'text'; text: string }
  | { kind: 'field'; field: QueryField; text: string }
  /** From and to this answered status; 0 is a closed connection. */
  | { kind: 'status'; from: number; to: number }
  | { kind: 'header'; name: string; text: string }
  | { kind: 'json'; path: readonly string[]; text: string | undefined }
  | { kind: 'is'; mark: QueryMark };

export type QueryTerm = { isNot: boolean; condition: QueryCondition };
/** A term that means nothing; it is left out. */
export type QueryProblem = { term: string; message: string };
export type CallbackQuery = { terms: readonly QueryTerm[]; problems: readonly QueryProblem[] };

type Token = {
  text: string;
  isNot: boolean;
  /** Quoted from its first character on, so no operator. */ isPhrase: boolean;
};

export function parseCallbackQuery(query: string): CallbackQuery {
  const terms: QueryTerm[] = [];
  const problems: QueryProblem[] = [];
  for (const token of tokensOf(query)) {
    const read = readCondition(token);
    if (typeof read === 'string') problems.push({ term: token.text, message: read });
    else terms.push({ isNot: token.isNot, condition: read });
  }
  return { terms, problems };
}

const tokenForm = /(-?)((?:"[^"]*"?|[^\s"])+)/g;

function tokensOf(query: string): Token[] {
  return [...query.matchAll(tokenForm)]
    .map(([, minus = '', raw = '']) => ({
      text: raw.replaceAll('"', '').toLowerCase(),
      isNot: minus === '-',
      isPhrase: raw.startsWith('"'),
    }))
    .filter(({ text }) => text !== '');
}

/** The condition, or in words why there is none. */
function readCondition({ text, isPhrase }: Token): QueryCondition | string {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0));
  const value = text.slice(colon + 1);
  const read = isPhrase ? undefined : readers.get(name);
  // `http://…` and `12:30` are texts like others.
  if (!read) return { kind: 'text', text };
  if (value === '') return `Something must follow ${name}:, without a space.`;
  return read(value);
}

type Reader = (value: string) => QueryCondition | string;

const fieldReaders = queryFields.map((field): [string, Reader] => [field, (text) => ({ kind: 'field', field, text })]);

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...fieldReaders,
  ['status', readStatus],
  ['header', readHeader],
  ['json', readJsonPath],
  ['is', readMark],
]);

function readStatus(value: string): QueryCondition | string {
  if (value === 'closed') return { kind: 'status', from: 0, to: 0 };
  const family = /^([1-5])xx$/.exec(value)?.[1];
  if (family !== undefined) return { kind: 'status', from: Number(family) * 100, to: Number(family) * 100 + 99 };
  if (/^[1-5]\d\d$/.test(value)) return { kind: 'status', from: Number(value), to: Number(value) };
  return 'After status: comes a status such as 503, a family such as 5xx, or closed.';
}

function readHeader(value: string): QueryCondition {
  const cut = value.search(/[=:]/);
  return cut < 0
    ? { kind: 'header', name: value, text: '' }
    : { kind: 'header', name: value.slice(0, cut), text: value.slice(cut + 1) };
}

function readJsonPath(value: string): QueryCondition | string {
  const [, left = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  const path = left
    .replace(/^\$/, '')
    .replaceAll(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .filter((part, index) => index > 0 || part !== '');
  if (path.length === 0 || path.includes('')) {
    return 'After json: comes a path such as geo.type, or with a value geo.type=point.';
  }
  return { kind: 'json', path, text };
}

/** The words of the list's column “Check”. */
const shownMarks: ReadonlyMap<string, QueryMark> = new Map([
  ['valid', 'ok'],
  ['broken', 'error'],
]);

function readMark(value: string): QueryCondition | string {
  const mark = shownMarks.get(value) ?? queryMarks.find((known) => known === value);
  if (mark) return { kind: 'is', mark };
  const shown = new Map([...shownMarks].map(([word, known]) => [known, word]));
  return `After is: comes one of ${queryMarks.map((known) => shown.get(known) ?? known).join(', ')}.`;
}
