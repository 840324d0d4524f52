// Whether a request matches a condition of the search language (contract/app-rpc/callback-query.ts), as far as the request decides
// it. Shared by the search and the receiver's rules.
import { type HeaderList, matchesPattern, type QueryCondition, type QueryField } from '@rainbell/contract/app-rpc';
import { headerText, once, parseExactly } from '@rainbell/shared';
import { headerOf } from '../../http/http-headers.ts';
import { decodeAtOnce, textOfBytes } from '../../http/decode-body.ts';

export type RequestSubject = {
  method: string;
  target: string;
  remoteAddress: string;
  headers: HeaderList;
  monitorId: string | null;
  note: string;
  sizeBytes: number;
  /** Decoded, in lower case. */
  body: () => string;
  json: () => unknown;
};

/** A condition that the request does not decide never matches. */
export function fitsRequest(condition: QueryCondition, subject: RequestSubject): boolean {
  switch (condition.kind) {
    case 'text':
      return fitsAnywhere(condition.text, subject);
    case 'field':
      return exactFields.has(condition.field)
        ? matchesPattern(condition.text, fieldReaders[condition.field](subject))
        : fieldReaders[condition.field](subject).includes(condition.text);
    case 'header':
      return subject.headers.some(
        ([name, value]) =>
          name.toLowerCase() === condition.name &&
          (condition.text === '' || matchesPattern(condition.text, headerText(value).toLowerCase())),
      );
    case 'json':
      return jsonFits(subject.json(), condition.path, condition.text);
    case 'size':
      return subject.sizeBytes >= condition.from && subject.sizeBytes <= condition.to;
    case 'status':
    case 'time':
    case 'outcome':
    case 'verdict':
    case 'is':
    case 'sender':
      return false;
  }
}

/** Compared as a whole. */
const exactFields: ReadonlySet<QueryField> = new Set(['method', 'monitor']);

/** In lower case. A text is searched for in all of them, last in the body, which costs the most. */
const fieldReaders: Readonly<Record<QueryField, (subject: RequestSubject) => string>> = {
  path: ({ target }) => target.toLowerCase(),
  method: ({ method }) => method.toLowerCase(),
  monitor: ({ monitorId }) => (monitorId ?? '').toLowerCase(),
  from: ({ remoteAddress }) => remoteAddress.toLowerCase(),
  note: ({ note }) => note.toLowerCase(),
  body: ({ body }) => body(),
};

function fitsAnywhere(text: string, subject: RequestSubject): boolean {
  return (
    Object.values(fieldReaders).some((read) => read(subject).includes(text)) ||
    subject.headers.some(([name, value]) => `${name}: ${headerText(value)}`.toLowerCase().includes(text))
  );
}

/** `*` stands for any member; member names are compared without case like all else. */
function jsonFits(value: unknown, path: readonly string[], text: string | undefined): boolean {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (text === undefined) return true;
    const found = textOfJson(value);
    return found !== undefined && matchesPattern(text, found.toLowerCase());
  }
  return membersOf(value, name).some((member) => jsonFits(member, rest, text));
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return [];
  if (name === '*') return Object.values(value);
  // Not by its keys, because a list can have hundreds of thousands.
  if (Array.isArray(value)) return Object.hasOwn(value, name) && name !== 'length' ? [value[Number(name)]] : [];
  return Object.entries(value).flatMap(([key, member]) => (key.toLowerCase() === name ? [member] : []));
}

/** A string as it is, other values as JSON; undefined for what is not there, or nests too deep to be written. */
export function textOfJson(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * A body by its codings and its charset; as received if it cannot be decoded, or has more than `limitBytes` then.
 * `onDecoded` gets the bytes that decoding made, or could have made.
 */
export function textOfBody(
  request: { headers: HeaderList; body: Buffer; truncated: boolean },
  limitBytes: number,
  onDecoded: (bytes: number) => void = () => {},
): string {
  const decoded = decodeAtOnce(request, limitBytes);
  const body = decoded ?? request.body;
  if (decoded !== request.body) onDecoded(decoded?.length ?? limitBytes);
  return textOfBytes(body, headerOf(request.headers, 'content-type') ?? '');
}

/** A body as a condition reads it: each form once, and only if a condition asks for it. */
export function readForms(read: () => string) {
  const text = once(read);
  return { text, body: once(() => text().toLowerCase()), json: once(() => parseJson(text())) };
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
