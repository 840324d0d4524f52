// What a body may have been when it was signed: the usual changes between the signer and the receiver, simplest first. Each
// variant has the bytes to verify and the change that explains them.
import { parseExactly } from '@rainbell/shared';
import type { SignatureCauseId } from '@rainbell/contract/app-rpc';

export type BodyVariant = { cause: SignatureCauseId | null; bytes: Buffer };

/** Larger bodies are not parsed as JSON or converted between character sets. */
const maxParsedBytes = 256 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Lists the body as received (`cause` null) and its variants, without duplicates. `decoded`: the body without its
 * `Content-Encoding`, if it has one.
 */
export function listBodyVariants(body: Buffer, decoded: Buffer | undefined): BodyVariant[] {
  const variants: BodyVariant[] = [{ cause: null, bytes: body }];
  const seen = new Set([body.toString('latin1')]);
  function add(cause: SignatureCauseId, bytes: Buffer | undefined): void {
    if (!bytes) return;
    const key = bytes.toString('latin1');
    if (seen.has(key)) return;
    seen.add(key);
    variants.push({ cause, bytes });
  }
  if (decoded) add('body-encoding', decoded);
  addByteChanges(decoded ?? body, add);
  if (body.length <= maxParsedBytes) {
    addTextChanges(decoded ?? body, add);
    addJsonChanges(decoded ?? body, add);
  }
  add('body-empty', Buffer.alloc(0));
  return variants;
}

type Add = (cause: SignatureCauseId, bytes: Buffer | undefined) => void;

function addByteChanges(body: Buffer, add: Add): void {
  add('newline-added', withoutEnd(body, '\r\n') ?? withoutEnd(body, '\n'));
  add('newline-removed', Buffer.concat([body, Buffer.from('\n')]));
  add('newline-removed', Buffer.concat([body, Buffer.from('\r\n')]));
  const hasMark = body.subarray(0, 3).equals(byteOrderMark);
  if (hasMark) add('bom-added', body.subarray(3));
  else add('bom-removed', Buffer.concat([byteOrderMark, body]));
}

function withoutEnd(body: Buffer, end: string): Buffer | undefined {
  const length = body.length - end.length;
  return length >= 0 && body.toString('latin1', length) === end ? body.subarray(0, length) : undefined;
}

function addTextChanges(body: Buffer, add: Add): void {
  const bytes = body.toString('latin1');
  if (bytes.includes('\n')) {
    add('line-ends', Buffer.from(bytes.replaceAll('\r\n', '\n'), 'latin1'));
    add('line-ends', Buffer.from(bytes.replaceAll(/\r?\n/g, '\r\n'), 'latin1'));
  }
  add('whitespace-added', Buffer.from(bytes.trim(), 'latin1'));
  // Read as Latin-1 and written as UTF-8, or the other way around.
  const text = body.toString('utf8');
  if (/[\u0080-\u{10ffff}]/u.test(text)) {
    add('charset', Buffer.from(text, 'latin1'));
    add('charset', Buffer.from(bytes, 'utf8'));
  }
}

/** As the usual serializers write the same value: the tokens stay as they are, so that no number or escape changes by accident. */
function addJsonChanges(body: Buffer, add: Add): void {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  try {
    const value = parseExactly(text);
    if (typeof value !== 'object' || value === null) return;
    addSpacings(text, add);
    // JavaScript rounds long numbers.
    add('json-reserialized', Buffer.from(JSON.stringify(JSON.parse(text))));
    const sorted = sortKeys(value);
    add('json-key-order', Buffer.from(JSON.stringify(sorted)));
    // Only the outer ones; and, as JavaScript's list of names does, without the members of the inner objects.
    const outer = Object.entries(value).toSorted(byName);
    add('json-key-order', Buffer.from(JSON.stringify(Object.fromEntries(outer))));
    add('json-key-order', Buffer.from(JSON.stringify(value, Object.keys(value).toSorted())));
    add('json-key-order', Buffer.from(writeTokens(tokensOf(JSON.stringify(sorted)), ', ', ': ')));
  } catch {
    // It is not JSON.
  }
}

function addSpacings(text: string, add: Add): void {
  const tokens = tokensOf(text);
  const compact = tokens.join('');
  const indented = ['  ', '    ', '\t'].map((indent) => indentTokens(tokens, indent));
  for (const spaced of [compact, writeTokens(tokens, ', ', ': '), ...indented]) {
    add('json-reserialized', Buffer.from(spaced));
    add('json-reserialized', Buffer.from(`${spaced}\n`));
  }
  // As JavaScript and most others write strings, then as Python, PHP, and Go do.
  const plain = tokens.map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token));
  for (const list of [tokens, plain]) {
    for (const spaced of [list.join(''), writeTokens(list, ', ', ': '), indentTokens(list, '  ')]) {
      add('json-escapes', Buffer.from(spaced));
      add('json-escapes', Buffer.from(escapeUnicode(spaced)));
      add('json-escapes', Buffer.from(spaced.replaceAll(/(?<!\\)\//g, String.raw`\/`)));
      add('json-escapes', Buffer.from(spaced.replaceAll(/[<>&]/g, unicodeEscape)));
    }
  }
  add('json-escapes', Buffer.from(escapeUnicode(compact.replaceAll('/', String.raw`\/`))));
  for (const whole of [text, compact]) {
    const upper = whole.replaceAll(/\\u[0-9a-f]{4}/gi, (escape) => `\\u${escape.slice(2).toUpperCase()}`);
    add('json-escapes', Buffer.from(upper));
    add('json-escapes', Buffer.from(upper.replaceAll(/\\u[0-9A-F]{4}/g, (escape) => escape.toLowerCase())));
  }
}

function tokensOf(json: string): readonly string[] {
  return json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs) ?? [];
}

function writeTokens(tokens: readonly string[], comma: string, colon: string): string {
  return tokens.map((token) => (token === ',' ? comma : token === ':' ? colon : token)).join('');
}

function indentTokens(tokens: readonly string[], indent: string): string {
  let depth = 0;
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const isEnd = token === '}' || token === ']';
    const isEmpty = isEnd && /^[{[]$/.test(tokens[index - 1] ?? '');
    if (isEnd) depth -= 1;
    if (isEnd && !isEmpty) text += `\n${indent.repeat(depth)}`;
    text += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    const isOpen = (token === '{' || token === '[') && !/^[}\]]$/.test(tokens[index + 1] ?? '');
    if (isOpen || token === ',') text += `\n${indent.repeat(depth)}`;
  }
  return text;
}

function escapeUnicode(text: string): string {
  // In UTF-16 units, as Python and PHP escape.
  return text.replaceAll(/[\u0080-\uffff]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(byName)
      .map(([key, member]) => [key, sortKeys(member)]),
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
