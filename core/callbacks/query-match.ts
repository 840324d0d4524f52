// Whether a callback fits a query (contract/app-rpc/callback-query.ts). Pure; what costs something (decoding and parsing a body, the
// judgement) is done once per callback and only where a term asks for it.
import type { CallbackQuery, QueryCondition, QueryField, QueryMark } from '#contract/app-rpc/callback-query.ts';
import { matchesPattern } from '#contract/app-rpc/callback-query.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { charsetOf } from '#shared/text/charset.ts';
import { headerOf } from '../receiver/checked-callback.ts';
import { decodeAtOnce } from '../receiver/decode-body.ts';
import type { StoredCallback } from '../receiver/callback-pages.ts';
import type { ValidationResult } from './callback-validator.ts';

type Subject = {
  row: StoredCallback;
  /** In lower case. */
  body: () => string;
  json: () => unknown;
  validation: () => ValidationResult;
};

export function fitsQuery(
  query: CallbackQuery,
  row: StoredCallback,
  validate: (row: StoredCallback) => ValidationResult,
): boolean {
  const text = once(() => textOfBody(row));
  const subject: Subject = {
    row,
    body: once(() => text().toLowerCase()),
    json: once(() => parsed(text())),
    validation: once(() => validate(row)),
  };
  return query.alternatives.some((terms) => terms.every(({ isNot, condition }) => fits(condition, subject) !== isNot));
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Longer decoded bodies are searched as received, so that a small body cannot hold up a search. */
const longestDecoded = 4 * 1024 * 1024;

/** Decoded by its codings and its declared charset. */
function textOfBody(row: StoredCallback): string {
  const body = decodeAtOnce(row, longestDecoded) ?? row.body;
  const charset = charsetOf(headerOf(row.headers, 'content-type') ?? '');
  if (charset === 'utf-8') return body.toString('utf8');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fits(condition: QueryCondition, subject: Subject): boolean {
  switch (condition.kind) {
    case 'text':
      return fitsAnywhere(condition.text, subject);
    case 'field':
      return exactFields.has(condition.field)
        ? matchesPattern(condition.text, fieldReaders[condition.field](subject))
        : fieldReaders[condition.field](subject).includes(condition.text);
    case 'status':
      return subject.row.answeredStatus >= condition.from && subject.row.answeredStatus <= condition.to;
    case 'header':
      return subject.row.headers.some(
        ([name, value]) =>
          name.toLowerCase() === condition.name &&
          (condition.text === '' || matchesPattern(condition.text, value.toLowerCase())),
      );
    case 'json':
      return jsonFits(subject.json(), condition.path, condition.text);
    case 'size':
      return subject.row.sizeBytes >= condition.from && subject.row.sizeBytes <= condition.to;
    case 'time': {
      const at = parseTimestamp(subject.row.receivedAt) ?? 0;
      return at >= condition.from && at < condition.before;
    }
    case 'outcome':
      return subject.row.outcome.kind === condition.outcome;
    case 'is':
      return isMarked(condition.mark, subject);
  }
}

/** Compared as a whole. */
const exactFields: ReadonlySet<QueryField> = new Set(['method', 'monitor']);

const fieldReaders: Readonly<Record<QueryField, (subject: Subject) => string>> = {
  method: ({ row }) => row.method.toLowerCase(),
  monitor: ({ row }) => (row.monitorId ?? '').toLowerCase(),
  path: ({ row }) => row.target.toLowerCase(),
  from: ({ row }) => row.remoteAddress.toLowerCase(),
  body: ({ body }) => body(),
  note: ({ row }) => row.note.toLowerCase(),
};

const fieldsOfText: readonly QueryField[] = ['path', 'method', 'monitor', 'from', 'note', 'body'];

function fitsAnywhere(text: string, subject: Subject): boolean {
  return (
    fieldsOfText.some((field) => fieldReaders[field](subject).includes(text)) ||
    subject.row.headers.some(([name, value]) => `${name}: ${value}`.toLowerCase().includes(text))
  );
}

function isMarked(mark: QueryMark, { row, validation }: Subject): boolean {
  if (mark === 'imported') return row.isImported;
  if (mark === 'noted') return row.hasNote;
  if (mark === 'cut') return row.truncated;
  if (mark === 'refused') return row.refusal !== null;
  const { verdict, kind } = validation();
  return mark === verdict || mark === kind;
}

/** `*` stands for any member; member names are compared without case like all else. */
function jsonFits(value: unknown, path: readonly string[], text: string | undefined): boolean {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (text === undefined) return true;
    const found = textOf(value);
    return found !== undefined && matchesPattern(text, found);
  }
  return membersOf(value, name).some((member) => jsonFits(member, rest, text));
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (name === '*') return Object.values(value);
  // Not by its keys, because a list can have hundreds of thousands.
  if (Array.isArray(value)) return Object.hasOwn(value, name) && name !== 'length' ? [value[Number(name)]] : [];
  return Object.entries(value).flatMap(([key, member]) => (key.toLowerCase() === name ? [member] : []));
}

/** Undefined for what nests too deep to be written. */
function textOf(value: unknown): string | undefined {
  try {
    return (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
  } catch {
    return undefined;
  }
}
