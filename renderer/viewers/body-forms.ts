// In which forms a body can be read, by its bytes and its content type. Parsing never guesses: what does not match its type is
// shown as text or bytes.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { textOf } from './body-text.ts';
import { budget } from './budget.ts';
import { isJson } from './json-tokens.ts';

export type BodyForm = 'json' | 'text' | 'hex' | 'form' | 'parts';
export type BodyPart = {
  headers: HeaderList;
  name: string | undefined;
  fileName: string | undefined;
  bytes: Uint8Array<ArrayBuffer>;
};

/** The best one first; `hex` always. `text`: what the bytes mean in their charset, if they are text. */
export function formsOf(bytes: Uint8Array, text: string | undefined, contentType: string): BodyForm[] {
  const forms: BodyForm[] = [];
  if (text !== undefined && /^\s*[[{]/.test(text) && isJson(text)) forms.push('json');
  if (/^application\/(x-)?www-form-urlencoded\b/i.test(contentType) && text !== undefined) forms.push('form');
  if (partsOf(bytes, contentType)) forms.push('parts');
  if (text !== undefined) forms.push('text');
  return [...forms, 'hex'];
}

/**
 * The parts of a multipart body (RFC 2046 §5.1), at most `budget.parts`, and how many there are; undefined if it is none, or is
 * broken.
 */
export function partsOf(bytes: Uint8Array, contentType: string): { parts: BodyPart[]; count: number } | undefined {
  if (!/^multipart\//i.test(contentType)) return undefined;
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType.slice(0, budget.partHeadBytes));
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) return undefined;
  // Latin-1 keeps each byte as one character.
  const text = `\r\n${latin1(bytes)}`;
  const mark = `\r\n--${name}`;
  const parts: BodyPart[] = [];
  let count = 0;
  let at = text.indexOf(mark);
  while (at >= 0) {
    const from = at + mark.length;
    const next = text.indexOf(mark, from);
    if (next < 0) return count > 0 && text.startsWith('--', from) ? { parts, count } : undefined;
    if (count < budget.parts) parts.push(partOf(text.slice(from, next)));
    count += 1;
    at = next;
  }
  return undefined;
}

function partOf(piece: string): BodyPart {
  // After the boundary comes the end of its line.
  const text = piece.replace(/^[ \t]*\r\n/, '');
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n');
  const head = end <= 0 ? '' : text.slice(0, Math.min(end, budget.partHeadBytes));
  const body = end < 0 ? text : text.slice(end + (end === 0 ? 2 : 4));
  const headers = head
    .split('\r\n')
    .filter((line) => line.includes(':'))
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim(), utf8(line.slice(colon + 1).trim())];
    });
  const disposition = headers.find(([header]) => header.toLowerCase() === 'content-disposition')?.[1] ?? '';
  return {
    headers,
    name: parameterOf(disposition, 'name'),
    fileName: extendedParameterOf(disposition, 'filename') ?? parameterOf(disposition, 'filename'),
    bytes: bytesOfLatin1(body),
  };
}

/** A token, or a quoted string in which a backslash precedes a quote or another backslash (RFC 9110 section 5.6.4). */
function parameterOf(header: string, name: string): string | undefined {
  for (const [, key, quoted, token] of header.matchAll(parameterForm)) {
    if (key?.toLowerCase() === name) return quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1');
  }
  return undefined;
}

const parameterForm = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** The form `name*=UTF-8'language'percent-encoded` (RFC 8187); undefined if it is not there or broken. */
function extendedParameterOf(header: string, name: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([^']{1,40})'[^']*'(.*)$/.exec(parameterOf(header, `${name}*`) ?? '') ?? [];
  if (charset === '' || /%(?![0-9a-f]{2})/i.test(encoded)) return undefined;
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return textOf(bytesOfLatin1(bytes), charset);
}

const pieceBytes = 8192;

function latin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  return pieces.join('');
}

function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function utf8(text: string): string {
  return textOf(bytesOfLatin1(text)) ?? text;
}
