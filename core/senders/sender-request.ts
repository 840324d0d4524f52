// Reads the parts of a request that a sender's row names, and fills in its templates. Bytes stay bytes: only what a row names is parsed.
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { once, parseExactly, valueAt } from '@rainbell/shared';
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
  secret?: string | undefined;
  time?: string | undefined;
  item?: unknown;
  list?: ReadonlyMap<string, string>;
  /** `{hmac:…}` of a handshake, keyed with the endpoint's secret. */
  hmac?: (text: string, encoding: 'hex' | 'base64') => string | undefined;
};

export type RequestReader = ReturnType<typeof readSenderRequest>;

/** A longer body is not parsed. */
const maxParsedBytes = 1024 * 1024;

type Value = Buffer | string | undefined;

export function readSenderRequest(request: SenderRequest) {
  const { method, url, headers, body } = request;
  const parsed = body.length > maxParsedBytes ? Buffer.alloc(0) : body;
  const json = once(() => parseJson(parsed));
  const form = once(() => parsePairs(parsed.toString(isUtf8(parsed) ? 'utf8' : 'latin1')));
  const query = once(() => parsePairs(/\?([^#]*)/.exec(url)?.[1] ?? ''));
  const jsonText = (path: string) => textOf(valueAt(json(), path.split('.')));
  /** By what is before the colon. */
  const named: Record<string, (name: string, context: TemplateContext) => string | undefined> = {
    header: (name) => headerOf(headers, name),
    json: jsonText,
    item: (path, { item }) => textOf(valueAt(item, path.split('.'))),
    sig: (name, { list }) => list?.get(name),
    query: (name) => query().find(([key]) => key === name)?.[1],
    form: (name) => form().find(([key]) => key === name)?.[1],
    key: (names) => names.split('|').find((name) => jsonText(name) !== undefined),
    hmac(name, context) {
      const [encoding, ref] = cut(name, ':');
      const text = read(ref, context);
      return text === undefined ? undefined : context.hmac?.(text, encoding === 'hex' ? 'hex' : 'base64');
    },
  };
  const whole: Record<string, (context: TemplateContext) => Value> = {
    body: () => body,
    method: () => method,
    url: () => url,
    'url:decoded': () => decodePercent(url),
    'url:port': () => withPort(url, true),
    'url:noport': () => withPort(url, false),
    path: () => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/',
    time: ({ time }) => time,
    secret: ({ secret }) => secret,
    'form:*sorted': () => sortedFields(form()),
    'sha256hex:body': () => createHash('sha256').update(body).digest('hex'),
  };

  function read(ref: string, context: TemplateContext = {}): string | undefined {
    const [kind, name] = cut(ref, ':');
    return named[kind]?.(name, context);
  }

  function valueOf(token: string, context: TemplateContext): Value {
    if (Object.hasOwn(whole, token)) return whole[token]?.(context);
    const value = read(token.replace(/\?$/, ''), context) ?? (token.endsWith('?') ? '' : undefined);
    return value !== undefined && token.startsWith('header:') ? Buffer.from(value, 'latin1') : value;
  }

  function fitsOne({ isNot, kind, name, operator, wanted }: Test): boolean {
    // Most bodies don't have the value, and need not be parsed.
    if (operator === '=' && kind === 'json' && !body.includes(wanted)) return false;
    const value = kind === 'method' ? method : named[kind]?.(name, {});
    if (isNot || value === undefined) return isNot && value === undefined;
    if (operator === '=') return value === wanted;
    if (operator === '^') return value.toLowerCase().startsWith(wanted);
    return operator === undefined || value.includes(wanted);
  }

  return {
    request,
    /** The text of a Ref; undefined if the request does not have it. */
    read,
    /** Returns the items of a JSON list, and none for anything else. */
    items(path: string): readonly unknown[] {
      const value = valueAt(json(), path.split('.'));
      return Array.isArray(value) ? value : [];
    },
    fits: (condition: Condition): boolean => testsOf(condition).some((tests) => tests.every(fitsOne)),
    /** The bytes, or the name of the first token whose value is missing. */
    render(template: Template, context: TemplateContext = {}): { bytes: Buffer } | { missing: string } {
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

/** Tokens as strings, and the texts between them. */
const partsOf = remember((template: Template) =>
  [...template.matchAll(/\{([a-z\d]+(?::[^{}]+)?)\}|[^{]+|\{/g)].map(([text, token]) => token ?? Buffer.from(text)),
);

/** `kind` and `name` are the parts of a Ref. */
type Test = { isNot: boolean; kind: string; name: string; operator: string | undefined; wanted: string };

/** Returns the tests of each alternative. */
export const testsOf = remember((condition: Condition) =>
  condition.split(' / ').map((alternative) =>
    alternative.split(' & ').map((text): Test => {
      const [, not, ref = '', operator, wanted = ''] = /^(!?)([^=^~]+)(?:([=^~])(.*))?$/.exec(text) ?? [];
      const [kind, name] = cut(ref, ':');
      return { isNot: not === '!', kind, name, operator, wanted };
    }),
  ),
);

/** Users write rules, too, so there can be many. */
function remember<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const made = known.get(text) ?? make(text);
    if (known.size < 1000) known.set(text, made);
    return made;
  };
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function parseJson(body: Buffer): unknown {
  if (!/^[\s\ufeff]*[[{]/.test(body.toString('utf8', 0, 100))) return undefined;
  try {
    return parseExactly(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Numbers with the digits that they were written with. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In their order, with duplicates; a part that is not UTF-8 in percent-encoding stays as it is. */
function parsePairs(text: string): [string, string][] {
  const parts = text.split('&').filter((pair) => pair !== '');
  return parts.map((pair) => {
    const [name, value] = cut(pair.replaceAll('+', ' '), '=');
    return [decodePercent(name), decodePercent(value)];
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
  const sort = (texts: readonly string[]) =>
    [...new Set(texts)].toSorted((one, other) => (one < other ? -1 : Number(one > other)));
  const valuesOf = (name: string) => sort(pairs.filter(([key]) => key === name).map(([, value]) => value));
  return sort(pairs.map(([name]) => name))
    .flatMap((name) => valuesOf(name).map((value) => name + value))
    .join('');
}

function withPort(url: string, isWanted: boolean): string {
  return url.replace(
    /^(https?):\/\/([^/?#]*?)(:\d+)?(?=[/?#]|$)/i,
    (_, scheme: string, host: string, port?: string) => {
      const usual = scheme.toLowerCase() === 'http' ? ':80' : ':443';
      return `${scheme}://${host}${isWanted ? (port ?? usual) : ''}`;
    },
  );
}
