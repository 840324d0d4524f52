// The parts of a multipart body. Parsing never guesses: what does not match its type is shown as text or bytes.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { bytesOfLatin1, textOf } from './body-text.ts';
import { budget } from './budget.ts';

export type BodyPart = {
  headers: HeaderList;
  name: string | undefined;
  fileName: string | undefined;
  bytes: Uint8Array<ArrayBuffer>;
};

/**
 * The parts of a multipart body (RFC 2046 §5.1): at most `budget.parts`, and how many there are; undefined for another type, or if the
 * body is broken.
 */
export function partsOf(base64: string, contentType: string): { parts: BodyPart[]; count: number } | undefined {
  if (!/^multipart\//i.test(contentType)) return undefined;
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType.slice(0, budget.partHeadBytes));
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) return undefined;
  // A character for each byte.
  const text = `\r\n${atob(base64)}`;
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

function utf8(text: string): string {
  return textOf(bytesOfLatin1(text)) ?? text;
}
