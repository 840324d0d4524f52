// In which forms a body can be read, by its bytes and its content type. Parsing never guesses: what does not fit its type is
// shown as text or bytes.
import type { HeaderList } from '#contract/procedures/base.ts';
import { isJson } from '#renderer/ui/json-text.ts';
import { textOf } from './body-text.ts';

export type BodyForm = 'tree' | 'text' | 'hex' | 'form' | 'parts';
export type BodyPart = {
  headers: HeaderList;
  name: string | undefined;
  fileName: string | undefined;
  bytes: Uint8Array;
};

/** Above it a tree is not offered: text and bytes show their beginning. */
const treeBytes = 2_000_000;

/** The best one first; `hex` always, `text` where the bytes are UTF-8. */
export function formsOf(bytes: Uint8Array, contentType: string): BodyForm[] {
  const text = bytes.length <= treeBytes ? textOf(bytes) : undefined;
  const forms: BodyForm[] = [];
  if (text !== undefined && isJson(text) && /^\s*[[{]/.test(text)) forms.push('text', 'tree');
  if (/^application\/(x-)?www-form-urlencoded\b/i.test(contentType) && text !== undefined) forms.push('form');
  if (partsOf(bytes, contentType)) forms.push('parts');
  if (!forms.includes('text') && (text !== undefined || textOf(bytes) !== undefined)) forms.push('text');
  return [...forms, 'hex'];
}

/** Names and values in their order, with duplicates. */
export function formFields(text: string): [string, string][] {
  return [...new URLSearchParams(text)];
}

/** The parts of a multipart body (RFC 2046 §5.1); undefined where it is none, or is broken. */
export function partsOf(bytes: Uint8Array, contentType: string): BodyPart[] | undefined {
  if (!/^multipart\//i.test(contentType)) return undefined;
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) return undefined;
  // Latin-1 keeps each byte as one character.
  const text = latin1(bytes);
  const pieces = `\r\n${text}`.split(`\r\n--${name}`);
  const isWhole = pieces.length >= 2 && pieces.at(-1)?.startsWith('--') === true;
  if (!isWhole) return undefined;
  return pieces.slice(1, -1).map(partOf);
}

function partOf(piece: string): BodyPart {
  // After the boundary comes the end of its line.
  const text = piece.replace(/^[ \t]*\r\n/, '');
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n');
  const head = end <= 0 ? '' : text.slice(0, end);
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
    name: /;\s*name="([^"]*)"/i.exec(disposition)?.[1],
    fileName: /;\s*filename="([^"]*)"/i.exec(disposition)?.[1],
    bytes: bytesOfLatin1(body),
  };
}

const pieceBytes = 8192;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return text;
}

function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function utf8(text: string): string {
  return textOf(bytesOfLatin1(text)) ?? text;
}
