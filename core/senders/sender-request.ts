// Reads the parts of a request that a sender's row names, and fills in its templates. Bytes stay bytes: only what a row names is parsed.
import { createHash } from 'node:crypto';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { parseExactly } from '@rainbell/shared';
import { headerOf } from '../http/http-headers.ts';
import type { Condition, Template } from './sender-profile.ts';

export type SenderRequest = {
  method: string;
  /** As registered with the sender, with the query of this request. */
  url: string;
  /** Values as received: each character is a byte. */
  headers: HeaderList;
  body: Buffer;
};

/** What a template can name in addition to the request. */
export type TemplateContext = {
  secret?: string;
  time?: string | undefined;
  item?: unknown;
  list?: ReadonlyMap<string, string>;
  /** `{hmac:…}` of a handshake, keyed with the endpoint's secret. */
  hmac?: (text: string, encoding: 'hex' | 'base64') => string | undefined;
};

export type RequestReader = {
  request: SenderRequest;
  /** The text of a Ref; undefined if the request does not have it. */
  read: (ref: string, context?: TemplateContext) => string | undefined;
  /** Of a JSON list; undefined for anything else. */
  items: (path: string) => readonly unknown[] | undefined;
  fits: (condition: Condition) => boolean;
  /** The bytes, or the name of the first token whose value is missing. */
  render: (template: Template, context?: TemplateContext) => { bytes: Buffer } | { missing: string };
};

/** A longer body is not parsed. */
const maxParsedBytes = 1024 * 1024;

export function readSenderRequest(request: SenderRequest): RequestReader {
  const { method, url, headers, body } = request;
  const json = lazy(() => parseJson(body));
  const form = lazy(() => parsePairs(body.length > maxParsedBytes ? '' : body.toString('latin1')));
  const query = lazy(() => parsePairs(url.split('#', 1)[0]?.split('?').slice(1).join('?') ?? ''));

  function read(ref: string, context: TemplateContext = {}): string | undefined {
    const [kind, name] = cut(ref, ':');
    if (kind === 'header') return headerOf(headers, name);
    if (kind === 'json') return textOf(memberAt(json(), name));
    if (kind === 'item') return textOf(memberAt(context.item, name));
    if (kind === 'sig') return context.list?.get(name);
    if (kind === 'query') return query().find(([key]) => key === name)?.[1];
    if (kind === 'form') return form().find(([key]) => key === name)?.[1];
    if (kind === 'key') return name.split('|').find((key) => textOf(memberAt(json(), key)) !== undefined);
    return undefined;
  }

  function fitsOne({ isNot, ref, operator, wanted }: Test): boolean {
    if (isNot) return read(ref) === undefined;
    // Most bodies don't have the value, and need not be parsed.
    if (operator === '=' && ref.startsWith('json:') && !body.includes(wanted)) return false;
    const value = ref === 'method' ? method : read(ref);
    if (value === undefined) return false;
    if (operator === '=') return value === wanted;
    if (operator === '^') return value.toLowerCase().startsWith(wanted);
    return operator === '~' ? value.includes(wanted) : true;
  }

  function valueOf(token: string, context: TemplateContext): Buffer | string | undefined {
    if (token === 'body') return body;
    if (token === 'method') return method;
    if (token === 'url') return url;
    if (token === 'url:decoded') return decodePercent(url);
    if (token === 'url:port' || token === 'url:noport') return withPort(url, token === 'url:port');
    if (token === 'path') return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';
    if (token === 'time') return context.time;
    if (token === 'secret') return context.secret;
    if (token === 'form:*sorted') return sortedFields(form());
    if (token === 'sha256hex:body') return createHash('sha256').update(body).digest('hex');
    if (token.startsWith('hmac:')) {
      const [encoding, ref] = cut(token.slice('hmac:'.length), ':');
      const text = read(ref, context);
      return text === undefined ? undefined : context.hmac?.(text, encoding === 'hex' ? 'hex' : 'base64');
    }
    const value = read(token.replace(/\?$/, ''), context) ?? (token.endsWith('?') ? '' : undefined);
    return value !== undefined && token.startsWith('header:') ? Buffer.from(value, 'latin1') : value;
  }

  return {
    request,
    read,
    items(path) {
      const value = memberAt(json(), path);
      return Array.isArray(value) ? value : undefined;
    },
    fits: (condition) => testsOf(condition).some((tests) => tests.every(fitsOne)),
    render(template, context = {}) {
      const parts: Buffer[] = [];
      for (const part of partsOf(template)) {
        const value = typeof part === 'string' ? valueOf(part, context) : part;
        if (value === undefined) return { missing: String(part) };
        parts.push(typeof value === 'string' ? Buffer.from(value) : value);
      }
      return { bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) };
    },
  };
}

const templates = new Map<Template, (string | Buffer)[]>();
const maxTemplates = 1000;

/** Tokens as strings, and the texts between them. */
function partsOf(template: Template): (string | Buffer)[] {
  const known = templates.get(template);
  if (known) return known;
  if (templates.size >= maxTemplates) templates.clear();
  const parts = [...template.matchAll(/\{([a-z\d]+(?::[^{}]+)?)\}|[^{]+|\{/g)].map(
    ([text, token]) => token ?? Buffer.from(text),
  );
  templates.set(template, parts);
  return parts;
}

type Test = { isNot: boolean; ref: string; operator: string | undefined; wanted: string };

/** Of the built-in rows, so there are not many. */
const compiled = new Map<Condition, Test[][]>();

function testsOf(condition: Condition): Test[][] {
  const known = compiled.get(condition);
  if (known) return known;
  const tests = condition.split(' / ').map((alternative) =>
    alternative.split(' & ').map((text): Test => {
      const [, not, ref = '', operator, wanted = ''] = /^(!?)([^=^~]+)(?:([=^~])(.*))?$/.exec(text) ?? [];
      return { isNot: not === '!', ref, operator, wanted };
    }),
  );
  compiled.set(condition, tests);
  return tests;
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

const opening = /^[\s\ufeff]*[[{]/;

function parseJson(body: Buffer): unknown {
  if (body.length > maxParsedBytes || !opening.test(body.toString('utf8', 0, 100))) return undefined;
  try {
    return parseExactly(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function memberAt(value: unknown, path: string): unknown {
  let member = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, name)) return undefined;
    member = (member as Record<string, unknown>)[name];
  }
  return member;
}

/** Numbers with the digits that they were written with. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In their order, with duplicates; a part that is not UTF-8 in percent-encoding stays as it is. */
function parsePairs(text: string): [string, string][] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, value] = cut(pair, '=');
      return [decodePercent(name.replaceAll('+', ' ')), decodePercent(value.replaceAll('+', ' '))];
    });
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fields of a form as Twilio signs them: a value that occurs twice counts once. */
function sortedFields(pairs: readonly [string, string][]): string {
  const names = [...new Set(pairs.map(([name]) => name))].toSorted(byCode);
  return names
    .flatMap((name) => {
      const values = new Set(pairs.filter(([key]) => key === name).map(([, value]) => value));
      return [...values].toSorted(byCode).map((value) => name + value);
    })
    .join('');
}

const byCode = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function withPort(url: string, isWanted: boolean): string {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === '') return url;
  const port = scheme.toLowerCase() === 'http' ? '80' : '443';
  const bare = authority.replace(/:\d+$/, '');
  return `${scheme}://${isWanted ? (bare === authority ? `${bare}:${port}` : authority) : bare}${rest}`;
}
